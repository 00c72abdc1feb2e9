package track

import (
	"strings"
	"testing"

	"playhead/engine/machine"
	"playhead/parse/plan"
	"playhead/parse/playbook"
)

// TestWarned: a step is marked by warnings, and one that is run again has those of its
// last visit alone.
func TestWarned(t *testing.T) {
	rated := strings.Replace(branching, "(severity)", `(severity: enum, "low", "minor")`, 1)
	p := playbook.Parse("triage.playbook.md", []byte(rated), playbook.Options{})
	d := driver{t: t, m: machine.New(p, machine.Options{}), track: New(p)}
	d.run("")
	d.apply(d.m.ResultEvent(plan.Product{Text: "high"}))
	d.run("")
	one := d.track.RowByLabel("1")
	if !one.HasWarnings() || len(one.Warnings) != 1 {
		t.Errorf("warnings %+v", one.Warnings)
	}
	if c, _ := d.track.RowByLabel("2b").ArmDecision(); c == nil || c.Candidates[0].Reason.ComparisonText() != `severity = "high" (the value is not one of low, minor)` {
		t.Errorf("decided %+v", c)
	}
	e, err := d.m.JumpEvent("1", "")
	if err != nil {
		t.Fatal(err)
	}
	d.apply(e)
	d.run("")
	d.apply(d.m.ResultEvent(plan.Product{Text: "minor"}))
	d.run("")
	if one.HasWarnings() || len(one.Warnings) != 0 {
		t.Errorf("warnings %+v", one.Warnings)
	}
	if c, _ := d.track.RowByLabel("2b").ArmDecision(); c == nil || c.Candidates[0].Reason.ComparisonText() != `severity = "minor"` {
		t.Errorf("decided %+v", c)
	}
}
