// Package scenario runs the scenarios that come with a document and measures
// which of its routes they take.
//
// A scenario is a run with its answers written down beforehand: in the document,
// from which the format's parser takes it, or for any format in a file beside it
// (sidecar.go). Each is a run of its own, in an empty directory, with a fresh
// journal that is thrown away; only what is executed is real: no model and no tool
// server is asked, what they say is in the scenario. While it runs,
// blocks find a command rd first on their PATH (rd.go).
//
// Loading documents, and asking whether they may run commands, is the caller's.
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
	Answers   engine.Answers // what is said, in order
	Replies   Replies        // by models and tools; nobody else is asked
	Result    plan.RunResult // how it must end; empty: not compared
	Path      []string       // the labels entered; nil: not compared
	Variables map[string]any // compared one by one
	Skip      string         // why it is not run
	Invalid   string         // why it cannot be run, and fails
	Line      int            // of its name, in a file of scenarios
}

// Declared are the scenarios that the document itself has.
func Declared(p *plan.Plan) []Scenario {
	out := make([]Scenario, 0, len(p.Scenarios))
	for _, d := range p.Scenarios {
		s := Scenario{Name: d.Name, Prompted: d.Prompted, Result: d.Result, Skip: d.Skip, Invalid: d.Invalid}
		for _, item := range d.Decide {
			s.Answers.Queue = append(s.Answers.Queue, engine.Prepared{Value: item, By: machine.ByFile})
		}
		out = append(out, s)
	}
	return out
}

// Executes reports whether a run of the scenario would execute what the document
// has to execute.
func (s Scenario) Executes() bool { return !s.Prompted && s.Skip == "" && s.Invalid == "" }

// refused says why the scenario is not run, and as what it counts.
func (s Scenario) refused(p *plan.Plan) (status, reason string) {
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

// invalidInput says which of its inputs is not one of the document, or has no value.
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

// asksFor reports whether a step asks for a variable that has no value, so that an
// answer can give it one.
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
