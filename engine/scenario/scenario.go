// Package scenario runs the scenarios that come with a document and measures
// which of its routes they take.
//
// A scenario is a run with its answers written down beforehand: in the document,
// from which the format's parser takes it, or for any format in a file beside it
// (sidecar.go). Each is a run of its own, in an empty directory, with a fresh
// journal that is thrown away; only what is executed is real. While it runs,
// blocks find a command rd first on their PATH (rd.go).
//
// Loading documents, and asking whether they may run commands, is the caller's.
package scenario

import (
	"fmt"

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
	Said      Said           // by models and tools
	Result    plan.RunResult // how it must end; empty: not compared
	Path      []string       // the labels entered; nil: not compared
	Variables map[string]any // compared one by one
	Skip      string         // why it is not run
	Invalid   string         // why it cannot be run, and fails
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
	switch {
	case s.Skip != "":
		return Skipped, s.Skip
	case s.Invalid != "":
		return Fail, "scenario-invalid: " + s.Invalid
	}
	for _, name := range sortedKeys(s.Inputs) {
		if !p.OpenInputs && !hasInput(p, name) {
			return Fail, fmt.Sprintf("scenario-invalid: the document has no input %s", name)
		}
	}
	return "", ""
}

// values are what variables start with: the scenario's inputs, else defaults.
func (s Scenario) values(p *plan.Plan) map[string]any {
	out := map[string]any{}
	for _, in := range p.Inputs {
		if in.Default != "" {
			out[in.Name] = in.Default
		}
	}
	for name, value := range s.Inputs {
		out[name] = plan.TextOf(value)
	}
	return out
}

func hasInput(p *plan.Plan, name string) bool {
	for _, in := range p.Inputs {
		if in.Name == name {
			return true
		}
	}
	return false
}
