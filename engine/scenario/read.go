package scenario

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// foreign are the escapes of JSON that are none of YAML: two for one character, and \/.
// An escaped \ is matched to be passed over.
var foreign = regexp.MustCompile(`\\(?:\\|/|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})`)

// Read reads YAML, or JSON: a few escapes aside, that is YAML too.
func Read(source []byte, into any) error {
	if json.Valid(source) {
		source = foreign.ReplaceAllFunc(source, unescaped)
	}
	return syntaxError(yaml.Unmarshal(source, into))
}

// syntax is how the library says that something is no YAML.
var syntax = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)`)

// syntaxError is an error of the library with its line: it leaves the first one out, and its parser
// counts from 0.
func syntaxError(err error) error {
	if err == nil || errors.As(err, new(*yaml.TypeError)) {
		return err
	}
	m := syntax.FindStringSubmatch(err.Error())
	if m == nil {
		return err
	}
	line, counted := strconv.Atoi(m[1])
	if counted != nil || strings.HasPrefix(m[2], "did not find expected") {
		line++
	}
	return fmt.Errorf("line %d: %s", line, m[2])
}

// unescaped is the character that an escape stands for.
func unescaped(escape []byte) []byte {
	var text string
	if string(escape) == `\\` || json.Unmarshal([]byte(`"`+string(escape)+`"`), &text) != nil {
		return escape
	}
	return []byte(text)
}

// mistyped is how the library says that a value has another shape than it should have.
var mistyped = regexp.MustCompile(`(?s)^(line \d+): cannot unmarshal !!(\w+).* into (\S+)`)

// tagged are the shapes of YAML's values by their tags.
var tagged = map[string]string{"seq": "a list", "map": "a mapping", "int": "a number", "float": "a number", "bool": "true or false"}

// Shape says what is wrong with YAML that was decoded, in one line and without the names of types.
func Shape(err error) error {
	var types *yaml.TypeError
	if !errors.As(err, &types) || len(types.Errors) == 0 {
		return err
	}
	m := mistyped.FindStringSubmatch(types.Errors[0])
	if m == nil {
		return errors.New(types.Errors[0])
	}
	return fmt.Errorf("%s: this is %s, and should be %s", m[1], cmp.Or(tagged[m[2]], "a text"), yamlShape(m[3]))
}

// yamlShape returns what YAML calls a value of a Go type.
func yamlShape(goType string) string {
	switch {
	case strings.HasPrefix(goType, "[]"):
		return "a list"
	case strings.HasPrefix(goType, "map["), strings.HasPrefix(goType, "struct"):
		return "a mapping"
	case goType == "bool":
		return "true or false"
	}
	return "a text"
}

// labelled is what a file says of a label.
type labelled struct {
	label string
	line  int
	value *yaml.Node
}

// byLabels reads a mapping of labels, each of which stands there once. otherwise is what to say
// of anything else; nothing at all is no mapping, and no error.
func byLabels(n *yaml.Node, otherwise string) ([]labelled, error) {
	if n = resolveAlias(n); n.Kind == 0 || n.ShortTag() == "!!null" {
		return nil, nil
	}
	if n.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("line %d: %s", n.Line, otherwise)
	}
	var out []labelled
	lines := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if line := lines[key.Value]; line > 0 {
			return nil, fmt.Errorf("line %d: %s stands in line %d already: several values are a list", key.Line, key.Value, line)
		}
		lines[key.Value] = key.Line
		out = append(out, labelled{key.Value, key.Line, n.Content[i+1]})
	}
	return out, nil
}
