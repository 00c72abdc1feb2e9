package config

import "go.yaml.in/yaml/v3"

// Theme names a palette for each background that a terminal may have. Empty is the
// usual one.
type Theme struct{ Dark, Light string }

// read reads one name for both, or a name for each.
func (t *Theme) read(r *reader, key string, n *yaml.Node) {
	if n.Kind == yaml.MappingNode {
		r.mapping(n, table{"dark": set(&t.Dark, text), "light": set(&t.Light, text)})
		return
	}
	set(&t.Dark, text)(r, key, n)
	t.Light = t.Dark
}
