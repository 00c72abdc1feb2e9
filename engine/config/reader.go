package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"playhead/parse/near"
)

// configReader reads YAML nodes and collects all problems, so that they are reported together.
type configReader struct{ problems []Problem }

// A valueReader reads the value of one key.
type valueReader func(r *configReader, key string, n *yaml.Node)

// readersByKey has the known keys of a mapping, with the functions that read their values.
type readersByKey map[string]valueReader

// Parse parses the content of a file. If there are problems, the Config has all valid values.
func Parse(source []byte) (Config, []Problem) {
	var c Config
	var r configReader
	if len(source) > maxFileSize {
		return c, []Problem{{1, 1, "the file is larger than 1 MiB"}}
	}
	if doc := r.parseYAML(source); doc != nil {
		r.readMapping(doc, c.sectionReaders())
	}
	return c, sortedByPosition(r.problems)
}

// parseYAML returns the root node of a file, nil if the file is empty or not YAML.
func (r *configReader) parseYAML(source []byte) *yaml.Node {
	if at := invalidByteProblem(source); at != nil {
		r.problems = append(r.problems, *at)
		return nil
	}
	var doc, second yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(source))
	err := decoder.Decode(&doc)
	if err == nil {
		if err = decoder.Decode(&second); err == nil {
			r.addProblem(&second, "a configuration file must contain only one YAML document")
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		r.problems = append(r.problems, syntaxProblem(err))
		return nil
	}
	if doc.Kind == 0 {
		return nil
	}
	return doc.Content[0]
}

// invalidByteProblem returns a problem for the first byte that YAML does not allow, because the library does
// not say where it is. It returns nil if there is none, and for UTF-16, which the library reads.
func invalidByteProblem(source []byte) *Problem {
	if bytes.HasPrefix(source, []byte("\xff\xfe")) || bytes.HasPrefix(source, []byte("\xfe\xff")) {
		return nil
	}
	line, column := 1, 1
	for rest := source; len(rest) > 0; column++ {
		c, size := utf8.DecodeRune(rest)
		switch {
		case c == utf8.RuneError && size == 1:
			return &Problem{line, column, "this is not valid UTF-8: save the file as UTF-8 text"}
		case unicode.IsControl(c) && !strings.ContainsRune("\t\n\r\u0085", c):
			return &Problem{line, column, "a control character is not allowed here"}
		case c == '\n':
			line, column = line+1, 0
		}
		rest = rest[size:]
	}
	return nil
}

var yamlErrorPattern = regexp.MustCompile(`^(?:yaml: )?(?:line (\d+): )?(.*)`)

// syntaxProblem returns an error of the YAML library as a problem.
func syntaxProblem(err error) Problem {
	m := yamlErrorPattern.FindStringSubmatch(err.Error())
	line, _ := strconv.Atoi(m[1])
	return Problem{max(line, 1), 1, "this is not valid YAML: " + m[2]}
}

func (r *configReader) addProblem(n *yaml.Node, message string) {
	r.problems = append(r.problems, Problem{max(n.Line, 1), max(n.Column, 1), message})
}

// readMapping reads the keys of the mapping n with the table. Other keys are problems. It reports whether
// n is a mapping.
func (r *configReader) readMapping(n *yaml.Node, t readersByKey) bool {
	return r.forEachKey(n, func(key, value *yaml.Node) {
		if read, known := t[key.Value]; known {
			read(r, key.Value, value)
			return
		}
		r.addProblem(key, fmt.Sprintf("there is no key %q here: %s", key.Value, near.Suggestion(key.Value, slices.Sorted(maps.Keys(t)))))
	})
}

// forEachKey visits the keys of a mapping. A null node counts as an empty mapping. It reports whether n is
// a mapping.
func (r *configReader) forEachKey(n *yaml.Node, visit func(key, value *yaml.Node)) bool {
	n = resolveAlias(n)
	if n.ShortTag() == "!!null" {
		return true
	}
	if n.Kind != yaml.MappingNode {
		r.addProblem(n, "expected a mapping, not "+describeKind(n))
		return false
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := resolveAlias(n.Content[i])
		switch {
		case key.Kind != yaml.ScalarNode:
			r.addProblem(key, "a key is one word, not "+describeKind(key))
		case seen[key.Value]:
			r.addProblem(n.Content[i], fmt.Sprintf("the key %q occurs twice", key.Value))
		default:
			seen[key.Value] = true
			visit(key, resolveAlias(n.Content[i+1]))
		}
	}
	return true
}

func hasKey(n *yaml.Node, key string) bool {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return true
		}
	}
	return false
}

// resolveAlias returns the node that an alias refers to; other nodes are returned as they are.
func resolveAlias(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

func describeKind(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	switch n.ShortTag() {
	case "!!null":
		return "an empty value"
	case "!!bool":
		return "true or false"
	case "!!int", "!!float":
		return "a number"
	case "!!timestamp":
		return "a date"
	default:
		return "text"
	}
}
