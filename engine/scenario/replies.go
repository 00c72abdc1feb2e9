package scenario

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/tools"
	"playhead/parse/plan"
)

// RepliesAndResults holds prepared replies of models and prepared results of tools.
type RepliesAndResults struct {
	Replies     *model.PreparedReplies
	Results     *tools.PreparedResults
	LineByLabel map[string]int // the lines of the labels in the file
}

// NewRepliesAndResults returns empty RepliesAndResults. by says where replies and results will come from.
func NewRepliesAndResults(by string) RepliesAndResults {
	return RepliesAndResults{
		Replies: &model.PreparedReplies{RepliedBy: by, ByCallKey: map[string][]model.Reply{}},
		Results: &tools.PreparedResults{ResultBy: by, TextsByKey: map[string][]string{}},
	}
}

// ReadReplies reads a file of replies for --replies: LABEL: text or LABEL: [first, second], and
// LABEL/tool/NAME in the same way for the results of tools.
func ReadReplies(source []byte) (RepliesAndResults, error) {
	var doc yaml.Node
	if err := DecodeYAML(source, &doc); err != nil {
		return RepliesAndResults{}, err
	}
	if doc.Kind == 0 {
		return NewRepliesAndResults(machine.ByFile), nil
	}
	return parseReplies(doc.Content[0])
}

// parseReplies reads a mapping of labels to replies.
func parseReplies(n *yaml.Node) (RepliesAndResults, error) {
	out := NewRepliesAndResults(machine.ByFile)
	all, err := readLabelledNodes(n, "the replies are not a mapping of labels to replies")
	if err != nil {
		return out, err
	}
	out.LineByLabel = map[string]int{}
	for _, r := range all {
		out.LineByLabel[r.key] = r.line
		if strings.Contains(r.key, tools.ResultKey("", "")) {
			out.Results.TextsByKey[r.key], err = readOneOrMore(r.value, resultText)
		} else {
			out.Replies.ByCallKey[r.key], err = readOneOrMore(r.value, readReply)
		}
		if err != nil {
			return out, fmt.Errorf("line %d, %q: %w", r.line, r.key, err)
		}
	}
	return out, nil
}

// readOneOrMore reads one value, or a list of them.
func readOneOrMore[V any](n *yaml.Node, read func(*yaml.Node) (V, error)) ([]V, error) {
	list := listItems(n)
	if len(list) == 0 {
		return nil, errors.New("the list is empty")
	}
	var out []V
	for _, n := range list {
		v, err := read(n)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// listItems returns the items of a list, or the node itself if it is not a list.
func listItems(n *yaml.Node) []*yaml.Node {
	list := []*yaml.Node{n}
	if n = resolveAlias(n); n.Kind == yaml.SequenceNode {
		list = n.Content
	}
	out := make([]*yaml.Node, len(list))
	for i, n := range list {
		out[i] = resolveAlias(n)
	}
	return out
}

// resolveAlias returns the value that an alias stands for.
func resolveAlias(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// resultText returns the result of a tool: a string as it is, anything else as JSON.
func resultText(n *yaml.Node) (string, error) {
	if n.Kind == yaml.ScalarNode {
		return n.Value, nil
	}
	return nodeAsJSON(n)
}

// readReply reads a model's reply: a text, a mapping of text and calls, or any other mapping,
// which is a report.
func readReply(n *yaml.Node) (model.Reply, error) {
	if n.Kind == yaml.ScalarNode {
		return model.Reply{Text: n.Value}, nil
	}
	var decoded struct {
		Text  string
		Calls []struct {
			Tool      string
			Arguments yaml.Node
		}
	}
	if n.Kind != yaml.MappingNode {
		return model.Reply{}, errors.New("a reply must be text, a mapping, or a list of texts and mappings")
	}
	if err := n.Decode(&decoded); err != nil {
		return model.Reply{}, ExplainShapeError(err)
	}
	if decoded.Text == "" && decoded.Calls == nil {
		report, err := nodeAsJSON(n)
		return model.Reply{ReportArgs: report}, err
	}
	r := model.Reply{Text: decoded.Text}
	for i, c := range decoded.Calls {
		args, err := "{}", error(nil)
		if c.Arguments.Kind != 0 {
			args, err = nodeAsJSON(&c.Arguments)
		}
		if err != nil {
			return r, err
		}
		r.WantedCalls = append(r.WantedCalls, plan.ToolCall{ID: fmt.Sprintf("call_%d", i+1), Name: c.Tool, Arguments: args})
	}
	return r, nil
}

// nodeAsJSON returns a YAML value as JSON.
func nodeAsJSON(n *yaml.Node) (string, error) {
	var value any
	if err := n.Decode(&value); err != nil {
		return "", ExplainShapeError(err)
	}
	out, err := json.Marshal(withNumbersAsWritten(n, value))
	if err != nil {
		return "", fmt.Errorf("line %d: this value cannot be written as JSON: %w", n.Line, err)
	}
	return string(out), nil
}

// withNumbersAsWritten returns a decoded value whose numbers are as written, so that 1.50 does not
// become 1.5.
func withNumbersAsWritten(n *yaml.Node, value any) any {
	n = resolveAlias(n)
	switch v := value.(type) {
	case map[string]any:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if key := resolveAlias(n.Content[i]).Value; v[key] != nil {
				v[key] = withNumbersAsWritten(n.Content[i+1], v[key])
			}
		}
	case []any:
		for i := range min(len(v), len(n.Content)) {
			v[i] = withNumbersAsWritten(n.Content[i], v[i])
		}
	case int, int64, uint64, float64:
		if json.Valid([]byte(n.Value)) {
			return json.Number(n.Value)
		}
	}
	return value
}
