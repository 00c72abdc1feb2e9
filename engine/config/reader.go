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

// reader collects what is wrong.
type reader struct{ problems []Problem }

// A field reads the value of a key.
type field func(r *reader, key string, n *yaml.Node)

// A table has the keys of a mapping.
type table map[string]field

// Read reads a file's content. With problems the Config has what was right.
func Read(source []byte) (Config, []Problem) {
	var c Config
	var r reader
	if len(source) > maxSize {
		return c, []Problem{{1, 1, "the file is larger than 1 MiB"}}
	}
	if doc := r.parse(source); doc != nil {
		r.mapping(doc, c.sections())
	}
	return c, ordered(r.problems)
}

// parse makes nodes of a file, nil if it is empty or it is no YAML.
func (r *reader) parse(source []byte) *yaml.Node {
	if at := unreadable(source); at != nil {
		r.problems = append(r.problems, *at)
		return nil
	}
	var doc, second yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(source))
	err := decoder.Decode(&doc)
	if err == nil {
		if err = decoder.Decode(&second); err == nil {
			r.problem(&second, "a configuration file contains one YAML document only")
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		r.problems = append(r.problems, syntax(err))
		return nil
	}
	if doc.Kind == 0 {
		return nil
	}
	return doc.Content[0]
}

// unreadable returns the first byte that YAML does not allow, because the library does not say
// where it is. It returns nil if there is none, and for UTF-16, which the library reads.
func unreadable(source []byte) *Problem {
	if bytes.HasPrefix(source, []byte("\xff\xfe")) || bytes.HasPrefix(source, []byte("\xfe\xff")) {
		return nil
	}
	line, column := 1, 1
	for rest := source; len(rest) > 0; column++ {
		c, size := utf8.DecodeRune(rest)
		switch {
		case c == utf8.RuneError && size == 1:
			return &Problem{line, column, "this is not UTF-8: save the file in that encoding"}
		case unicode.IsControl(c) && !strings.ContainsRune("\t\n\r\u0085", c):
			return &Problem{line, column, "a control character is not allowed here"}
		case c == '\n':
			line, column = line+1, 0
		}
		rest = rest[size:]
	}
	return nil
}

var located = regexp.MustCompile(`^(?:yaml: )?(?:line (\d+): )?(.*)`)

// syntax returns an error of the YAML library as a problem.
func syntax(err error) Problem {
	m := located.FindStringSubmatch(err.Error())
	line, _ := strconv.Atoi(m[1])
	return Problem{max(line, 1), 1, "this is not YAML: " + m[2]}
}

func (r *reader) problem(n *yaml.Node, message string) {
	r.problems = append(r.problems, Problem{max(n.Line, 1), max(n.Column, 1), message})
}

// mapping reads the keys that the table has; others are problems. It reports whether n is a
// mapping at all.
func (r *reader) mapping(n *yaml.Node, t table) bool {
	return r.each(n, func(key, value *yaml.Node) {
		if read, known := t[key.Value]; known {
			read(r, key.Value, value)
			return
		}
		r.problem(key, fmt.Sprintf("there is no key %q here: %s", key.Value, near.Hint(key.Value, slices.Sorted(maps.Keys(t)))))
	})
}

// each visits the keys of a mapping. Nothing at all is an empty one.
func (r *reader) each(n *yaml.Node, visit func(key, value *yaml.Node)) bool {
	n = resolveAlias(n)
	if n.ShortTag() == "!!null" {
		return true
	}
	if n.Kind != yaml.MappingNode {
		r.problem(n, "expected keys with values, not "+kind(n))
		return false
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := resolveAlias(n.Content[i])
		switch {
		case key.Kind != yaml.ScalarNode:
			r.problem(key, "a key is one word, not "+kind(key))
		case seen[key.Value]:
			r.problem(n.Content[i], fmt.Sprintf("the key %q occurs twice", key.Value))
		default:
			seen[key.Value] = true
			visit(key, resolveAlias(n.Content[i+1]))
		}
	}
	return true
}

func has(n *yaml.Node, key string) bool {
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

func kind(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "keys with values"
	case yaml.SequenceNode:
		return "a list"
	}
	switch n.ShortTag() {
	case "!!null":
		return "nothing"
	case "!!bool":
		return "yes or no"
	case "!!int", "!!float":
		return "a number"
	case "!!timestamp":
		return "a date"
	default:
		return "a text"
	}
}
