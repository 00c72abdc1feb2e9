package track

import (
	"testing"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// doubtful is a Judge that leaves every outcome undecided, with two checks.
type doubtful struct{}

func (doubtful) Judge(p plan.Product, _ plan.Scope) plan.Verdict {
	checks := []plan.Check{{Text: "it is new", Verdict: plan.Failed, Detail: p.Stdout}, {Text: "it is whole", Verdict: plan.Unverified}}
	return plan.Verdict{Outcome: plan.Outcome{Result: plan.Undecided, Reason: "is it?", Checks: checks}}
}

// TestChecks: the checks of an outcome show while it is undecided and after an override, and are gone in the next
// attempt.
func TestChecks(t *testing.T) {
	step := &plan.Step{ID: "1", Routes: defaults(), Actions: []plan.Action{{Work: plan.Command{Shell: "sh", Text: plan.Literal("date")}, Judge: doubtful{}}}}
	d := &driver{t: t, m: machine.New(&plan.Plan{Steps: []*plan.Step{step}}, machine.Options{}), track: New(&plan.Plan{Steps: []*plan.Step{step}})}
	has := func(when string, n int) {
		t.Helper()
		if got := d.track.RowByLabel("1").Checks(); len(got) != n || n > 0 && got[0].Detail != "of May" {
			t.Errorf("%s: %+v", when, got)
		}
	}
	d.run("")
	has("before", 0)
	d.apply(d.m.ResultEvent(plan.Product{Stdout: "of May"}))
	d.run("")
	has("held", 2)
	e, err := d.m.AnswerEvent(machine.Answer{Value: "pass", By: machine.ByPerson})
	if err != nil {
		t.Fatal(err)
	}
	d.apply(e)
	d.run("")
	has("accepted", 2)
	if e, err = d.m.OverrideEvent(plan.Failed, ""); err != nil {
		t.Fatal(err)
	}
	d.apply(e)
	has("overridden", 2)
	if e, err = d.m.RetryEvent(""); err != nil {
		t.Fatal(err)
	}
	d.apply(e)
	d.run("")
	has("again", 0)
}
