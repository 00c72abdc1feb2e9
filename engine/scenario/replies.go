package scenario

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/tools"
)

// Said is what is there already of models and tools: their replies and results.
type Said struct {
	Replies *model.Replies
	Results *tools.Results
}

// NewSaid is nothing said yet, by whom it will be.
func NewSaid(by string) Said {
	return Said{
		Replies: &model.Replies{By: by, Texts: map[string][]string{}},
		Results: &tools.Results{By: by, Texts: map[string][]string{}},
	}
}

// ReadReplies reads a file of replies (contract.md): LABEL: text or LABEL: [first,
// second], and for the results of tools LABEL/tool/NAME the same way.
func ReadReplies(source []byte) (Said, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(source, &doc); err != nil {
		return Said{}, err
	}
	if doc.Kind == 0 {
		return NewSaid(machine.ByFile), nil
	}
	return readSaid(doc.Content[0])
}

// readSaid reads a mapping of labels to replies.
func readSaid(n *yaml.Node) (Said, error) {
	out := NewSaid(machine.ByFile)
	if n.Kind == 0 || n.ShortTag() == "!!null" {
		return out, nil
	}
	if n.Kind != yaml.MappingNode {
		return out, errors.New("the replies are no mapping of labels to texts")
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		label := n.Content[i].Value
		texts, err := texts(n.Content[i+1])
		switch {
		case err != nil:
			return out, fmt.Errorf("line %d, %s: %w", n.Content[i].Line, label, err)
		case strings.Contains(label, tools.Key("", "")):
			out.Results.Texts[label] = texts
		default:
			out.Replies.Texts[label] = texts
		}
	}
	return out, nil
}

// texts are one text or a list of them.
func texts(n *yaml.Node) ([]string, error) {
	list := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		list = n.Content
	}
	if len(list) == 0 {
		return nil, errors.New("the list has no text")
	}
	var out []string
	for _, n := range list {
		if n.Kind != yaml.ScalarNode {
			return nil, errors.New("a text, or a list of texts, is wanted here")
		}
		out = append(out, n.Value)
	}
	return out, nil
}
