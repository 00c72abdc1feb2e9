package machine_test

import (
	"encoding/json"
	"testing"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// needing returns a plan of one step that asks for values that are missing, then asks a model.
func needing() *plan.Plan {
	p := looping()
	p.Steps[0].Actions = append([]plan.Action{{Work: plan.Ask{
		Fields: []plan.Field{{Name: "a", Type: "input"}, {Name: "b", Type: "input"}}, OnlyMissingFields: true, Unattended: plan.FailUnattended,
	}}}, p.Steps[0].Actions...)
	return p
}

// TestMissing: a step asks for its inputs that have no value, and for nothing else
// (workflow.md §4).
func TestMissing(t *testing.T) {
	for _, c := range []struct {
		inputs map[string]any
		want   []string
	}{
		{map[string]any{"a": "", "b": "x"}, nil},
		{map[string]any{"a": nil, "b": "x"}, []string{"a"}},
		{nil, []string{"a", "b"}},
	} {
		r := start(t, needing(), machine.Options{})
		for name, value := range c.inputs {
			e, err := r.m.SetVariableEvent(name, value)
			if err != nil {
				t.Fatal(err)
			}
			r.apply(e)
		}
		var asked []string
		for q := r.settle().Question; q != nil; q = r.settle().Question {
			asked = append(asked, q.Field.Name)
			e, err := r.m.AnswerEvent(machine.Answer{Value: "v", By: machine.ByPerson})
			if err != nil {
				t.Fatal(err)
			}
			r.apply(e)
		}
		if len(asked) != len(c.want) || len(asked) > 0 && asked[0] != c.want[0] || r.settle().Effect == nil {
			t.Errorf("%v: asked for %v, want %v", c.inputs, asked, c.want)
		}
	}
}

// TestNobodyToAsk: when nobody is there to answer, the step fails, with a warning for each missing value.
func TestNobodyToAsk(t *testing.T) {
	r := start(t, needing(), machine.Options{})
	r.settle()
	e, err := r.m.AnswerEvent(machine.Answer{Value: "fail", By: machine.ByAuto})
	if err != nil {
		t.Fatal(err)
	}
	if body := e.Body.(*machine.InputGiven); len(body.Warnings) != 2 || body.Warnings[1].Code != "test/missing-value" || len(body.Assignments) > 0 {
		t.Errorf("%+v", body)
	}
	r.apply(e)
	if end := r.settle().Result; end == nil || end.Result != plan.RunFailed {
		t.Errorf("ended %+v", end)
	}
}

// told is a tool's name that says whether a person gave the variable x its value.
type told struct{}

func (told) Render(s plan.Scope) (plan.Rendered, error) {
	if value, _ := s.Var("x"); plan.IsSetByPerson(s, "x") {
		return plan.Rendered{Text: "person " + plan.ValueText(value)}, nil
	}
	return plan.Rendered{Text: "step"}, nil
}

// TestScopeKnowsValuesSetByPerson: a scope knows whether a value came from a person or from a step
// (workflow.md §4), and numbers stay as they were written.
func TestScopeKnowsValuesSetByPerson(t *testing.T) {
	p := looping()
	p.Steps[0].Actions[0].Work.(plan.Model).Tools[0] = told{}
	r := start(t, p, machine.Options{})
	r.settle()
	r.apply(r.m.ResultEvent(plan.Product{ToolCalls: []plan.ToolCall{{Name: "done", Arguments: "unsure"}}}))
	r.settle()
	e, err := r.m.AnswerEvent(machine.Answer{Value: "pass", By: machine.ByPerson})
	if err != nil {
		t.Fatal(err)
	}
	r.apply(e) // accepting the outcome leaves x a value of the step
	r.settle()
	again := func() string {
		e, err := r.m.RetryEvent("")
		if err != nil {
			t.Fatal(err)
		}
		r.apply(e)
		return r.settle().Effect.(*machine.CallModel).Tools[0]
	}
	if got := again(); got != "step" {
		t.Errorf("after the step: %s", got)
	}
	set, err := r.m.SetVariableEvent("x", json.Number("2.50"))
	if err != nil {
		t.Fatal(err)
	}
	r.apply(set)
	if got := again(); got != "person 2.50" {
		t.Errorf("after a person: %s", got)
	}
}

// TestForm: several values that are missing are asked for in one form (workflow.md §4).
func TestForm(t *testing.T) {
	r := start(t, needing(), machine.Options{})
	q := r.settle().Question
	if len(q.Fields) != 2 || q.Fields[1].Name != "b" || q.Field.Name != "a" {
		t.Fatalf("asks %+v", q)
	}
	if _, err := r.m.AnswerEvent(machine.Answer{Fields: []string{"1"}, By: machine.ByPerson}); err == nil {
		t.Error("one value is accepted for two fields")
	}
	e, err := r.m.AnswerEvent(machine.Answer{Fields: []string{"1", "2"}, By: machine.ByPerson})
	if err != nil {
		t.Fatal(err)
	}
	r.apply(e)
	if next := r.settle(); next.Effect == nil {
		t.Errorf("then asks %+v", next.Question)
	}
	end, _ := r.m.EndEvent(plan.Stopped, "", machine.ByPerson)
	if vars := end.Body.(*machine.RunFinished).Variables; vars["a"] != "1" || vars["b"] != "2" {
		t.Errorf("got %v", vars)
	}
}
