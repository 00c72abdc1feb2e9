// Package scenario runs the scenarios of a document and measures which of its routes they take.
//
// A scenario is a run whose answers are written down in advance: in the document, where the
// format's parser finds them, or for any format in a file beside it (sidecar.go). Each is a
// separate run in an empty directory, with a temporary journal. Commands are executed, but no model
// and no tool server is asked, because their replies are in the scenario. Code blocks find a
// command rd first on their PATH (rd.go).
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
	Name      string
	Inputs    map[string]any
	Prompted  bool           // nothing is executed: a person decides instead
	Answers   engine.Answers // in order
	Replies   Replies        // of models and tools; no other source is asked
	Result    plan.RunResult // the expected result; empty: not compared
	Path      []string       // the expected labels, in order; nil: not compared
	Variables map[string]any // the expected values, each compared by itself
	Skip      string         // why it is not run
	Invalid   string         // why it cannot be run; it counts as failed
	Line      int            // of its name in a file of scenarios
}

// InDocument returns the scenarios in the document itself.
func InDocument(p *plan.Plan) []Scenario {
	out := make([]Scenario, 0, len(p.Scenarios))
	for _, d := range p.Scenarios {
		s := Scenario{Name: d.Name, Prompted: d.Prompted, Result: d.Result, Skip: d.Skip, Invalid: d.Invalid}
		for _, item := range d.Decide {
			s.Answers.Queue = append(s.Answers.Queue, engine.PreparedAnswer{Value: item, By: machine.ByFile})
		}
		out = append(out, s)
	}
	return out
}

// Executes reports whether the scenario executes the document's commands.
func (s Scenario) Executes() bool { return !s.Prompted && s.Skip == "" && s.Invalid == "" }

// skipReason returns why the scenario is not run, and the status that it gets.
func (s Scenario) skipReason(p *plan.Plan) (status, reason string) {
	if s.Skip != "" {
		return Skipped, s.Skip
	}
	reason = s.Invalid
	if reason == "" {
		reason = s.invalidInput(p)
	}
	if reason != "" {
		return Fail, "scenario-invalid: " + reason
	}
	return "", ""
}

// invalidInput returns which of the scenario's inputs is not an input of the document, or has no
// value.
func (s Scenario) invalidInput(p *plan.Plan) string {
	for _, name := range sortedKeys(s.Inputs) {
		if !p.HasInput(name) {
			return "the document has no input " + name
		}
	}
	_, missing, err := p.Fill(s.Inputs)
	if err != nil {
		return err.Error()
	}
	for _, in := range missing {
		if !asksFor(p, in.Name) {
			return fmt.Sprintf("input %s has no value: add it to inputs", in.Name)
		}
	}
	return ""
}

// asksFor reports whether a step asks for a variable without a value, so that an answer can set it.
func asksFor(p *plan.Plan, name string) bool {
	found := false
	p.Walk(func(s, _ *plan.Step) bool {
		for _, a := range s.Actions {
			ask, _ := a.Work.(plan.Ask)
			found = found || ask.Missing && slices.ContainsFunc(ask.Fields, func(f plan.Field) bool { return f.Name == name })
		}
		return !found
	})
	return found
}
