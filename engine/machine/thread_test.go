package machine_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// word is a Judge that takes the text of a reply as its intent.
type word struct{}

func (word) Judge(p plan.Product, _ plan.Scope) plan.Verdict {
	return plan.Verdict{Outcome: plan.Outcome{Result: plan.Passed, Intent: p.Text, Text: p.Text}}
}

// validated is a Judge that keeps the step's outcome, and fails it if the command failed.
type validated struct{}

func (validated) Judge(p plan.Product, s plan.Scope) plan.Verdict {
	o := s.Outcome()
	if p.ExitCode != 0 {
		o.Result = plan.Failed
	}
	return plan.Verdict{Outcome: o}
}

// gated returns a plan of two steps in one conversation. The second is validated when it wants to close; if that fails,
// the first runs again with another prompt.
func gated() *plan.Plan {
	model := func(prompt string) plan.Action {
		return plan.Action{Work: plan.Model{Prompt: plan.Literal(prompt), Thread: plan.RunThread}, Judge: word{}}
	}
	closing := plan.Matcher{Intent: "closing"}
	return &plan.Plan{
		Format: "test", Path: "gated.json", SystemPrompt: plan.Literal("Be brief."), Entries: []plan.Entry{{Step: "write"}},
		Steps: []*plan.Step{{
			ID: "write", IsTargetOnly: true, Actions: []plan.Action{model("Write.")},
			Routes: []plan.Route{{Do: plan.Move{Verb: plan.Goto, To: plan.Target{Step: "close"}, RemembersCaller: true}}},
		}, {
			ID: "close", IsTargetOnly: true,
			Actions: []plan.Action{model("Close?"), {
				Work:  plan.Command{Shell: "sh", Text: plan.Literal("grep TODO"), UsesPipes: true},
				Judge: validated{}, If: closing,
			}},
			Routes: []plan.Route{
				{When: plan.Matcher{Intent: "closing", Result: plan.Passed}, Do: plan.Move{Verb: plan.EndDocument, Result: plan.Completed}},
				{When: closing, Do: plan.Move{
					Verb: plan.Goto, To: plan.Target{IsCaller: true}, NextVisitPrompt: plan.Literal("Write again."),
					Limit:      &plan.Limit{Counter: "close", Max: 1, PerRun: true},
					AfterLimit: &plan.Move{Verb: plan.EndDocument, Result: plan.RunFailed, SourceText: "abort"},
				}},
				{Do: plan.Move{Verb: plan.RunAgain}},
			},
		}},
	}
}

// TestConversation: all calls of a run share one conversation. An action runs only under its condition (§1), and a step
// that another one leads back to gets another prompt (§3).
func TestConversation(t *testing.T) {
	r := start(t, gated(), machine.Options{})
	said := func(reply string) machine.CallModel {
		t.Helper()
		call := r.settle().Effect.(*machine.CallModel)
		r.apply(r.m.ResultEvent(plan.Product{Text: reply}))
		return *call
	}
	if got := said("draft"); len(got.EarlierMessages) != 0 || got.SystemMessage != "Be brief." || got.Prompt != "Write." {
		t.Errorf("the first call: %+v", got)
	}
	if got := said("wait"); got.Prompt != "Close?" { // no command: the condition does not hold
		t.Errorf("the second call: %+v", got)
	}
	said("closing")
	check := r.settle().Effect.(*machine.RunCommand)
	if check.Text != "grep TODO" || check.Action.ActionIndex != 1 || !check.UsesPipes {
		t.Errorf("validated by %+v", check)
	}
	r.apply(r.m.ResultEvent(plan.Product{ExitCode: 1}))
	got := said("better")
	if got.Prompt != "Write again." || got.Action.StepLabel != "write" {
		t.Errorf("after the failure: %+v", got)
	}
	want := []plan.Message{
		{Role: plan.User, Text: "Write."}, {Role: plan.Assistant, Text: "draft"},
		{Role: plan.User, Text: "Close?"}, {Role: plan.Assistant, Text: "wait"},
		{Role: plan.User, Text: "Close?"}, {Role: plan.Assistant, Text: "closing"},
	}
	if diff := cmp.Diff(want, got.EarlierMessages); diff != "" {
		t.Error(diff)
	}
	r.settle()
	r.apply(r.m.ResultEvent(plan.Product{Err: "the server is busy"})) // leaves no message in the conversation
	warned := *r.m.Next().Event
	if w, ok := warned.Body.(*machine.WarningRecorded); !ok || !strings.HasSuffix(w.Code, "/model-failed") {
		t.Errorf("no warning of the failed call: %+v", warned.Body)
	}
	r.apply(warned)
	if n := len(r.m.Clone().Next().Event.Body.(*machine.StepFinished).Error); n == 0 {
		t.Error("the failed call has no reason")
	}
}

// TestBudgetOfTheRun: a new visit does not reset a limit of the run.
func TestBudgetOfTheRun(t *testing.T) {
	r := start(t, gated(), machine.Options{})
	for range 2 {
		for _, reply := range []string{"draft", "closing"} {
			r.settle()
			r.apply(r.m.ResultEvent(plan.Product{Text: reply}))
		}
		r.settle()
		r.apply(r.m.ResultEvent(plan.Product{ExitCode: 1}))
	}
	if end := r.settle().Result; end == nil || end.Result != plan.RunFailed {
		t.Errorf("ended %+v", end)
	}
}
