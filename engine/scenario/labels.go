package scenario

import (
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// labelled is what a file says of a label.
type labelled struct {
	label string
	line  int
	value *yaml.Node
}

// byLabels reads a mapping of labels, each of which stands there once. otherwise is what to say
// of anything else; nothing at all is no mapping, and no error.
func byLabels(n *yaml.Node, otherwise string) ([]labelled, error) {
	if n = meant(n); n.Kind == 0 || n.ShortTag() == "!!null" {
		return nil, nil
	}
	if n.Kind != yaml.MappingNode {
		return nil, errors.New(otherwise)
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
