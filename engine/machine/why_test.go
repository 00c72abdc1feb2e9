package machine_test

import (
	"errors"
	"strings"
	"testing"

	"playhead/engine/machine"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// telling is a Judge that describes how it read a reply.
type telling struct{}

func (telling) Judge(p plan.Product, _ plan.Scope) plan.Verdict {
	return plan.Verdict{Outcome: plan.Outcome{Result: plan.Passed, Intent: p.Text, Text: p.Text, Reading: &plan.Reading{AbnormalEnd: "said " + p.Text}}}
}

// sourced is a Prompt that comes from a file.
type sourced struct{}

func (sourced) Render(plan.Scope) (plan.Rendered, error) {
	return plan.Rendered{Text: "Go on.", Origin: plan.PromptOrigin{From: "b.md", SearchedPaths: []string{"a.md", "b.md"}}}, nil
}

// TestWordsOfTheFormat: the reason of a decision gives the Judge's reading of the reply, the used budget and the
// destination. A step that leads to itself keeps its caller.
func TestWordsOfTheFormat(t *testing.T) {
	on := func(intent string, m plan.Move) plan.Route {
		return plan.Route{When: plan.Matcher{Intent: intent}, Do: m}
	}
	model := []plan.Action{{Work: plan.Model{Prompt: sourced{}, Thread: plan.RunThread}, Judge: telling{}}}
	r := start(t, &plan.Plan{Format: "test", Steps: []*plan.Step{
		{ID: "a", IsTargetOnly: true, Actions: model, Routes: []plan.Route{on("go", plan.Move{Verb: plan.Goto, To: plan.Target{Step: "b"}, RemembersCaller: true})}},
		{ID: "b", IsTargetOnly: true, Actions: model, Routes: []plan.Route{
			on("self", plan.Move{Verb: plan.Goto, To: plan.Target{Step: "b"}}),
			on("back", plan.Move{Verb: plan.Goto, To: plan.Target{IsCaller: true}, NextVisitPrompt: sourced{}, Limit: &plan.Limit{Counter: "b", Max: 2, PerRun: true}}),
			on("done", plan.Move{Verb: plan.EndDocument, Result: plan.Completed}),
		}},
	}}, machine.Options{})
	for _, reply := range []string{"go", "self", "back", "go", "done"} {
		r.settle()
		r.apply(r.m.ResultEvent(plan.Product{Text: reply}))
	}
	r.settle()
	var got []string
	for _, e := range r.events {
		switch b := e.Body.(type) {
		case *machine.Decision:
			got = append(got, wording.CandidateReason(b, *b.CandidateIndex))
		case *machine.ActionStarted:
			if b.From != "b.md" || len(b.SearchedPaths) != 2 {
				t.Errorf("the prompt came from %+v", b.PromptOrigin)
			}
		}
	}
	want := "said go → b|said self → b|said back, retry 1/2 → a|said go → b|said done; end"
	if text := strings.Join(got, "|"); text != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
}

// broken is a Prompt that cannot be rendered.
type broken struct{}

func (broken) Render(plan.Scope) (plan.Rendered, error) {
	return plan.Rendered{}, errors.New("there is no version")
}

// TestArgumentsThatAreMissing: a command whose arguments cannot be rendered does not run.
func TestArgumentsThatAreMissing(t *testing.T) {
	r := start(t, &plan.Plan{Format: "test", Steps: []*plan.Step{{
		ID:      "a",
		Actions: []plan.Action{{Work: plan.Command{Argv: []plan.Prompt{plan.Literal("echo"), broken{}}, UsesPipes: true}}},
		Routes:  []plan.Route{{When: plan.Matcher{Result: plan.Errored}, Do: plan.Move{Verb: plan.EndDocument, Result: plan.RunFailed, Message: plan.Literal("over")}}},
	}}}, machine.Options{})
	r.feed()
	if result, message := r.result(); result != plan.RunFailed || message != "over" {
		t.Errorf("%s: %s", result, message)
	}
}
