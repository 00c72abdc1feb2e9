package journal

import (
	"os"
	"strings"
	"testing"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// TestRunsOfVersion: RunsOfVersion finds the runs of a document's current version, and counts those of other versions.
func TestRunsOfVersion(t *testing.T) {
	s, first := newRun(t)
	p := document("/srv/books/release.runbook.md")
	for _, change := range []func(*plan.Plan){
		func(p *plan.Plan) { p.Source = []byte("# Release\n\n## 1. Stay\n") },
		func(p *plan.Plan) { p.Path = "/srv/books/other.runbook.md" },
	} {
		other := *p
		change(&other)
		if _, err := s.Create(&other, "/srv"); err != nil {
			t.Fatal(err)
		}
	}
	second := create(t, s)
	if err := os.Chtimes(second.eventsPath(), start, start); err != nil {
		t.Fatal(err)
	}
	got, others, err := s.RunsOfVersion("/srv/books/release.runbook.md", p)
	if err != nil || others != 1 || len(got) != 2 || got[0].ID() != first.ID() || got[1].ID() != second.ID() {
		t.Errorf("%v, %d others, %v", got, others, err)
	}
}

// TestDecisions: DecisionEvents returns the events that show the path of a run, even if the journal is torn at its end
// or damaged.
func TestDecisions(t *testing.T) {
	_, r := newRun(t)
	long := &plan.Outcome{Result: plan.Passed, Text: strings.Repeat("routed ", 20<<10)}
	record(t, r, started(), &machine.StepEntered{}, &machine.StepFinished{Outcome: long}, &machine.Decision{Outcome: long, Candidates: []machine.Candidate{}},
		&machine.ChildEntered{Label: "1/child"}, finished(plan.Completed))
	for _, tail := range []string{"", `{"seq":7,"type":"routed`, "\nno event, routed\n"} {
		file, err := os.OpenFile(r.eventsPath(), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.WriteString(tail); err != nil {
			t.Fatal(err)
		}
		_ = file.Close()
		kinds := ""
		for _, e := range r.DecisionEvents() {
			kinds += e.Body.Type() + " "
		}
		if kinds != "routed child.entered " {
			t.Errorf("%q: %s", tail, kinds)
		}
	}
}
