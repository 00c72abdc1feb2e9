package scenario

import (
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/parse"
	"playhead/parse/near"
	"playhead/parse/plan"
)

// ParseSidecar reads a file of scenarios, in order. It returns an error if the file cannot be read. A
// scenario that breaks the rules has its InvalidReason set.
func ParseSidecar(source []byte) ([]Scenario, error) {
	var doc yaml.Node
	if err := DecodeYAML(source, &doc); err != nil {
		return nil, err
	}
	if doc.Kind == 0 {
		return nil, nil
	}
	return readScenarios(doc.Content[0])
}

// sidecarKeys are the keys of a scenario in a sidecar.
var sidecarKeys = []string{"answers", "decide", "description", "inputs", "path", "prompted", "replies", "result", "variables"}

// readSidecarEntry sets the fields of a scenario from its node in a sidecar.
func (s *Scenario) readSidecarEntry(n *yaml.Node) error {
	var def struct {
		About     string         `yaml:"description"`
		Inputs    map[string]any `yaml:"inputs"`
		Prompted  bool           `yaml:"prompted"`
		Answers   yaml.Node      `yaml:"answers"`
		Replies   yaml.Node      `yaml:"replies"`
		Decide    yaml.Node      `yaml:"decide"`
		Result    plan.RunResult `yaml:"result"`
		Path      []string       `yaml:"path"`
		Variables map[string]any `yaml:"variables"`
		Rest      map[string]any `yaml:",inline"`
	}
	if err := n.Decode(&def); err != nil {
		return ExplainShapeError(err)
	}
	if unknown := sortedKeys(def.Rest); len(unknown) > 0 {
		return fmt.Errorf("a scenario cannot have the key %q: %s", unknown[0], near.Suggestion(unknown[0], sidecarKeys))
	}
	s.ExecutesNothing, s.Inputs = def.Prompted, def.Inputs
	s.ExpectedPath, s.ExpectedVariables = def.Path, def.Variables
	var err error
	if s.ExpectedResult, err = parseSidecarResult(def.Result); err != nil {
		return err
	}
	if s.Replies, err = parseReplies(&def.Replies); err != nil {
		return fmt.Errorf("replies: %w", err)
	}
	s.Answers, err = readSidecarAnswers(&def.Answers, &def.Decide)
	return err
}

// readSidecarAnswers reads the answers by label, and the queue of answers in order.
func readSidecarAnswers(labels, decide *yaml.Node) (engine.PreparedAnswers, error) {
	out, queue, err := readAnswersByLabel(labels, machine.ByFile)
	if err != nil || decide.Kind == 0 {
		return engine.PreparedAnswers{ByLabel: out, Queue: queue}, err
	}
	more, err := readAnswerItems(decide, machine.ByFile, true)
	if err != nil {
		return engine.PreparedAnswers{}, fmt.Errorf("decide: %w", err)
	}
	return engine.PreparedAnswers{ByLabel: out, Queue: append(queue, more...)}, nil
}

// readScenarios reads a mapping of names to scenarios, in order.
func readScenarios(n *yaml.Node) ([]Scenario, error) {
	if n.ShortTag() == "!!null" {
		return nil, nil
	}
	if n.Kind != yaml.MappingNode {
		return nil, errors.New("the file is not a mapping: write each scenario under a key with its name")
	}
	var out []Scenario
	for i := 0; i+1 < len(n.Content); i += 2 {
		s := Scenario{Name: n.Content[i].Value, NameLine: n.Content[i].Line}
		if err := s.readSidecarEntry(n.Content[i+1]); err != nil {
			s.InvalidReason = err.Error()
		}
		out = append(out, s)
	}
	return out, nil
}

// parseSidecarResult returns a result that is written as a format or as the journal writes it. "" stays "".
func parseSidecarResult(r plan.RunResult) (plan.RunResult, error) {
	if result, ok := parse.RunResultByWord(string(r)); ok {
		return result, nil
	}
	switch r {
	case "", plan.Completed, plan.Stopped, plan.RunFailed, plan.Cancelled, plan.Awaiting:
		return r, nil
	default:
		return "", fmt.Errorf("the result %q is not known: use completed, stopped, failed, cancelled or awaiting_input", r)
	}
}
