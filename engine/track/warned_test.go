package track

import (
	"strings"
	"testing"

	"playhead/engine/machine"
	"playhead/parse/plan"
	"playhead/parse/playbook"
)

// TestWarned: a step shows the warnings of its last attempt only.
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

// TestLimitsUsedText: limits that a person marked as used are named after what the step limits. Old journals do not say
// what that is.
func TestLimitsUsedText(t *testing.T) {
	for what, budgets := range map[string][]string{"retries": nil, "iterations": {"repeat"}, "retries and iterations": {"repeat", "retry"}} {
		e := machine.Event{Step: "1", Body: &machine.LimitsUsed{Budgets: budgets}}
		if got, want := DescribeEvent(e), "all "+what+" marked as used"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if got, want := InterventionText(e), "marking all "+what+" of step 1 as used"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
