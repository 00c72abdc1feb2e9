package scenario

import (
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/parse/plan"
)

// Sidecar reads a file of scenarios, in order. It returns an error if the file cannot be read. A
// scenario that breaks the rules has its Invalid set.
func Sidecar(source []byte) ([]Scenario, error) {
	var doc yaml.Node
	if err := Read(source, &doc); err != nil {
		return nil, err
	}
	if doc.Kind == 0 {
		return nil, nil
	}
	return each(doc.Content[0], (*Scenario).sidecar)
}

func (s *Scenario) sidecar(n *yaml.Node) error {
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
		return ShapeError(err)
	}
	for _, key := range sortedKeys(def.Rest) {
		return fmt.Errorf("a scenario has no key %s", key)
	}
	s.Prompted, s.Inputs = def.Prompted, def.Inputs
	s.Path, s.Variables = def.Path, def.Variables
	var err error
	if s.Result, err = sidecarResult(def.Result); err != nil {
		return err
	}
	if s.Replies, err = parseReplies(&def.Replies); err != nil {
		return fmt.Errorf("replies: %w", err)
	}
	s.Answers, err = answersOf(&def.Answers, &def.Decide)
	return err
}

// answersOf reads the answers by label, and the queue of answers in order.
func answersOf(labels, decide *yaml.Node) (engine.Answers, error) {
	out, queue, err := byLabel(labels, machine.ByFile)
	if err != nil || decide.Kind == 0 {
		return engine.Answers{ByLabel: out, Queue: queue}, err
	}
	more, err := items(decide, machine.ByFile, true)
	if err != nil {
		return engine.Answers{}, fmt.Errorf("decide: %w", err)
	}
	return engine.Answers{ByLabel: out, Queue: append(queue, more...)}, nil
}

// each reads a mapping of names to scenarios, in order.
func each(n *yaml.Node, read func(*Scenario, *yaml.Node) error) ([]Scenario, error) {
	if n.ShortTag() == "!!null" {
		return nil, nil
	}
	if n.Kind != yaml.MappingNode {
		return nil, errors.New("the scenarios are not a mapping of names to scenarios")
	}
	var out []Scenario
	for i := 0; i+1 < len(n.Content); i += 2 {
		s := Scenario{Name: n.Content[i].Value, Line: n.Content[i].Line}
		if err := read(&s, n.Content[i+1]); err != nil {
			s.Invalid = err.Error()
		}
		out = append(out, s)
	}
	return out, nil
}

// results are the results as a Rundown's front matter writes them.
var results = map[string]plan.RunResult{"COMPLETE": plan.Completed, "STOP": plan.Stopped}

// sidecarResult accepts a result in the spelling of the format or of the journal.
func sidecarResult(r plan.RunResult) (plan.RunResult, error) {
	if known, ok := results[string(r)]; ok {
		return known, nil
	}
	switch r {
	case "", plan.Completed, plan.Stopped, plan.RunFailed, plan.Cancelled, plan.Awaiting:
		return r, nil
	default:
		return "", errors.New("the result is not one of completed, stopped, failed, cancelled and awaiting_input")
	}
}
