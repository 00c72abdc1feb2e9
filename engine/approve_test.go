package engine_test

import (
	"testing"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/parse/plan"
)

// heldAtACall returns the ID of a headless run that ended waiting for the approval of a tool call.
func heldAtACall(t *testing.T, f *fixture, servers *shelf) (run string) {
	t.Helper()
	end, events := headless(t, findIn(f, "", searching("web/search"), looksUp(), servers, func(c *engine.Config) {
		c.Options.ApprovalPolicy = machine.ApproveOnce
	}))
	if end.Result != plan.Awaiting || end.WaitingFor.Kind != machine.KindApproveCall || end.WaitingFor.Prompt != "search" {
		t.Fatalf("ended %+v", end.RunFinished)
	}
	f.closeRuns()
	return events[0].Body.(*machine.RunStarted).RunID
}

// TestApprovalLater: a run that waits for an approval asks for it again when it is resumed. The call was not made
// before, so nothing counts as interrupted.
func TestApprovalLater(t *testing.T) {
	f, servers, m := newFixture(t, "## 1 A\n"), &shelf{}, looksUp()
	run := heldAtACall(t, f, servers)
	m.asked = append(m.asked, model.Request{})
	l := steer(t, findIn(f, run, searching("web/search"), m, servers, func(c *engine.Config) { c.Headless = false }))
	if q := l.waiting("1", machine.KindApproveCall); q.Call.Tool != "search" || len(servers.called) != 0 {
		t.Errorf("asks %+v, called %v", q, servers.called)
	}
	l.do(l.s.SetApprovalPolicy(machine.ApproveNone))
	l.over(plan.Completed)
	if len(servers.called) != 2 {
		t.Errorf("called %v", servers.called)
	}
}

// TestApprovalResumed: a run can be resumed with another approval policy.
func TestApprovalResumed(t *testing.T) {
	f, servers, m := newFixture(t, "## 1 A\n"), &shelf{}, looksUp()
	run := heldAtACall(t, f, servers)
	m.asked = append(m.asked, model.Request{})
	end, _ := headless(t, findIn(f, run, searching("web/search"), m, servers, func(c *engine.Config) { c.ApprovalPolicy = machine.ApproveNone }))
	if end.Result != plan.Completed || len(servers.called) != 2 {
		t.Errorf("ended %+v, called %v", end.RunFinished, servers.called)
	}
}

// TestApprovalAgain: when a person changes the approval policy from once to each, the run asks about a tool again. An
// unknown policy is refused.
func TestApprovalAgain(t *testing.T) {
	l := steer(t, find(t, searching("web/search"), looksUp(), &shelf{}, func(c *engine.Config) {
		c.Headless, c.Options.ApprovalPolicy = false, machine.ApproveOnce
	}))
	if err := l.s.SetApprovalPolicy("often"); err == nil {
		t.Error("an unknown policy is accepted")
	}
	l.waiting("1", machine.KindApproveCall)
	l.do(l.s.SetApprovalPolicy(machine.ApproveEach))
	l.do(l.s.Answer(machine.Answer{Value: "yes", By: machine.ByPerson}))
	l.until("the second call", func(s engine.Status) bool {
		return s.State == engine.Waiting && s.Question.Call != nil && s.Question.Call.ID == "b"
	})
}
