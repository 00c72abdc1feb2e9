package engine_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/tools"
	"playhead/parse/plan"
)

// shelf is a set of tool servers that answers at once and records the calls.
type shelf struct {
	broken error
	called []tools.Request
}

func (s *shelf) Tools(context.Context, func(string)) ([]tools.Tool, error) {
	return []tools.Tool{{Server: "web", Name: "search", Schema: []byte(`{"type":"object"}`)}}, s.broken
}

func (s *shelf) Call(_ context.Context, q tools.Request, out io.Writer) tools.Result {
	s.called = append(s.called, q)
	_, err := io.WriteString(out, "found it")
	return tools.Result{Text: "found it", Err: err}
}

// script is a model with prepared replies.
type script struct {
	replies []model.Reply
	asked   []model.Request
}

func (s *script) Reply(_ context.Context, q model.Request, out io.Writer) model.Reply {
	s.asked = append(s.asked, q)
	r := s.replies[min(len(s.asked), len(s.replies))-1]
	_, r.Err = io.WriteString(out, r.Text)
	return r
}

// done judges every report as passed.
type done struct{}

func (done) Judge(p plan.Product, _ plan.Scope) plan.Verdict {
	return plan.Verdict{Outcome: plan.Outcome{Result: plan.Passed, Text: p.ToolCalls[0].Arguments}}
}

// searching returns a plan of one step whose model may call the named tools until it reports.
func searching(names ...string) *plan.Plan {
	work := plan.Model{Prompt: plan.Literal("Find it."), ReportTool: &plan.OfferedTool{Name: "done"}, Bounds: plan.ConversationBounds{MaxTurns: 9}}
	for _, name := range names {
		work.Tools = append(work.Tools, plan.Literal(name))
	}
	return &plan.Plan{
		Format: "test", Path: "find.md", Entries: []plan.Entry{{Step: "1"}},
		Steps: []*plan.Step{{
			ID: "1", Actions: []plan.Action{{Judge: done{}, Work: work}},
			Routes: []plan.Route{
				{When: plan.Matcher{Result: plan.Passed}, Do: plan.Move{Verb: plan.Continue}},
				{When: plan.Matcher{Result: plan.Failed}, Do: plan.Move{Verb: plan.EndDocument, Result: plan.RunFailed}},
			},
		}},
	}
}

func looksUp() *script {
	call := func(id, name string) model.Reply {
		return model.Reply{WantedCalls: []plan.ToolCall{{ID: id, Name: name, Arguments: `{}`}}}
	}
	return &script{replies: []model.Reply{call("a", "web_search"), call("b", "web_search"), call("c", "done")}}
}

// find returns a session of a new run of a plan such as searching returns.
func find(t *testing.T, p *plan.Plan, m *script, servers tools.Servers, adjust func(*engine.Config)) *engine.Session {
	return findIn(newFixture(t, "## 1 A\n"), "", p, m, servers, adjust)
}

// findIn is like find, but resumes the run with the given ID if there is one.
func findIn(f *fixture, run string, p *plan.Plan, m *script, servers tools.Servers, adjust func(*engine.Config)) *engine.Session {
	f.plan = p
	return f.session(run, func(c *engine.Config) {
		c.FirstReplySourceName, c.Tools = "script", servers
		c.ReplySources = []model.ReplySourceOption{{Name: "script", Open: func() (model.ReplySource, error) { return m, nil }}}
		if adjust != nil {
			adjust(c)
		}
	})
}

// TestToolsOfAModel: the tools that a step names are offered under valid function names, and called at the server that
// has them (workflow.md §6).
func TestToolsOfAModel(t *testing.T) {
	m, servers := looksUp(), &shelf{}
	end, events := headless(t, find(t, searching("web/search"), m, servers, nil))
	if end.Result != plan.Completed || len(servers.called) != 2 || servers.called[0].Server != "web" || servers.called[0].Tool != "search" {
		t.Fatalf("ended %+v, called %+v", end.RunFinished, servers.called)
	}
	names := []string{}
	for _, f := range m.asked[0].Functions {
		names = append(names, f.Name)
	}
	if !slices.Equal(names, []string{"web_search", "done"}) {
		t.Errorf("offered %v", names)
	}
	if thread := m.asked[2].EarlierMessages; len(thread) != 5 || thread[2].Text != "found it" {
		t.Errorf("told %+v", thread)
	}
	if n := len(kindsOf(events, "tool")); n != 2 {
		t.Errorf("%d calls in the journal", n)
	}
}

// TestToolsOfPreparedReplies: however a step names a tool, a prepared reply calls it at its server and takes a prepared
// result (workflow.md §6).
func TestToolsOfPreparedReplies(t *testing.T) {
	for _, name := range []string{"web/search", "mcp__web__search"} {
		calls := looksUp().replies
		for i := range calls[:2] {
			calls[i].WantedCalls[0].Name = name
		}
		servers := &shelf{}
		prepared := func(c *engine.Config) {
			c.PreparedReplies = &model.PreparedReplies{RepliedBy: "file", ByCallKey: map[string][]model.Reply{"1": calls}}
		}
		end, _ := headless(t, find(t, searching(name), &script{}, servers, prepared))
		if end.Result != plan.Completed || len(servers.called) != 2 || servers.called[0].Server != "web" || servers.called[0].Tool != "search" {
			t.Errorf("%s: ended %+v, called %+v", name, end.RunFinished, servers.called)
		}
		servers = &shelf{}
		end, events := headless(t, find(t, searching(name), &script{}, servers, func(c *engine.Config) {
			prepared(c)
			c.PreparedResults = &tools.PreparedResults{ResultBy: "file", TextsByKey: map[string][]string{tools.ResultKey("1", "search"): {"known"}}}
		}))
		if all := kindsOf(events, "tool"); end.Result != plan.Completed || len(servers.called) > 0 || len(all) != 2 || all[0].Output != "known" {
			t.Errorf("%s: ended %+v, called %+v, got %+v", name, end.RunFinished, servers.called, all)
		}
	}
}

// kindsOf returns the finished actions of a kind.
func kindsOf(events []machine.Event, kind string) (out []*machine.ActionFinished) {
	for _, e := range events {
		if b, ok := e.Body.(*machine.ActionFinished); ok && b.Kind == kind {
			out = append(out, b)
		}
	}
	return out
}

// TestUnknownTool: a step whose tools cannot be found waits for a person, and fails in a headless run (workflow.md §6).
func TestUnknownTool(t *testing.T) {
	end, events := headless(t, find(t, searching("fly"), looksUp(), &shelf{}, nil))
	if end.Result != plan.RunFailed || !warned(events, "test/unknown-tool") {
		t.Errorf("ended %+v", end.RunFinished)
	}
	l := steer(t, find(t, searching("fly"), looksUp(), &shelf{broken: errors.New("web does not start")}, func(c *engine.Config) { c.Headless = false }))
	if q := l.waiting("1", machine.KindResume); q.Prompt != "web does not start" || !slices.Contains(q.Options, "rerun") {
		t.Errorf("asks %+v", q)
	}
}

func warned(events []machine.Event, code string) bool {
	return slices.ContainsFunc(events, func(e machine.Event) bool {
		w, ok := e.Body.(*machine.WarningRecorded)
		return ok && w.Code == code
	})
}

// TestApproval: a call is made when a person approves it; the model is told when a person refuses it.
func TestApproval(t *testing.T) {
	m, servers := looksUp(), &shelf{}
	l := steer(t, find(t, searching("web/search"), m, servers, func(c *engine.Config) {
		c.Headless, c.Options.ApprovalPolicy = false, machine.ApproveEach
	}))
	first := l.waiting("1", machine.KindApproveCall)
	if first.Call.Tool != "search" || first.ShownBlock.Text != "{}" {
		t.Errorf("asks %+v", first)
	}
	l.do(l.s.Answer(machine.Answer{Value: "no", By: machine.ByPerson, Note: "not now"}))
	l.until("the second call", func(s engine.Status) bool {
		return s.State == engine.Waiting && s.Question.Call != nil && s.Question.Call.ID == "b"
	})
	l.do(l.s.Answer(machine.Answer{Value: "all", By: machine.ByPerson}))
	l.over(plan.Completed)
	if len(servers.called) != 1 {
		t.Errorf("called %+v", servers.called)
	}
	if got := m.asked[1].EarlierMessages[2].Text; got != "error: a person refused this call: not now" {
		t.Errorf("the model was told %q", got)
	}
}

// TestApprovalOnce: the policy once asks about the first call of each tool; a headless run waits for the answer.
func TestApprovalOnce(t *testing.T) {
	servers := &shelf{}
	l := steer(t, find(t, searching("web/search"), looksUp(), servers, func(c *engine.Config) {
		c.Headless, c.Options.ApprovalPolicy = false, machine.ApproveOnce
	}))
	l.waiting("1", machine.KindApproveCall)
	l.do(l.s.Answer(machine.Answer{Value: "yes", By: machine.ByPerson}))
	l.over(plan.Completed)
	if len(servers.called) != 2 {
		t.Errorf("called %+v", servers.called)
	}
	end, _ := headless(t, find(t, searching("web/search"), looksUp(), servers, func(c *engine.Config) { c.Options.ApprovalPolicy = machine.ApproveOnce }))
	if end.Result != plan.Awaiting || end.WaitingFor.Kind != machine.KindApproveCall {
		t.Errorf("ended %+v", end.RunFinished)
	}
}

// stuck is a shelf whose first call blocks until it is cancelled.
type stuck struct {
	shelf
	entered chan struct{}
}

func (s *stuck) Call(ctx context.Context, q tools.Request, out io.Writer) tools.Result {
	if len(s.called) > 0 {
		return s.shelf.Call(ctx, q, out)
	}
	s.called = append(s.called, q)
	_, _ = io.WriteString(out, "half a result")
	close(s.entered)
	<-ctx.Done()
	return tools.Result{IsCancelled: true}
}

// cutShort returns a run whose first tool call was interrupted.
func cutShort(t *testing.T, p *plan.Plan) (*live, *script) {
	m, servers := looksUp(), &stuck{entered: make(chan struct{})}
	l := steer(t, find(t, p, m, servers, func(c *engine.Config) { c.Headless = false }))
	<-servers.entered
	l.do(l.s.Interrupt())
	l.waiting("1", machine.KindResume)
	return l, m
}

// TestCutOffCallAgain: after an interrupted call, a rerun starts another attempt with a new conversation
// (workflow.md §8).
func TestCutOffCallAgain(t *testing.T) {
	l, m := cutShort(t, searching("web/search"))
	l.do(l.s.Answer(machine.Answer{Value: "rerun", By: machine.ByPerson}))
	l.over(plan.Completed)
	if got := joinedPath(l.all); got != "1 1" {
		t.Errorf("path %s", got)
	}
	if len(m.asked[1].EarlierMessages) != 0 {
		t.Errorf("the second attempt was told %v", m.asked[1].EarlierMessages)
	}
}

// TestCutOffCallByHand: a person who takes over after an interrupted tool call fills in the report at once, in the
// model's place.
func TestCutOffCallByHand(t *testing.T) {
	p := searching("web/search")
	work := p.Steps[0].Actions[0].Work.(plan.Model)
	work.ReportTool.Form = short{}
	l, m := cutShort(t, p)
	l.do(l.s.TakeOverReply(true))
	if q := l.waiting("1", machine.KindReply); len(q.Fields) != 1 || q.Draft != "" {
		t.Errorf("asks %+v", q)
	}
	l.do(l.s.TakeOverReply(false))
	l.waiting("1", machine.KindResume)
	l.do(l.s.TakeOverReply(true))
	l.waiting("1", machine.KindReply)
	l.do(l.s.Answer(machine.Answer{Fields: []string{"sure"}, By: machine.ByPerson}))
	l.over(plan.Completed)
	if len(m.asked) != 1 {
		t.Errorf("the model was asked %d times", len(m.asked))
	}
}
