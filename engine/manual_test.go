package engine_test

import (
	"strings"
	"testing"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/parse/plan"
)

// short is a form with one field.
type short struct{}

func (short) Fields(plan.Scope) []plan.Field {
	return []plan.Field{{Name: "status", Type: "select", Prompt: plan.Text{{Literal: "x", Variable: "who"}}, Options: []string{"sure", "unsure"}}}
}

func (short) Arguments(_ plan.Scope, answers []string) string {
	return `{"status":"` + answers[0] + `"}`
}

// sure judges a report as passed, and leaves one that is unsure undecided.
type sure struct{}

func (sure) Judge(p plan.Product, _ plan.Scope) plan.Verdict {
	v := plan.Verdict{Outcome: plan.Outcome{Result: plan.Passed, Source: "model"}}
	if strings.Contains(p.ToolCalls[0].Arguments, "unsure") {
		v.Outcome = plan.Outcome{Result: plan.Undecided, Source: "model", Reason: "unsure"}
	}
	return v
}

// TestReportByHand: a person fills in the report in the model's place, and can fill it in again while its outcome waits
// to be accepted (workflow.md §6, §8).
func TestReportByHand(t *testing.T) {
	p := searching("web/search")
	work := p.Steps[0].Actions[0].Work.(plan.Model)
	work.ReportTool.Form = short{}
	p.Steps[0].Actions[0].Judge = sure{}
	l := steer(t, find(t, p, looksUp(), &shelf{}, func(c *engine.Config) {
		c.Headless, c.FirstReplySourceName, c.Inputs = false, "manual", map[string]any{"who": "Ann"}
	}))
	if q := l.waiting("1", machine.KindReply); len(q.Fields) != 1 || plan.SourceText(q.Fields[0].Prompt) != "Ann" {
		t.Fatalf("asks %+v", q)
	}
	if err := l.s.Answer(machine.Answer{Fields: []string{"sure", "and more"}, By: machine.ByPerson}); err == nil {
		t.Error("a report with too many fields is accepted")
	}
	l.do(l.s.Answer(machine.Answer{Fields: []string{"unsure"}, By: machine.ByPerson}))
	if q := l.waiting("1", machine.KindAcceptOutcome); q.Prompt != "unsure" {
		t.Errorf("asks %+v", q)
	}
	l.do(l.s.TakeOverReply(true))
	l.waiting("1", machine.KindReply)
	l.do(l.s.Answer(machine.Answer{Fields: []string{"unsure"}, By: machine.ByPerson}))
	l.waiting("1", machine.KindAcceptOutcome)
	l.do(l.s.TakeOverReply(true))
	l.waiting("1", machine.KindReply)
	l.do(l.s.Answer(machine.Answer{Fields: []string{"sure"}, By: machine.ByPerson}))
	l.over(plan.Completed)
	for _, b := range kindsOf(l.all, "model") {
		if b.Outcome.Source != "person" {
			t.Errorf("judged %+v", b.Outcome)
		}
	}
}

// TestFormsShowNoSecrets: the prompt of a report's field masks a secret's value.
func TestFormsShowNoSecrets(t *testing.T) {
	p := searching("web/search")
	work := p.Steps[0].Actions[0].Work.(plan.Model)
	work.ReportTool.Form = short{}
	l := steer(t, find(t, p, looksUp(), &shelf{}, func(c *engine.Config) {
		c.Headless, c.FirstReplySourceName, c.Inputs, c.Secrets = false, "manual", map[string]any{"who": "hunter2"}, []string{"hunter2"}
	}))
	q := l.waiting("1", machine.KindReply)
	if shown := plan.SourceText(q.Fields[0].Prompt); shown != "•••" {
		t.Errorf("shows %q", shown)
	}
}
