package engine_test

import (
	"strings"
	"testing"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/parse/plan"
	"playhead/parse/playbook"
)

const looped = "## 1 A\n- PASS: CONTINUE\n~~~sh\ntrue\n~~~\n## 2 B\n- FAIL: GOTO 1\n~~~sh prompt\nlook\n~~~\n"

// TestBreakpoints: breakpoints before and after a step pause the run once in each visit.
func TestBreakpoints(t *testing.T) {
	l := steer(t, newFixture(t, looped).session("", func(c *engine.Config) {
		c.Headless = false
		c.Breakpoints = []engine.Breakpoint{{Step: "1"}, {Step: "1", After: true}}
	}))
	for range 2 {
		l.pausedBefore("1")
		l.do(l.s.Continue(engine.Continue, ""))
		after := l.until("paused after 1", func(s engine.Status) bool {
			return s.State == engine.Paused && s.NextEvent.Body.Type() == "routed"
		})
		if d := after.NextEvent.Body.(*machine.Decision); after.NextEvent.Step != "1" || d.To != "2" || d.CandidateIndex == nil {
			t.Errorf("about to take %+v", d)
		}
		l.do(l.s.SetVariable("seen", "yes"))
		l.do(l.s.Continue(engine.Continue, ""))
		l.waiting("2", machine.KindDecide)
		l.do(l.s.Answer(machine.Answer{Value: "fail", By: machine.ByPerson}))
	}
	l.pausedBefore("1")
	l.do(l.s.SetBreakpoints(nil))
	l.do(l.s.Continue(engine.Continue, ""))
	l.waiting("2", machine.KindDecide)
	l.do(l.s.Answer(machine.Answer{Value: "pass", By: machine.ByPerson}))
	l.over(plan.Completed)
	if got := joinedPath(l.all); got != "1 2 1 2 1 2" {
		t.Errorf("path %s", got)
	}
	set := 0
	for _, e := range l.all {
		if b, ok := e.Body.(*machine.VariableCaptured); ok && b.Variable == "seen" && e.By == machine.ByPerson {
			set++
		}
	}
	if set != 2 {
		t.Errorf("a person set %d values", set)
	}
}

// TestBreakpointsOfClients: when breakpoints of a person and of an agent match at the same place, the run is paused by
// the person.
func TestBreakpointsOfClients(t *testing.T) {
	l := steer(t, newFixture(t, looped).session("", func(c *engine.Config) {
		c.Headless, c.Breakpoints = false, []engine.Breakpoint{{Step: "1"}}
	}))
	l.pausedBefore("1")
	all := []engine.Breakpoint{{Step: "2"}, {Step: "2", NthHit: 1}}
	l.do(l.s.AsClient("a person", 0).SetBreakpoints(all[:1]))
	l.do(l.s.AsClient(engine.AgentNamePrefix+" for somebody", 0).SetBreakpoints(all))
	l.do(l.s.Continue(engine.Continue, ""))
	st := l.until("paused before 2", func(s engine.Status) bool {
		return s.State == engine.Paused && s.NextEvent != nil && s.NextEvent.Step == "2"
	})
	if st.PausedBy != "a person" {
		t.Errorf("paused by %q", st.PausedBy)
	}
}

// TestBreakpointClauses: a breakpoint can have a condition or a hit count. A logpoint does not pause the run; it
// records a line.
func TestBreakpointClauses(t *testing.T) {
	for text, want := range map[string]string{
		`1 if seen == "yes"`:       "1 2 1 2 1 2",
		`1 if seen != "yes" hit 2`: "1 2 before",
		`1:after hit 2`:            "1 2 1 after",
		`1 hit 2 log`:              "1 2 1 2 1 2 logged",
	} {
		b, err := engine.ParseBreakpoint(text)
		if err != nil || b.String() != text {
			t.Fatalf("%s reads as %q: %v", text, b.String(), err)
		}
		end, events := headless(t, newFixture(t, looped).session("", func(c *engine.Config) {
			c.Breakpoints = []engine.Breakpoint{b}
			c.Inputs = map[string]any{"seen": "no"}
			c.PreparedAnswers = &engine.PreparedAnswers{ByLabel: map[string][]engine.PreparedAnswer{"2": {
				{Value: "fail", PreparedBy: machine.ByFlag}, {Value: "fail", PreparedBy: machine.ByFlag}, {Value: "pass", PreparedBy: machine.ByFlag},
			}}}
		}))
		got := joinedPath(events)
		switch {
		case end.WaitingFor != nil && b.After:
			got += " after"
		case end.WaitingFor != nil:
			got += " before"
		case warned(events, "playhead/breakpoint"):
			got += " logged"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestBreakpointClauseHelp: everything that the help lists can be written, in the order of the list.
func TestBreakpointClauseHelp(t *testing.T) {
	all := ""
	for _, entry := range engine.BreakpointClauseHelp {
		clause := strings.Replace(entry[0], "hit N", "hit 2", 1)
		if !strings.HasPrefix(clause, ":") {
			clause = " " + clause
			all += clause
		}
		if b, err := engine.ParseBreakpoint("1" + clause); err != nil || b.ClauseText() != clause {
			t.Errorf("%q is read as %q, %v", clause, b.ClauseText(), err)
		}
	}
	if b, err := engine.ParseBreakpoint("1:after" + all); err != nil || b.ClauseText() != ":after"+all {
		t.Errorf("%q is read as %q, %v", all, b.ClauseText(), err)
	}
}

// TestBreakpointQuoted: a step name with spaces, colons or quotes is written in quotes, and a written breakpoint parses
// to itself.
func TestBreakpointQuoted(t *testing.T) {
	for text, want := range map[string]engine.Breakpoint{
		`"Log it"`:                          {Step: "Log it"},
		`"Log: it":after to "Say so" hit 2`: {Step: "Log: it", After: true, LeadsTo: "Say so", NthHit: 2},
		`"1/my lint/2":after to 3 off`:      {Step: "1/my lint/2", After: true, LeadsTo: "3", IsDisabled: true},
		`"say \"so\"" log`:                  {Step: `say "so"`, IsLogpoint: true},
	} {
		b, err := engine.ParseBreakpoint(text)
		if err != nil || b != want || b.String() != text {
			t.Errorf("%s: %+v, written as %s, %v", text, b, b, err)
		}
	}
	for _, text := range []string{`"2"`, ` "2" `, "2"} {
		if b, err := engine.ParseBreakpoint(text); err != nil || b.String() != "2" {
			t.Errorf("%s: %+v, %v", text, b, err)
		}
	}
}

// TestBreakOnFailure: one kind of breakpoint pauses the run after every failed step, before a route is taken; STEP:fail
// does so at that step only.
func TestBreakOnFailure(t *testing.T) {
	const failing = "## 1 A\n- FAIL: CONTINUE\n~~~sh\nfalse\n~~~\n## 2 B\n~~~sh\ntrue\n~~~\n## 3 C\n- FAIL ANY: CONTINUE\n### 3.1 D\n- FAIL: CONTINUE\n~~~sh\nfalse\n~~~\n"
	for text, want := range map[string][]string{engine.AnyFailureText: {"1", "3.1"}, "3.1:fail": {"3.1"}, "2:fail": nil} {
		b, err := engine.ParseBreakpoint(text)
		if err != nil || b.String() != text {
			t.Fatalf("%s reads as %q: %v", text, b.String(), err)
		}
		l := steer(t, newFixture(t, failing).session("", func(c *engine.Config) {
			c.Headless = false
			c.Breakpoints = []engine.Breakpoint{b}
		}))
		for _, step := range want {
			l.until("paused after "+step, func(s engine.Status) bool {
				return s.State == engine.Paused && s.NextEvent.Body.Type() == "routed" && s.NextEvent.Step == step
			})
			l.do(l.s.Continue(engine.Continue, ""))
		}
		l.until("over", func(s engine.Status) bool { return s.State == engine.Over })
	}
}

// TestBreakAtBranch: at a step that only branches, a breakpoint pauses before the branch is chosen, with or without
// :after. At a step that acts, it pauses before the action, or with :after only before the branch.
func TestBreakAtBranch(t *testing.T) {
	const branching = "# T\n\n## INPUTS\n\n- `x` (string: a): x\n\n## STEP 1: Only\n\n```if x == \"a\"```\n\n### STEP 1a: A\n\n@elicit(confirm, \"a?\")\n\n```else```\n\n### STEP 1b: B\n\n@elicit(confirm, \"b?\")\n\n```endif```\n\n" +
		"## STEP 2: Acts\n\n@elicit(confirm, \"Go?\")\n\n```if x == \"a\"```\n\n### STEP 2a: A\n\n@elicit(confirm, \"2a?\")\n\n```else```\n\n### STEP 2b: B\n\n@elicit(confirm, \"2b?\")\n\n```endif```\n"
	p := playbook.Parse("a.playbook.md", []byte(branching), playbook.Options{})
	for text, want := range map[string]string{
		"1": "before a branch of 1", "1:after": "before a branch of 1", "1:after to 1a": "before a branch of 1", "1:after to 1b": "", "2": "before 2", "2:after": "before a branch of 2",
		`2:after if x == "a"`: "before a branch of 2", "2:after to 2b": "",
	} {
		b, err := engine.ParseBreakpoint(text)
		if err != nil {
			t.Fatal(err)
		}
		l := steer(t, newFixture(t, looped).session("", func(c *engine.Config) {
			c.FirstPlan, c.Headless, c.Inputs, c.Breakpoints = p, false, map[string]any{"x": "a"}, []engine.Breakpoint{b}
		}))
		var got []string
		var left machine.Event // the event that the run was last paused before: a status can name it twice
		for {
			at := l.until("stands", func(s engine.Status) bool {
				again := s.State == engine.Paused && left.Body != nil && s.NextEvent.Body.Type() == left.Body.Type() && s.NextEvent.Step == left.Step
				return s.State != engine.Running && s.State != "" && !again
			})
			if at.State == engine.Over {
				break
			}
			l.last = engine.Status{}
			if at.State == engine.Paused {
				left = *at.NextEvent
				got = append(got, at.NextEvent.PausePreposition()+" "+at.NextEvent.Step)
				l.do(l.s.Continue(engine.Continue, ""))
			} else {
				l.do(l.s.Answer(machine.Answer{Value: "yes", By: machine.ByPerson}))
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: paused %v, want %q", text, got, want)
		}
	}
}

// TestBreakpointUnread: the error for an unreadable breakpoint names the part that cannot be read and how to write it.
func TestBreakpointUnread(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "begins with a step",
		":after":              "begins with a step",
		"1:before":            `":before" cannot be read: expected :after, :after to STEP or :fail`,
		"1:after to":          `"to" is not part`,
		`1:after if x = "y"`:  `"if x = \"y\"" cannot be read: expected if NAME`,
		"1 if x == y hit 2":   `"if x == y hit 2" cannot be read: expected if NAME`,
		"1 hit 0":             `"hit 0" cannot be read: expected hit N`,
		"1 hit 99999999":      `"hit 99999999" cannot be read`,
		"1 log hit 2":         `"hit 2" is repeated or out of order`,
		"1 off off":           `"off" is repeated`,
		"1:after to 2 when x": `"when x" is not part of a breakpoint`,
		`1 if x == "y"hit 2`:  `"hit 2" is repeated`,
		"Log it":              `"it" is not part of a breakpoint: write STEP (in quotes if it has spaces)`,
		`""`:                  "begins with a step",
		`"Log it`:             `"it" is not part`,
		"1 hit 2\x1b[31m red": `is not part of a breakpoint`,
	} {
		if b, err := engine.ParseBreakpoint(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v, %v", text, b, err)
		}
	}
}
