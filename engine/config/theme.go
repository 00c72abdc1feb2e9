package config

import "go.yaml.in/yaml/v3"

// Theme names a palette for each background that a terminal may have. Which ones there
// are is not this package's business.
type Theme struct{ Dark, Light Named }

// Named is a name, and where the file says it. Empty is the usual one.
type Named struct {
	Name         string
	Line, Column int
}

func named(n *yaml.Node) (Named, error) {
	name, err := text(n)
	return Named{name, n.Line, n.Column}, err
}

// read reads one name for both, or a name for each.
func (t *Theme) read(r *reader, key string, n *yaml.Node) {
	if n.Kind == yaml.MappingNode {
		r.mapping(n, table{"dark": set(&t.Dark, named), "light": set(&t.Light, named)})
		return
	}
	set(&t.Dark, named)(r, key, n)
	t.Light = t.Dark
}
