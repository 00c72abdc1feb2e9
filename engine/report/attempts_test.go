package report

import (
	"testing"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// TestSharedLabel: steps of a playbook with the same number share a label, but not their attempts.
func TestSharedLabel(t *testing.T) {
	events := []machine.Event{{Body: &machine.RunStarted{}}}
	for _, id := range []string{"", "2~2"} {
		events = append(events,
			machine.Event{Step: "2", ExplicitStepID: id, Attempt: 1, Body: &machine.StepEntered{}},
			machine.Event{Step: "2", ExplicitStepID: id, Attempt: 1, Body: &machine.StepFinished{Result: plan.Passed}})
	}
	for i := range events {
		events[i].Seq = i + 1
	}
	r := Build(Source{Events: events, Plan: &plan.Plan{Steps: []*plan.Step{{ID: "2"}, {ID: "2~2", Label: plan.Literal("2")}}}})
	for i, s := range r.Steps {
		if len(s.Attempts) != 1 || s.Attempts[0].EntrySeq != 2+2*i {
			t.Errorf("step %d has the attempts %+v", i, s.Attempts)
		}
	}
}
