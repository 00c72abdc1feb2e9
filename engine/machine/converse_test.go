package machine_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// report is a Judge that passes a report, leaves one that is unsure undecided, and asks for one that is missing.
type report struct{}

func (report) Judge(p plan.Product, _ plan.Scope) plan.Verdict {
	v := plan.Verdict{Outcome: plan.Outcome{Result: plan.Failed, Reason: "no report"}, RejectionReply: "report, please"}
	for _, c := range p.ToolCalls {
		switch {
		case c.Name != "done":
			return v
		case strings.Contains(c.Arguments, "unsure"):
			return plan.Verdict{Outcome: plan.Outcome{Result: plan.Undecided, Reason: "unsure"}, Assignments: []plan.Assignment{{Name: "x", Value: "1"}}}
		default:
			return plan.Verdict{Outcome: plan.Outcome{Result: plan.Passed}}
		}
	}
	return v
}

// looping returns a plan of one step whose model may call tools until it reports.
func looping() *plan.Plan {
	return &plan.Plan{
		Format: "test", Path: "loop.md", Entries: []plan.Entry{{Step: "1"}},
		Steps: []*plan.Step{{
			ID: "1", Actions: []plan.Action{{Judge: report{}, Work: plan.Model{
				Prompt: plan.Literal("Find it."), Tools: []plan.Prompt{plan.Literal("search")},
				ReportTool: &plan.OfferedTool{Name: "done"}, Bounds: plan.ConversationBounds{MaxTurns: 4}, MaxReplyRetries: 1,
			}}},
			Routes: []plan.Route{
				{When: plan.Matcher{Result: plan.Passed}, Do: plan.Move{Verb: plan.Continue}},
				{When: plan.Matcher{Result: plan.Failed}, Do: plan.Move{Verb: plan.EndDocument, Result: plan.RunFailed}},
			},
		}},
	}
}

// TestToolLoop: a reply's calls run one by one, then the model is asked again, until
// it reports (workflow.md §6).
func TestToolLoop(t *testing.T) {
	r := start(t, looping(), machine.Options{})
	replies := func(text string, calls ...plan.ToolCall) {
		r.apply(r.m.ResultEvent(plan.Product{Text: text, ToolCalls: calls}))
	}
	first := r.settle().Effect.(*machine.CallModel)
	if first.Prompt != "Find it." || len(first.Tools) != 1 || first.ReportTool.Name != "done" {
		t.Errorf("asked %+v", first)
	}
	replies("looking",
		plan.ToolCall{ID: "a", Name: "search", Tool: "search", Server: "web", Arguments: `{"q":1}`},
		plan.ToolCall{ID: "b", Name: "fly"}, plan.ToolCall{ID: "c", Name: "search", Tool: "search", Arguments: "oops"})
	call := r.settle().Effect.(*machine.CallTool)
	if call.Server != "web" || call.Tool != "search" || call.Args != `{"q":1}` || call.CallID != "a" {
		t.Errorf("called %+v", call)
	}
	r.apply(r.m.ResultEvent(plan.Product{Text: "found"}))
	again := r.settle().Effect.(*machine.CallModel) // the other two need no server
	want := []plan.Message{
		{Role: plan.User, Text: "Find it."}, {Role: plan.Assistant, Text: "looking", ToolCalls: again.EarlierMessages[1].ToolCalls},
		{Role: plan.ToolRole, CallID: "a", Text: "found"},
		{Role: plan.ToolRole, CallID: "b", Text: `error: there is no tool "fly"`},
		{Role: plan.ToolRole, CallID: "c", Text: "error: the arguments are not a JSON object"},
	}
	if diff := cmp.Diff(want, again.EarlierMessages); diff != "" || again.Prompt != "" || len(again.Tools) != 1 {
		t.Errorf("asked again %+v %s", again, diff)
	}
	replies("that is it")
	asked := r.settle().Effect.(*machine.CallModel).EarlierMessages
	if last := asked[len(asked)-1]; last.Role != plan.User || last.Text != "report, please" {
		t.Errorf("a reply without a report is answered with %+v", last)
	}
	replies("", plan.ToolCall{ID: "d", Name: "done", Arguments: `{"status":"passed"}`})
	if end := r.settle().Result; end == nil || end.Result != plan.Completed {
		t.Errorf("ended %+v", end)
	}
}

// filled is the name of a tool with a variable, as the document writes it and with the variable's value.
type filled struct{ source, value string }

func (f filled) Render(s plan.Scope) (plan.Rendered, error) {
	if s == nil {
		return plan.Rendered{Text: f.source}, nil
	}
	return plan.Rendered{Text: f.value}, nil
}

// TestVariableTool: a variable cannot name one of Playhead's own tools, since that tool would be missing from the list
// that a person trusts.
func TestVariableTool(t *testing.T) {
	for _, c := range []struct {
		name    filled
		allowed bool
	}{
		{filled{"local/[T]", "local/Bash"}, false}, {filled{"[T]", "local/Bash"}, false}, {filled{"mcp__local__[T]", "mcp__local__Bash"}, false},
		{filled{"web/[T]", "web/search"}, true}, {filled{"local/Read", "local/Read"}, true},
	} {
		p := looping()
		work := p.Steps[0].Actions[0].Work.(plan.Model)
		work.Tools = []plan.Prompt{c.name}
		p.Steps[0].Actions[0].Work = work
		r := start(t, p, machine.Options{})
		if call := r.settle().Effect.(*machine.CallModel); (call.ToolNameProblem == "") != c.allowed {
			t.Errorf("%s: %q", c.name.source, call.ToolNameProblem)
		}
	}
}

// TestLoopLimits: the model is asked once more for a missing report, and a conversation ends after its maximal number
// of turns.
func TestLoopLimits(t *testing.T) {
	for name, reply := range map[string]plan.Product{
		"no report": {Text: "hm"},
		"turns":     {ToolCalls: []plan.ToolCall{{ID: "a", Name: "fly"}}},
	} {
		r := start(t, looping(), machine.Options{})
		asked := 0
		for r.settle().Effect != nil {
			asked++
			r.apply(r.m.ResultEvent(reply))
		}
		want := map[string]int{"no report": 2, "turns": 4}[name]
		if end := r.m.Result(); end.Result != plan.RunFailed || asked != want {
			t.Errorf("%s: %d times asked, ended %+v", name, asked, end)
		}
	}
}

// TestHeld: an undecided outcome waits for a person, and counts as failed when nobody is there (workflow.md §7).
func TestHeld(t *testing.T) {
	for answer, want := range map[string]plan.RunResult{"pass": plan.Completed, "fail": plan.RunFailed} {
		r := start(t, looping(), machine.Options{})
		r.settle()
		r.apply(r.m.ResultEvent(plan.Product{ToolCalls: []plan.ToolCall{{ID: "a", Name: "done", Arguments: "unsure"}}}))
		q := r.settle().Question
		if q == nil || q.Kind != machine.KindAcceptOutcome || q.Prompt != "unsure" || q.IfUnattended != plan.FailUnattended {
			t.Fatalf("asks %+v", q)
		}
		e, err := r.m.AnswerEvent(machine.Answer{Value: answer, By: machine.ByPerson})
		if err != nil {
			t.Fatal(err)
		}
		r.apply(e)
		end := r.settle().Result
		if end == nil || end.Result != want || (end.Variables["x"] != nil) != (answer == "pass") {
			t.Errorf("%s: ended %+v", answer, end)
		}
	}
}

// TestBounds: the document limits a conversation and its calls; limits of the run take precedence. Without either, the usual
// limits apply (workflow.md §6).
func TestBounds(t *testing.T) {
	for name, c := range map[string]struct{ own, run, want plan.ConversationBounds }{
		"none":         {plan.ConversationBounds{}, plan.ConversationBounds{}, plan.ConversationBounds{MaxTurns: 30, CallTimeout: 2 * time.Minute}},
		"the document": {plan.ConversationBounds{MaxTurns: 2, CallTimeout: time.Second, MaxResultChars: 3}, plan.ConversationBounds{}, plan.ConversationBounds{MaxTurns: 2, CallTimeout: time.Second, MaxResultChars: 3}},
		"the run":      {plan.ConversationBounds{MaxTurns: 2, CallTimeout: time.Second, MaxResultChars: 3}, plan.ConversationBounds{MaxTurns: 4, CallTimeout: time.Minute, MaxResultChars: 5}, plan.ConversationBounds{MaxTurns: 4, CallTimeout: time.Minute, MaxResultChars: 5}},
	} {
		p := looping()
		w := p.Steps[0].Actions[0].Work.(plan.Model)
		w.Bounds = c.own
		p.Steps[0].Actions[0].Work = w
		r := start(t, p, machine.Options{ConversationBounds: c.run})
		turns, told := 0, "äöü and more"
		for n := r.settle(); n.Effect != nil; n = r.settle() {
			if call, ok := n.Effect.(*machine.CallTool); ok {
				if call.Timeout != c.want.CallTimeout {
					t.Errorf("%s: a call may take %s, want %s", name, call.Timeout, c.want.CallTimeout)
				}
				r.apply(r.m.ResultEvent(plan.Product{Text: told}))
				continue
			}
			if said := n.Effect.(*machine.CallModel).EarlierMessages; c.want.MaxResultChars > 0 && turns > 0 {
				want := string([]rune(told)[:c.want.MaxResultChars]) + fmt.Sprintf("\n[cut after %d of %d characters]", c.want.MaxResultChars, len([]rune(told)))
				if got := said[len(said)-1].Text; got != want {
					t.Errorf("%s: the model is told %q, want %q", name, got, want)
				}
			}
			turns++
			r.apply(r.m.ResultEvent(plan.Product{ToolCalls: []plan.ToolCall{{ID: "a", Name: "search", Tool: "search"}}}))
		}
		if end := r.m.Result(); turns != c.want.MaxTurns || end.Result != plan.RunFailed {
			t.Errorf("%s: %d replies, want %d; ended %+v", name, turns, c.want.MaxTurns, end)
		}
	}
}

// TestToldOfErrors: when a tool call fails, the model gets the tool's own text in full, or else the reason why there is
// no result (workflow.md §6).
func TestToldOfErrors(t *testing.T) {
	long := strings.Repeat("a line of a trace\n", 500)
	for want, p := range map[string]plan.Product{
		"error: " + long:         {Text: long, Err: "the tool reports an error: a line…"},
		"error: it did not come": {Err: "it did not come"},
	} {
		r := start(t, looping(), machine.Options{})
		r.settle()
		r.apply(r.m.ResultEvent(plan.Product{ToolCalls: []plan.ToolCall{{ID: "a", Name: "search", Tool: "search"}}}))
		r.settle()
		r.apply(r.m.ResultEvent(p))
		said := r.settle().Effect.(*machine.CallModel).EarlierMessages
		if got := said[len(said)-1].Text; got != want {
			t.Errorf("the model is told %.80q of %.80q", got, want)
		}
	}
}

// TestReportBesideCalls: a report beside other calls is rejected; the other calls are made and the model is asked again
// (workflow.md §7). Another attempt starts a new conversation (§6).
func TestReportBesideCalls(t *testing.T) {
	r := start(t, looping(), machine.Options{})
	r.settle()
	r.apply(r.m.ResultEvent(plan.Product{ToolCalls: []plan.ToolCall{{ID: "a", Name: "search", Tool: "search"}, {ID: "d", Name: "done"}}}))
	if call, ok := r.settle().Effect.(*machine.CallTool); !ok || call.CallID != "a" {
		t.Fatalf("then %+v", r.m.Next())
	}
	r.apply(r.m.ResultEvent(plan.Product{Text: "found"}))
	said := r.settle().Effect.(*machine.CallModel).EarlierMessages
	want := []plan.Message{{Role: plan.ToolRole, CallID: "d", Text: "report, please"}, {Role: plan.ToolRole, CallID: "a", Text: "found"}}
	if diff := cmp.Diff(want, said[2:]); diff != "" {
		t.Error(diff)
	}
	r.apply(r.m.ResultEvent(plan.Product{Text: "hm"}))
	if end := r.settle().Result; end == nil || end.Result != plan.RunFailed {
		t.Fatalf("after two replies without a valid report: %+v", r.m.Next())
	}
	e, err := r.m.RetryEvent("")
	if err != nil {
		t.Fatal(err)
	}
	r.apply(e)
	if call := r.settle().Effect.(*machine.CallModel); len(call.EarlierMessages) > 0 || call.Prompt != "Find it." || call.Action.Attempt != 2 {
		t.Errorf("the next attempt asks %+v", call)
	}
}
