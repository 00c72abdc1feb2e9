package playbook

import "playhead/parse/plan"

// kept is the Judge of a question beside a tool call (spec §5): the answer is
// stored, and the step's output stays what the tool returned.
type kept struct{ Variable string }

// Sets implements plan.Setter.
func (k kept) Sets() []string { return []string{k.Variable} }

// Judge implements plan.Judge.
func (k kept) Judge(p plan.Product, scope plan.Scope) plan.Verdict {
	v := plan.Verdict{Outcome: scope.Outcome(), Set: []plan.Assignment{{Name: k.Variable, Value: p.Text}}}
	v.Result, v.Source = plan.Passed, "answer"
	return v
}
