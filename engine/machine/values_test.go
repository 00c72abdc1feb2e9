package machine_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// sets is a Judge that takes a report's arguments as the result, and sets x.
type sets struct{}

func (sets) Judge(p plan.Product, _ plan.Scope) plan.Verdict {
	return plan.Verdict{
		Outcome:     plan.Outcome{Result: plan.Result(p.ToolCalls[0].Arguments), Data: map[string]any{"said": "much"}},
		Assignments: []plan.Assignment{{Name: "x", Value: "new"}},
	}
}

// TestOverride: an override of an outcome also decides whether its values are set (workflow.md §8). It can replace an
// earlier override, and can come before or after the end of the run.
func TestOverride(t *testing.T) {
	for _, tt := range []struct {
		name, reported string
		before         any // the value of x before the step
		words          []plan.Result
		want           any // the value of x at the end; nil: none
		result         plan.RunResult
	}{
		{"passes", "pass", nil, nil, "new", plan.Completed},
		{"fails", "fail", nil, nil, nil, plan.RunFailed},
		{"failed, passed", "fail", nil, []plan.Result{plan.Passed}, "new", plan.Completed},
		{"failed, passed, over another", "fail", "old", []plan.Result{plan.Passed}, "new", plan.Completed},
		{"failed, skipped", "fail", nil, []plan.Result{plan.Skipped}, nil, plan.Completed},
		{"failed, skipped, passed", "fail", nil, []plan.Result{plan.Skipped, plan.Passed}, "new", plan.Completed},
		{"passed, failed", "pass", nil, []plan.Result{plan.Failed}, nil, plan.RunFailed},
		{"passed, failed, over another", "pass", "old", []plan.Result{plan.Failed}, "old", plan.RunFailed},
		{"passed, failed, passed", "pass", "old", []plan.Result{plan.Failed, plan.Passed}, "new", plan.Completed},
		{"failed, passed, failed", "fail", "old", []plan.Result{plan.Passed, plan.Failed}, "old", plan.RunFailed},
		{"held, passed", "held", nil, []plan.Result{plan.Passed}, "new", plan.Completed},
		{"held, failed", "held", nil, []plan.Result{plan.Failed}, nil, plan.RunFailed},
		{"held, failed, passed", "held", nil, []plan.Result{plan.Failed, plan.Passed}, "new", plan.Completed},
		{"held, skipped", "held", "old", []plan.Result{plan.Skipped}, "old", plan.Completed},
	} {
		p := looping()
		p.Steps[0].Actions[0].Judge = sets{}
		m := machine.New(p, machine.Options{})
		first := *m.Next().Event
		if tt.before != nil {
			first.Body.(*machine.RunStarted).Inputs = map[string]any{"x": tt.before}
		}
		r := &run{t: t, m: m}
		r.apply(first)
		r.settle()
		r.apply(r.m.ResultEvent(plan.Product{ToolCalls: []plan.ToolCall{{ID: "a", Name: "done", Arguments: tt.reported}}}))
		for _, word := range tt.words {
			r.settle()
			e, err := r.m.OverrideEvent(word, "I looked")
			if err != nil {
				t.Fatal(tt.name, err)
			}
			o := e.Body.(*machine.StepFinished).Outcome
			if diff := cmp.Diff(map[string]any{"said": "much"}, o.Data); diff != "" || !o.Overridden || o.Source != "person" {
				t.Errorf("%s: the report is lost: %+v", tt.name, o)
			}
			r.apply(e)
		}
		end := r.settle().Result
		if end == nil || end.Result != tt.result || end.Variables["x"] != tt.want {
			t.Errorf("%s: ended %+v", tt.name, end)
		}
		if _, has := end.Variables["x"]; has && tt.want == nil {
			t.Errorf("%s: x is withdrawn but still set", tt.name)
		}
	}
}

// TestOverrideAsEdited: the values of a report are withheld until an override sets them, as reported or as a person
// edited them (workflow.md §8).
func TestOverrideAsEdited(t *testing.T) {
	edits := func(value any) []plan.Assignment { return []plan.Assignment{{Name: "x", Value: value}} }
	for _, tt := range []struct {
		name, reported string
		set            []plan.Assignment
		want           any
	}{
		{"failed", "fail", edits("mine"), "mine"},
		{"failed, as it is", "fail", nil, "new"},
		{"failed, taken out", "fail", edits(nil), nil},
		{"held", "held", edits("mine"), "mine"},
		{"held, as it is", "held", nil, "new"},
	} {
		p := looping()
		p.Steps[0].Actions[0].Judge = sets{}
		r := start(t, p, machine.Options{})
		r.settle()
		if set := r.m.WithheldValues(); set != nil {
			t.Errorf("%s: before the report, the withheld values are %v", tt.name, set)
		}
		r.apply(r.m.ResultEvent(plan.Product{ToolCalls: []plan.ToolCall{{ID: "a", Name: "done", Arguments: tt.reported}}}))
		next := r.settle()
		if diff := cmp.Diff(edits("new"), r.m.WithheldValues()); diff != "" {
			t.Errorf("%s: withheld:\n%s", tt.name, diff)
		}
		var e machine.Event
		var err error
		if next.Question != nil {
			e, err = r.m.AnswerEvent(machine.Answer{Value: "pass", By: machine.ByPerson, Assignments: tt.set})
		} else {
			e, err = r.m.OverrideEvent(plan.Passed, "", tt.set...)
		}
		if err != nil {
			t.Fatal(tt.name, err)
		}
		r.apply(e)
		if end := r.settle().Result; end == nil || end.Variables["x"] != tt.want || r.m.WithheldValues() != nil {
			t.Errorf("%s: ended %+v, withheld %v", tt.name, end, r.m.WithheldValues())
		}
	}
}

// TestAccepted: accepting an undecided outcome is an override; the report's data stays.
func TestAccepted(t *testing.T) {
	for answer, forced := range map[string]bool{"pass": true, "fail": false} {
		p := looping()
		p.Steps[0].Actions[0].Judge = sets{}
		r := start(t, p, machine.Options{})
		r.settle()
		r.apply(r.m.ResultEvent(plan.Product{ToolCalls: []plan.ToolCall{{ID: "a", Name: "done", Arguments: "held"}}}))
		r.feed(answer)
		for _, e := range r.events {
			b, ok := e.Body.(*machine.StepFinished)
			if ok && (b.Overridden != forced || b.Outcome.Data["said"] != "much") {
				t.Errorf("%s: %+v", answer, b)
			}
		}
	}
}
