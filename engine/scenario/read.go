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

// jsonEscapePattern matches the escapes of JSON that YAML does not have: a pair of surrogates, and \/. It
// also matches an escaped \, so that what follows is not taken for an escape.
var jsonEscapePattern = regexp.MustCompile(`\\(?:\\|/|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})`)

// DecodeYAML reads YAML or JSON. Apart from a few escapes, JSON is YAML.
func DecodeYAML(source []byte, into any) error {
	if json.Valid(source) {
		source = jsonEscapePattern.ReplaceAllFunc(source, decodeJSONEscape)
	}
	return syntaxError(yaml.Unmarshal(source, into))
}

// yamlErrorPattern matches the library's message about invalid YAML.
var yamlErrorPattern = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)`)

// syntaxError corrects the line in an error of the library, which omits the first line and counts
// from 0.
func syntaxError(err error) error {
	if err == nil || errors.As(err, new(*yaml.TypeError)) {
		return err
	}
	m := yamlErrorPattern.FindStringSubmatch(err.Error())
	if m == nil {
		return err
	}
	line, counted := strconv.Atoi(m[1])
	if counted != nil || strings.HasPrefix(m[2], "did not find expected") {
		line++
	}
	return fmt.Errorf("line %d: %s", line, m[2])
}

// decodeJSONEscape returns the character that an escape stands for.
func decodeJSONEscape(escape []byte) []byte {
	var text string
	if string(escape) == `\\` || json.Unmarshal([]byte(`"`+string(escape)+`"`), &text) != nil {
		return escape
	}
	return []byte(text)
}

// shapeErrorPattern matches the library's message about a value of the wrong shape.
var shapeErrorPattern = regexp.MustCompile(`(?s)^(line \d+): cannot unmarshal !!(\w+).* into (\S+)`)

// shapeNameByTag are the shapes of YAML values by their tags.
var shapeNameByTag = map[string]string{"seq": "a list", "map": "a mapping", "int": "a number", "float": "a number", "bool": "a boolean"}

// ExplainShapeError returns what is wrong with decoded YAML in one line, without names of Go types.
func ExplainShapeError(err error) error {
	var types *yaml.TypeError
	if !errors.As(err, &types) || len(types.Errors) == 0 {
		return err
	}
	m := shapeErrorPattern.FindStringSubmatch(types.Errors[0])
	if m == nil {
		return errors.New(types.Errors[0])
	}
	return fmt.Errorf("%s: this is %s, but should be %s", m[1], cmp.Or(shapeNameByTag[m[2]], "text"), shapeNameOfGoType(m[3]))
}

// shapeNameOfGoType returns YAML's term for a value of a Go type.
func shapeNameOfGoType(goType string) string {
	switch {
	case strings.HasPrefix(goType, "[]"):
		return "a list"
	case strings.HasPrefix(goType, "map["), strings.HasPrefix(goType, "struct"):
		return "a mapping"
	case goType == "bool":
		return "true or false"
	}
	return "text"
}

// labelledNode is an entry of a file.
type labelledNode struct {
	key   string // the label of a step, or "decide"
	line  int
	value *yaml.Node
}

// readLabelledNodes reads a mapping in which each label occurs once. notMapping is the message of the error for any
// other node. An empty document has no entries and is not an error.
func readLabelledNodes(n *yaml.Node, notMapping string) ([]labelledNode, error) {
	if n = resolveAlias(n); n.Kind == 0 || n.ShortTag() == "!!null" {
		return nil, nil
	}
	if n.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("line %d: %s", n.Line, notMapping)
	}
	var out []labelledNode
	lines := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if line := lines[key.Value]; line > 0 {
			return nil, fmt.Errorf("line %d: the label %s is already on line %d: write several values as a list", key.Line, key.Value, line)
		}
		lines[key.Value] = key.Line
		out = append(out, labelledNode{key.Value, key.Line, n.Content[i+1]})
	}
	return out, nil
}
