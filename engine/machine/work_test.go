package machine_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// obeying is a Judge whose verdict follows from the product's text.
type obeying struct{}

func (obeying) Judge(p plan.Product, s plan.Scope) plan.Verdict {
	v := plan.Verdict{Outcome: s.Outcome()}
	v.Result = plan.Passed
	switch p.Text {
	case "fail":
		v.Result, v.Reason = plan.Failed, "as said"
	case "error":
		v.Result = plan.Errored
	case "hold":
		v.Result, v.Assignments = plan.Undecided, []plan.Assignment{{Name: "held", Value: "1"}}
	case "again":
		v.Result, v.RejectionReply = plan.Failed, "say it otherwise"
	case "close":
		v.Intent = "closing"
	default:
		v.Text, v.Data = p.Text, map[string]any{"n": "1"}
		v.Assignments = []plan.Assignment{{Name: "x", Value: p.Text}}
		v.Warnings = []plan.RunWarning{{Code: "test/note", Message: p.Text}}
	}
	return v
}

// said draws the texts that calls and people return.
var said = rapid.SampledFrom([]string{"one", "two", "fail", "error", "hold", "again", "close", ""})

// fewSteps is the entry limit of these runs: each step does much, and all of it is compared.
const fewSteps = 15

// randomWork draws a plan of steps with all kinds of actions and moves.
func randomWork(t *rapid.T) *plan.Plan {
	p := randomPlan(t)
	p.SystemPrompt, p.EntryLimit.Max = plan.Literal("Be brief."), fewSteps
	p.Walk(func(s, _ *plan.Step) bool {
		if len(s.Children) > 0 && rapid.Bool().Draw(t, "group") {
			return true
		}
		s.Actions = nil
		for range rapid.IntRange(1, 3).Draw(t, "actions") {
			s.Actions = append(s.Actions, randomAction(t))
		}
		for i := range s.Routes {
			if rapid.Bool().Draw(t, "reprompts") {
				s.Routes[i].Do.NextVisitPrompt = plan.Literal("Instead.")
			}
		}
		s.Routes = append([]plan.Route{{When: plan.Matcher{Intent: "closing"}, Do: plan.Move{
			Verb: plan.Goto, To: plan.Target{IsCaller: true}, RemembersCaller: true, NextVisitPrompt: plan.Literal("Once more."),
			Limit: &plan.Limit{Counter: "close", Max: 2, PerRun: rapid.Bool().Draw(t, "run")}, AfterLimit: &plan.Move{Verb: plan.EndDocument, Result: plan.RunFailed},
		}}}, s.Routes...)
		return true
	})
	return p
}

func randomAction(t *rapid.T) plan.Action {
	text := plan.Text{{Literal: "Say it, "}, {Variable: "x", Literal: "nobody"}}
	fields := []plan.Field{{Name: "x", Type: "input"}, {Name: "y", Type: "select", Options: []string{"one", "two"}}}
	a := plan.Action{Work: rapid.SampledFrom([]plan.Work{
		plan.Command{Text: text}, plan.Decide{}, plan.JudgeOnly{}, plan.Ask{Fields: fields[:1]}, plan.Ask{Fields: fields, OnlyMissingFields: true},
		plan.Fetch{Scheme: "file", Ref: text}, plan.Tool{Server: "s", Name: "t"}, plan.Tool{Name: "bad", Args: text},
		plan.Model{Prompt: text}, plan.Model{Prompt: text, Thread: plan.RunThread},
		plan.Model{Prompt: text, Thread: plan.RunThread, Tools: []plan.Prompt{text}, ReportTool: &plan.OfferedTool{Name: "done"}, Bounds: plan.ConversationBounds{MaxTurns: 3}, MaxReplyRetries: 1},
		plan.Model{Prompt: text, Tools: []plan.Prompt{text}, Bounds: plan.ConversationBounds{MaxTurns: 2}, MaxReplyRetries: 2},
	}).Draw(t, "work")}
	if rapid.Bool().Draw(t, "judged") {
		a.Judge = obeying{}
	}
	a.If = rapid.SampledFrom([]plan.Matcher{
		{}, {}, {Result: plan.Passed}, {Intent: "closing"}, {Test: &plan.Test{Path: []string{"x"}, Op: plan.OpIsSet}},
		{Test: &plan.Test{ReadsOutcomeData: true, Path: []string{"n"}, Value: "1"}},
	}).Draw(t, "if")
	return a
}

// walk is a random run. Its machine applies the events as they are made; its events are as the journal stores them.
type walk struct {
	t    *rapid.T
	live *run // applies events as they are made
	own  []bool
	free int // the number of actions that could repeat forever
}

func (w *walk) apply(e machine.Event, own bool) {
	e.Seq = len(w.live.events) + 1
	w.live.events = append(w.live.events, stored(w.t, e))
	w.own = append(w.own, own)
	if err := w.live.m.Apply(e); err != nil {
		w.t.Fatalf("apply %s: %v", e.Body.Type(), err)
	}
}

// step does what comes next, and reports whether the run was not over yet.
func (w *walk) step() bool {
	m := w.live.m
	n := m.Next()
	if intervention := rapid.IntRange(0, 19).Draw(w.t, "intervention"); intervention == 0 && n.Event == nil && w.free < freeMoves {
		w.free++
		w.intervene(n)
		return true
	}
	switch {
	case n.Event != nil:
		w.apply(*n.Event, true)
	case n.Effect != nil:
		w.apply(m.ResultEvent(w.product(n.Effect)), false)
	case n.Question != nil:
		w.answer(n.Question)
	}
	return n.Result == nil
}

// product draws the product of an effect.
func (w *walk) product(e machine.Effect) plan.Product {
	p := plan.Product{Text: said.Draw(w.t, "said")}
	switch rapid.IntRange(0, 9).Draw(w.t, "how") {
	case 0:
		p.Err = "it failed"
	case 1:
		if w.free++; w.free < freeMoves {
			p.Cancelled = true
		}
	case 2:
		p.ExitCode = 1
	}
	call, asked := e.(*machine.CallModel)
	if !asked || len(call.Tools) == 0 || rapid.Bool().Draw(w.t, "no calls") {
		return p
	}
	p.ToolCalls = rapid.SampledFrom([][]plan.ToolCall{
		{{ID: "a", Name: "t", Tool: "t", Arguments: "{}"}, {ID: "b", Name: "u", Tool: "u"}},
		{{ID: "a", Name: "gone"}}, {{ID: "a", Name: "t", Tool: "t", Arguments: "oops"}, {ID: "d", Name: "done"}}, {{ID: "d", Name: "done"}},
	}).Draw(w.t, "calls")
	return p
}

func (w *walk) answer(q *machine.Question) {
	options := slices.Clone(q.Options)
	if w.free++; w.free > freeMoves {
		options = slices.DeleteFunc(options, func(o string) bool { return o == "rerun" })
	}
	value := "text"
	if len(options) > 0 {
		value = rapid.SampledFrom(options).Draw(w.t, "answer")
	}
	e, err := w.live.m.AnswerEvent(machine.Answer{Value: value, By: machine.ByPerson, Note: "note"})
	if err != nil {
		w.t.Fatal(err)
	}
	w.apply(e, false)
}

// intervene makes a random intervention of a person. It first ends an open effect.
func (w *walk) intervene(n machine.Next) {
	m := w.live.m
	if n.Effect != nil {
		w.apply(m.ResultEvent(plan.Product{Cancelled: true}), false)
	}
	var e machine.Event
	var err error
	switch rapid.IntRange(0, 6).Draw(w.t, "which") {
	case 0:
		e, err = m.RetryEvent("again")
	case 1:
		e, err = m.OverrideEvent(rapid.SampledFrom([]plan.Result{plan.Passed, plan.Failed, plan.Skipped}).Draw(w.t, "forced"), "forced")
	case 2:
		e, err = m.JumpEvent("1", "jump")
	case 3:
		e, err = m.SetVariableEvent("x", "set")
	case 4:
		e, err = m.EditEvent("1", 0, rapid.SampledFrom([]string{`{"edited":1}`, ""}).Draw(w.t, "edited"))
	case 5:
		e, err = m.ApprovalEvent(rapid.SampledFrom(machine.ApprovalPolicies).Draw(w.t, "policy"), machine.ByPerson)
	default:
		e = machine.Event{Body: &machine.RunResumed{}}
	}
	if err == nil {
		w.apply(e, false)
	}
}

// same fails unless a fold of the journal gives the run's state, and at every event the same next event.
func (w *walk) same(p *plan.Plan) {
	folded := machine.New(p, machine.Options{})
	for i, e := range w.live.events {
		if next := folded.Next(); w.own[i] {
			if d := cmp.Diff(e.Body, next.Event.Body, machine.Alike); d != "" {
				w.t.Fatalf("event %d differs from Next of the fold:\n%s", i, d)
			}
		}
		if err := folded.Apply(e); err != nil {
			w.t.Fatal(err)
		}
	}
	if d := machine.Differ(w.live.m, folded); d != "" {
		w.t.Fatalf("the fold differs:\n%s", d)
	}
	if d := cmp.Diff(w.live.m.Next(), folded.Next(), machine.Alike); d != "" {
		w.t.Fatalf("what is next differs:\n%s", d)
	}
}

func begin(t *rapid.T, p *plan.Plan) *walk {
	o := machine.Options{ApprovalPolicy: rapid.SampledFrom(append([]string{""}, machine.ApprovalPolicies...)).Draw(t, "approve")}
	w := &walk{t: t, live: &run{t: t, m: machine.New(p, o)}}
	w.apply(*w.live.m.Next().Event, false) // not the machine's own event: the session sets the options
	return w
}

// mostEvents is far more than the number of events of a run within its entry limit.
const mostEvents = 20_000

// TestWorkFolds: whatever the steps do and return, a fold of the journal gives the run's state. The run ends within its
// entry limit.
func TestWorkFolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomWork(t)
		w := begin(t, p)
		checked := rapid.IntRange(1, 60).Draw(t, "checked")
		for n := 0; w.step(); n++ {
			if n == checked {
				w.same(p)
			}
			if n > mostEvents {
				t.Fatal("no end")
			}
		}
		w.same(p)
		if n := len(w.live.m.EnteredStepLabels()); n > fewSteps+freeMoves {
			t.Fatalf("%d visits, the limit is %d", n, fewSteps)
		}
	})
}

// TestWorkCloneIsApart: a clone that continues leaves the original as its journal says, and the original can continue
// after it.
func TestWorkCloneIsApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomWork(t)
		w := begin(t, p)
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			w.step()
		}
		clone := &walk{t: t, live: &run{t: t, m: w.live.m.Clone()}, free: w.free}
		if d := machine.Differ(w.live.m, clone.live.m); d != "" {
			t.Fatalf("the clone differs:\n%s", d)
		}
		for range 40 {
			clone.step()
		}
		w.same(p)
		for range 20 { // the original continues too
			w.step()
		}
		w.same(p)
	})
}

// TestWorkFoldCallsNothing: no Judge and no Prompt is called while a journal is folded.
func TestWorkFoldCallsNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomWork(t)
		w := begin(t, p)
		for w.step() {
		}
		deaf := *p
		deaf.Steps, deaf.SystemPrompt = mute(p.Steps), panics{}
		folded := machine.New(&deaf, machine.Options{})
		for i, e := range w.live.events {
			if err := folded.Apply(e); err != nil {
				t.Fatal(fmt.Sprint("event ", i, ": "), err)
			}
		}
		if d := cmp.Diff(w.live.m.EnteredStepLabels(), folded.EnteredStepLabels()); d != "" {
			t.Fatal(d)
		}
	})
}

// TestHeldRead: a judgement of the step's earlier output can be undecided too, and waits for a person to accept it.
func TestHeldRead(t *testing.T) {
	p := gated()
	p.Steps[0].Actions = []plan.Action{{Work: plan.Model{Prompt: plan.Literal("Say.")}}, {Work: plan.JudgeOnly{}, Judge: obeying{}}}
	r := start(t, p, machine.Options{})
	r.settle()
	r.apply(r.m.ResultEvent(plan.Product{Text: "hold"}))
	if q := r.settle().Question; q == nil || q.Kind != machine.KindAcceptOutcome {
		t.Fatalf("asks %+v", q)
	}
	r.feed("pass")
	if got := r.m.Next().Effect.(*machine.CallModel).Prompt; got != "Close?" {
		t.Errorf("asked %q", got)
	}
}

// TestDamagedJournal: lost, repeated or moved events are refused or applied, but never make the machine panic.
func TestDamagedJournal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomWork(t)
		w := begin(t, p)
		for range 60 {
			w.step()
		}
		m := machine.New(p, machine.Options{})
		for _, e := range w.live.events {
			for range rapid.SampledFrom([]int{0, 1, 1, 1, 1, 1, 1, 1, 1, 2}).Draw(t, "times") {
				_ = m.Apply(e)
			}
			m.Next()
		}
		for range 40 {
			_ = m.Apply(rapid.SampledFrom(w.live.events).Draw(t, "event"))
			m.Next()
		}
	})
}
