package report

import (
	"strings"
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

// TestFinalOutputOfDeletedStep: no report names a step for an output of a step that the document no longer has.
func TestFinalOutputOfDeletedStep(t *testing.T) {
	r := emptyReport()
	r.Output = &Output{Type: "json"}
	html, err := r.HTML()
	if err != nil {
		t.Fatal(err)
	}
	data, err := r.JSON()
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{string(r.Markdown()): "\n\n`json`\n\n", string(html): ">json</p>", string(data): "\"output\": {\n    \"type\": \"json\",\n    \"output\""} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in:\n%s", want, text)
		}
	}
}
