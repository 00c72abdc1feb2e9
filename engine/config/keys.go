package config

import (
	"errors"

	"go.yaml.in/yaml/v3"
)

// Keys are which keys do what. Which actions and keys there are is the screen's business.
type Keys struct {
	Style    string // of the keys that move: vi, arrows; empty: both
	Bindings []Binding
}

// Binding has the keys of an action, and where the file says so.
type Binding struct {
	Action       string
	Keys         []string
	Line, Column int
}

// keys reads the bindings.
func (c *Config) keys(r *reader, _ string, n *yaml.Node) {
	r.each(n, func(key, value *yaml.Node) {
		if key.Value == "style" {
			set(&c.Bound.Style, word("vi", "arrows"))(r, key.Value, value)
			return
		}
		b := Binding{Action: key.Value, Line: value.Line, Column: value.Column}
		items := []*yaml.Node{value}
		if value.Kind == yaml.SequenceNode {
			items = value.Content
		}
		before := len(r.problems)
		for _, item := range items {
			var one string
			set(&one, keyText)(r, key.Value, resolved(item))
			b.Keys = append(b.Keys, one)
		}
		if len(r.problems) == before {
			c.Bound.Bindings = append(c.Bound.Bindings, b)
		}
	})
}

// keyText is one key. A digit is one, which to YAML is a number.
func keyText(n *yaml.Node) (string, error) {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!int" {
		return n.Value, nil
	}
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" {
		return "", errors.New("a key is wanted here; [] is none at all, and ~ # & * ! need quotes")
	}
	return text(n)
}
