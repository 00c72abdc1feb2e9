package engine_test

import (
	"testing"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/parse/plan"
)

const looped = "## 1 A\n- PASS: CONTINUE\n~~~sh\ntrue\n~~~\n## 2 B\n- FAIL: GOTO 1\n~~~sh prompt\nlook\n~~~\n"

// TestBreakpoints: a run is held before a step and after it, at each visit once.
func TestBreakpoints(t *testing.T) {
	l := steer(t, newFixture(t, looped).session("", func(c *engine.Config) {
		c.Headless = false
		c.Breaks = []engine.Breakpoint{{Step: "1"}, {Step: "1", After: true}}
	}))
	for range 2 {
		l.pausedBefore("1")
		l.do(l.s.Go(engine.Continue, ""))
		after := l.until("paused after 1", func(s engine.Status) bool {
			return s.State == engine.Paused && s.Next.Body.Type() == "routed"
		})
		if d := after.Next.Body.(*machine.Decision); after.Next.Step != "1" || d.To != "2" || d.Taken == nil {
			t.Errorf("about to take %+v", d)
		}
		l.do(l.s.Set("seen", "yes"))
		l.do(l.s.Go(engine.Continue, ""))
		l.waiting("2", machine.KindDecide)
		l.do(l.s.Answer(machine.Answer{Value: "fail", By: machine.ByPerson}))
	}
	l.pausedBefore("1")
	l.do(l.s.Break(nil))
	l.do(l.s.Go(engine.Continue, ""))
	l.waiting("2", machine.KindDecide)
	l.do(l.s.Answer(machine.Answer{Value: "pass", By: machine.ByPerson}))
	l.over(plan.Completed)
	if got := trail(l.all); got != "1 2 1 2 1 2" {
		t.Errorf("path %s", got)
	}
	set := 0
	for _, e := range l.all {
		if b, ok := e.Body.(*machine.Captured); ok && b.Variable == "seen" && e.By == machine.ByPerson {
			set++
		}
	}
	if set != 2 {
		t.Errorf("%d values set by hand", set)
	}
}
