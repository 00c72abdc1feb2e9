// Package scenario runs the scenarios of a document and measures which of its routes they take.
//
// A scenario is a run whose answers are written down in advance: in the document, where the
// format's parser finds them, or for any format in a file beside it (sidecar.go). Each is a
// separate run in an empty directory, with a temporary journal. Commands are executed, but no model
// and no tool server is asked, because their replies are in the scenario. Code blocks find a
// command of the caller first on their PATH, such as rd (runner.go).
//
// The caller loads the documents, and asks whether they may run commands.
package scenario

import (
	"fmt"
	"slices"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/parse/plan"
)

// Scenario is one declared run of a document.
type Scenario struct {
	Name              string
	Inputs            map[string]any
	ExecutesNothing   bool                   // nothing is executed: a person decides instead
	Answers           engine.PreparedAnswers // in order
	Replies           RepliesAndResults      // of models and tools; no other source is asked
	ExpectedResult    plan.RunResult         // the expected result; empty: not compared
	ExpectedPath      []string               // the expected labels, in order; nil: not compared
	ExpectedVariables map[string]any         // the expected values, each compared by itself
	SkipReason        string                 // why it is not run
	InvalidReason     string                 // why it cannot be run; it counts as failed
	NameLine          int                    // the line of its name in a file of scenarios
}

// scenariosInDocument returns the scenarios in the document itself.
func scenariosInDocument(p *plan.Plan) []Scenario {
	out := make([]Scenario, 0, len(p.Scenarios))
	for _, d := range p.Scenarios {
		s := Scenario{Name: d.Name, ExecutesNothing: d.ExecutesNothing, ExpectedResult: d.Result, SkipReason: d.SkipReason, InvalidReason: d.InvalidReason}
		for _, item := range d.Decisions {
			s.Answers.Queue = append(s.Answers.Queue, engine.PreparedAnswer{Value: item, PreparedBy: machine.ByFile})
		}
		out = append(out, s)
	}
	return out
}

// ExecutesCommands reports whether the scenario executes the document's commands.
func (s Scenario) ExecutesCommands() bool {
	return !s.ExecutesNothing && s.SkipReason == "" && s.InvalidReason == ""
}

// statusWithoutRun returns the status of a scenario that is not run, and why it is not. It returns "" for one that can
// be run.
func (s Scenario) statusWithoutRun(p *plan.Plan) (status, reason string) {
	if s.SkipReason != "" {
		return StatusSkipped, s.SkipReason
	}
	reason = s.InvalidReason
	if reason == "" {
		reason = s.invalidInputReason(p)
	}
	if reason != "" {
		return StatusFail, "scenario-invalid: " + reason
	}
	return "", ""
}

// invalidInputReason returns which of the scenario's inputs is not an input of the document, or has no
// value.
func (s Scenario) invalidInputReason(p *plan.Plan) string {
	for _, name := range sortedKeys(s.Inputs) {
		if !p.AcceptsInput(name) {
			return "the document has no input " + name
		}
	}
	_, missing, err := p.InitialVariables(s.Inputs)
	if err != nil {
		return err.Error()
	}
	for _, in := range missing {
		if !asksForVariable(p, in.Name) {
			return fmt.Sprintf("the input %s has no value: set it in `inputs`", in.Name)
		}
	}
	return ""
}

// asksForVariable reports whether a step asks for a variable without a value, so that an answer can set it.
func asksForVariable(p *plan.Plan, name string) bool {
	found := false
	p.Walk(func(s, _ *plan.Step) bool {
		for _, a := range s.Actions {
			ask, _ := a.Work.(plan.Ask)
			found = found || ask.OnlyMissingFields && slices.ContainsFunc(ask.Fields, func(f plan.Field) bool { return f.Name == name })
		}
		return !found
	})
	return found
}
