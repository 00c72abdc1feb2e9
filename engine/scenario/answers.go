package scenario

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"playhead/engine"
)

// ParseAnswer parses one prepared answer; by says who prepared it. The words yes and ok mean pass, and no means fail,
// in upper or lower case. If ParseAnswer returns an error, the answer still has the text, because it may answer a question that
// asks for a value.
func ParseAnswer(text, by string) (engine.PreparedAnswer, error) {
	value := strings.TrimSpace(text)
	verb, argument, hasArgument := strings.Cut(value, ":")
	word := strings.ToLower(value) // documents may write YES
	switch {
	case word == "pass" || word == "yes" || word == "ok":
		value = "pass"
	case word == "fail" || word == "no":
		value = "fail"
	case word == "retry" || word == "skip" || word == "rerun":
		value = word
	case verb == "complete" || verb == "stop":
	case verb == "goto" && hasArgument && strings.TrimSpace(argument) != "":
	default:
		return engine.PreparedAnswer{Text: text, PreparedBy: by}, fmt.Errorf("%q is not an answer: use pass (or yes, ok), fail (or no), retry, skip, rerun, goto:STEP, complete:MESSAGE or stop:MESSAGE", text)
	}
	return engine.PreparedAnswer{Value: value, Text: text, PreparedBy: by}, nil
}

// ReadAnswers reads an answers file: LABEL: value, LABEL: [first, second], and decide: [item, …].
func ReadAnswers(source []byte, by string) (engine.PreparedAnswers, error) {
	var doc yaml.Node
	if err := DecodeYAML(source, &doc); err != nil {
		return engine.PreparedAnswers{}, err
	}
	if doc.Kind == 0 {
		return engine.PreparedAnswers{}, nil
	}
	out, queue, err := readAnswersByLabel(doc.Content[0], by)
	return engine.PreparedAnswers{ByLabel: out, Queue: queue}, err
}

// readAnswersByLabel reads a mapping of labels to answers. Its key decide is the queue.
func readAnswersByLabel(n *yaml.Node, by string) (labels map[string][]engine.PreparedAnswer, queue []engine.PreparedAnswer, err error) {
	all, err := readLabelledNodes(n, "the answers are not a mapping of labels to answers")
	if err != nil || all == nil {
		return nil, nil, err
	}
	labels = map[string][]engine.PreparedAnswer{}
	for _, a := range all {
		items, err := readAnswerItems(a.value, by, a.key == "decide")
		switch {
		case err != nil:
			return nil, nil, fmt.Errorf("line %d, %q: %w", a.line, a.key, err)
		case a.key == "decide":
			queue = items
		default:
			labels[a.key] = items
		}
	}
	return labels, queue, nil
}

// readAnswerItems reads one answer or a list of them. If strict is set, each must be one that ParseAnswer knows.
func readAnswerItems(n *yaml.Node, by string, strict bool) ([]engine.PreparedAnswer, error) {
	var out []engine.PreparedAnswer
	for _, n := range listItems(n) {
		if n.Kind != yaml.ScalarNode {
			return nil, errors.New("an answer must be one value or a list of values")
		}
		item, err := ParseAnswer(n.Value, by)
		if err != nil && strict {
			return nil, err
		}
		out = append(out, item)
	}
	return out, nil
}
