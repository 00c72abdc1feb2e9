package engine_test

import (
	"errors"
	"strings"
	"testing"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/parse/plan"
	"playhead/parse/rundown"
)

const commands = `## 1 Say
~~~sh
echo "hello $PLAYHEAD_STEP $PLAYHEAD_ATTEMPT [$PLAYHEAD_INSTANCE]"
~~~
## 2 Flaky
~~~sh
test "$PLAYHEAD_ATTEMPT" = 1
~~~
- FAIL: RETRY 1 STOP
## 3 Judge
- PASS: COMPLETE "fine"
- FAIL: STOP "not fine"
`

// TestCommandsDecide: a command's exit status decides the route. The events hold its output, in which its environment
// shows (rundown.md §5.2, §5.8).
func TestCommandsDecide(t *testing.T) {
	s := newFixture(t, commands).session("", func(c *engine.Config) {
		c.PreparedAnswers = &engine.PreparedAnswers{Queue: []engine.PreparedAnswer{{Value: "ok", PreparedBy: machine.ByFlag}}}
	})
	end, events := headless(t, s)
	if end.Result != plan.Completed || end.Message != "fine" || joinedPath(events) != "1 2 2 3" {
		t.Fatalf("ended %s %q along %s", end.Result, end.Message, joinedPath(events))
	}
	done := bodies[*machine.ActionFinished](events)
	if got := done[0].Output; got != "hello 1 0 []\n" {
		t.Errorf("output %q", got)
	}
	if done[0].Log == nil || done[0].Log.Bytes == 0 || s.Log(done[0].Log.File) == nil {
		t.Errorf("no log: %+v", done[0].Log)
	}
	if done[1].Log != nil {
		t.Errorf("a command that printed nothing has a log: %+v", done[1].Log)
	}
	given := bodies[*machine.InputGiven](events)
	if len(given) != 1 || given[0].Value != "pass" || given[0].Outcome.Source != "answer" {
		t.Errorf("answers %+v", given)
	}
}

// TestPreparedAnswers: the answers of a label go before the queue, one for each attempt, and the last one repeats. An
// answer that cannot be applied is used up with a warning.
func TestPreparedAnswers(t *testing.T) {
	flag := func(values ...string) (out []engine.PreparedAnswer) {
		for _, v := range values {
			out = append(out, engine.PreparedAnswer{Value: v, PreparedBy: machine.ByFlag})
		}
		return out
	}
	tests := []struct {
		name, doc string
		labels    map[string][]engine.PreparedAnswer
		queue     []engine.PreparedAnswer
		path      string
		result    plan.RunResult
		warnings  int
	}{
		{"the queue, one item a step", "## 1 A\n## 2 B\n", nil, flag("pass", "fail"), "1 2", plan.Stopped, 0},
		{"the label goes first", "## 1 A\n## 2 B\n", map[string][]engine.PreparedAnswer{"1": flag("pass")}, flag("pass"), "1 2", plan.Completed, 0},
		{"the last answers all later ones", "## 1 A\n- FAIL: RETRY 3\n", map[string][]engine.PreparedAnswer{"1": flag("no", "fail")}, nil, "1 1 1 1", plan.Stopped, 0},
		{"an item that cannot be done is used up", "## 1 A\n## 2 B\n", nil, flag("goto:99", "pass", "pass"), "1 2", plan.Completed, 1},
		{"items left are a warning", "## 1 A\n", nil, flag("pass", "pass"), "1", plan.Completed, 1},
		{"goto, retry, skip act instead", "## 1 A\n## 2 B\n## 3 C\n", nil, flag("goto:2", "retry", "skip", "stop:enough"), "1 2 2 3", plan.Stopped, 0},
		{"prompt blocks pass by themselves", "## 1 A\n~~~prompt\nx\n~~~\n## 2 B\n", nil, flag("fail"), "1 2", plan.Stopped, 0},
		{"an answer for a prompt block goes first", "## 1 A\n~~~prompt\nx\n~~~\n", map[string][]engine.PreparedAnswer{"1": flag("fail")}, nil, "1", plan.Stopped, 0},
		{"none is left", "## 1 A\n", nil, nil, "1", plan.Awaiting, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newFixture(t, tt.doc).session("", func(c *engine.Config) {
				c.PreparedAnswers = &engine.PreparedAnswers{ByLabel: tt.labels, Queue: tt.queue}
			})
			end, events := headless(t, s)
			if end.Result != tt.result || joinedPath(events) != tt.path {
				t.Errorf("ended %s along %q, want %s along %q", end.Result, joinedPath(events), tt.result, tt.path)
			}
			if n := len(bodies[*machine.WarningRecorded](events)); n != tt.warnings {
				t.Errorf("%d warnings, want %d", n, tt.warnings)
			}
			if tt.result == plan.Awaiting && (end.WaitingFor == nil || end.WaitingFor.Step != "1" || end.WaitingFor.Kind != "decide") {
				t.Errorf("waiting %+v", end.WaitingFor)
			}
		})
	}
}

// TestResume: a resumed run continues where it waited, and does not repeat answered questions.
func TestResume(t *testing.T) {
	f := newFixture(t, "## 1 A\n## 2 B\n## 3 C\n")
	first := f.session("", func(c *engine.Config) {
		c.PreparedAnswers = &engine.PreparedAnswers{Queue: []engine.PreparedAnswer{{Value: "pass", PreparedBy: machine.ByFlag}}}
	})
	end, events := headless(t, first)
	if end.Result != plan.Awaiting {
		t.Fatalf("ended %s", end.Result)
	}
	id := events[0].Body.(*machine.RunStarted).RunID
	second := f.resumable(id, engine.PreparedAnswer{Value: "pass", PreparedBy: machine.ByFlag}, engine.PreparedAnswer{Value: "pass", PreparedBy: machine.ByFlag})
	end, events = headless(t, second)
	if end.Result != plan.Completed || joinedPath(events) != "1 2 3" {
		t.Errorf("ended %s along %s", end.Result, joinedPath(events))
	}
	for i, e := range events {
		if e.Seq != i+1 {
			t.Fatalf("event %d has number %d", i+1, e.Seq)
		}
	}
}

// resumable closes the fixture's runs and makes a session that resumes one of them.
func (f *fixture) resumable(id string, queue ...engine.PreparedAnswer) *engine.Session {
	f.closeRuns()
	return f.session(id, func(c *engine.Config) { c.PreparedAnswers = &engine.PreparedAnswers{Queue: queue} })
}

// TestInterruptedCommand: a command that was running when the run was closed runs again only if the answer says so.
func TestInterruptedCommand(t *testing.T) {
	for answer, want := range map[string]struct {
		result plan.RunResult
		runs   int
	}{"rerun": {plan.Completed, 2}, "pass": {plan.Completed, 1}, "fail": {plan.Stopped, 1}} {
		t.Run(answer, func(t *testing.T) {
			f := newFixture(t, "## 1 A\n~~~sh\ntest -e again && exit; touch again; echo run; exec sleep 600\n~~~\n")
			l := steer(t, f.session("", func(c *engine.Config) { c.Headless = false }))
			l.until("it prints", func(s engine.Status) bool { return s.RunningLog != "" && l.printed(s.RunningLog, "run") })
			l.s.Close()
			id := l.all[0].Body.(*machine.RunStarted).RunID
			s := f.resumable(id, engine.PreparedAnswer{Value: answer, PreparedBy: machine.ByFlag})
			end, events := headless(t, s)
			if end.Result != want.result {
				t.Errorf("ended %s, want %s", end.Result, want.result)
			}
			if n := len(bodies[*machine.ActionStarted](events)); n != want.runs {
				t.Errorf("the command was started %d times, want %d", n, want.runs)
			}
			cut := bodies[*machine.ActionFinished](events)[0]
			if !cut.IsCutOff() || cut.Output != "run\n" || cut.Log == nil || cut.Log.Bytes < int64(len(cut.Output)) {
				t.Errorf("the interrupted command left %+v", cut)
			}
		})
	}
}

// printed waits until a log contains text.
func (l *live) printed(file, text string) bool {
	log := l.s.Log(file)
	changed := log.Watch()
	defer log.Unwatch(changed)
	for !strings.Contains(log.ShortenedText(1000), text) {
		<-changed
	}
	return true
}

// TestControls: a person steps, interrupts, answers, overrides, retries, skips and jumps.
func TestControls(t *testing.T) {
	f := newFixture(t, "## 1 A\n~~~sh\necho up; test -e later || exec sleep 600\n~~~\n## 2 B\n## 3 C\n## 4 D\n")
	l := steer(t, f.session("", func(c *engine.Config) { c.Headless, c.Mode = false, engine.PauseNext }))
	l.pausedBefore("1")
	l.do(l.s.Continue(engine.StepOver, ""))
	l.until("the command runs", func(s engine.Status) bool { return s.RunningLog != "" && l.printed(s.RunningLog, "up") })
	l.do(l.s.Interrupt())
	q := l.waiting("1", machine.KindResume)
	if strings.Join(q.Options, " ") != "rerun pass fail" {
		t.Errorf("options %v", q.Options)
	}
	l.do(l.s.Answer(machine.Answer{Value: "rerun", By: machine.ByPerson}))
	l.until("the command runs again", func(s engine.Status) bool { return s.RunningLog != "" && l.printed(s.RunningLog, "up") })
	if err := l.s.Jump("99", ""); err == nil {
		t.Error("jumped to a step that does not exist")
	}
	l.do(l.s.OverrideCurrent(plan.Passed, "seen it up"))
	l.pausedBefore("2")
	l.do(l.s.Skip("not now"))
	l.pausedBefore("3")
	l.do(l.s.Continue(engine.Continue, ""))
	l.waiting("3", machine.KindDecide)
	l.do(l.s.Retry("look again"))
	if q := l.waiting("3", machine.KindDecide); q.Action.Attempt != 2 {
		l.until("attempt 2", func(s engine.Status) bool { return s.Question != nil && s.Question.Action.Attempt == 2 })
	}
	l.do(l.s.Answer(machine.Answer{Value: "pass", By: machine.ByPerson, Note: "good"}))
	l.waiting("4", machine.KindDecide)
	l.do(l.s.Answer(machine.Answer{Value: "fail", By: machine.ByPerson}))
	l.over(plan.Stopped)
	l.do(l.s.Jump("3", "once more"))
	l.waiting("3", machine.KindDecide)
	l.do(l.s.EndRun(plan.Completed, "enough"))
	l.over(plan.Completed)
	if got := joinedPath(l.all); got != "1 2 3 3 4 3" {
		t.Errorf("path %s", got)
	}
}

// TestUntil: a headless run runs up to a chosen step and then waits for a person.
func TestUntil(t *testing.T) {
	s := newFixture(t, "## 1 A\n~~~sh\ntrue\n~~~\n## 2 B\n").session("", func(c *engine.Config) { c.UntilStep = "2" })
	end, events := headless(t, s)
	if end.Result != plan.Awaiting || end.WaitingFor.Kind != machine.KindPause || end.WaitingFor.Step != "2" || joinedPath(events) != "1" {
		t.Errorf("ended %+v along %s", end.RunFinished, joinedPath(events))
	}
}

// TestJournalFails: a run whose journal cannot be written fails, and its watchers get the reason.
func TestJournalFails(t *testing.T) {
	s := newFixture(t, commands).session("", func(c *engine.Config) {
		run := c.Run
		c.Now = closing(func() { run.Close() })
	})
	_, err := s.Run(t.Context())
	var j *engine.JournalError
	if !errors.As(err, &j) {
		t.Fatalf("error %v", err)
	}
	u := s.WatchFromStart().Take()
	if got := finished(u.Events); got == nil || got.Result != plan.RunFailed || !strings.Contains(got.Message, "journal") {
		t.Errorf("watchers got %+v", got)
	}
	if u.Status.State != engine.Over || u.Status.Err == nil {
		t.Errorf("status %+v", u.Status)
	}
}

// TestSecrets: a secret's value is masked in events and logs.
func TestSecrets(t *testing.T) {
	f := newFixture(t, "## 1 A\n~~~sh\necho \"the word is $WORD\"\n~~~\n")
	s := f.session("", func(c *engine.Config) {
		c.CommandEnv = append(c.CommandEnv, "WORD=abracadabra")
		c.Secrets = []string{"abracadabra"}
	})
	_, events := headless(t, s)
	done := bodies[*machine.ActionFinished](events)[0]
	if strings.Contains(done.Output, "abracadabra") || !strings.Contains(done.Output, "the word is") {
		t.Errorf("output %q", done.Output)
	}
	if text := s.Log(done.Log.File).ShortenedText(1000); strings.Contains(text, "abracadabra") {
		t.Errorf("log %q", text)
	}
}

// TestOutputEndsLikeASecret: the end of an output is held back while it could begin a secret. The output and the log
// contain it in the end.
func TestOutputEndsLikeASecret(t *testing.T) {
	s := newFixture(t, "## 1 A\n~~~sh\nprintf 'all is abra'\n~~~\n").session("", func(c *engine.Config) {
		c.Secrets = []string{"abracadabra"}
	})
	_, events := headless(t, s)
	done := bodies[*machine.ActionFinished](events)[0]
	if done.Output != "all is abra" || done.Log == nil || done.Log.Bytes != int64(len("all is abra")) {
		t.Fatalf("output %q, log %+v", done.Output, done.Log)
	}
}

// TestRepeatedMove: a prepared move that repeats at every later visit counts towards the entry limit; otherwise such a
// run would never end.
func TestRepeatedMove(t *testing.T) {
	for _, move := range []string{"retry", "goto:1"} {
		s := newFixture(t, "## 1 A\n").session("", func(c *engine.Config) {
			c.PreparedAnswers = &engine.PreparedAnswers{ByLabel: map[string][]engine.PreparedAnswer{"1": {{Value: move, PreparedBy: machine.ByFlag}}}}
		})
		if end, _ := headless(t, s); end.Result != plan.RunFailed || end.ErrorCode != "rundown/transition-limit" {
			t.Errorf("%s: ended %s %s", move, end.Result, end.ErrorCode)
		}
	}
}

// TestEntryLimitInIncludedDocument: the entry limit can stop the run at the first step of an included document
// (rundown.md §5.8).
func TestEntryLimitInIncludedDocument(t *testing.T) {
	f := newFixture(t, "## 1 A\n## 2 B\n- child.runbook.md\n")
	child := rundown.Parse("child.runbook.md", []byte("## 1 C\n"), rundown.Options{})
	f.plan.IncludedDocuments = []plan.IncludedDocument{{WrittenPath: "child.runbook.md", Name: "child", Plan: child}}
	f.plan.EntryLimit.Max = 2
	end, events := headless(t, f.session("", func(c *engine.Config) {
		c.PreparedAnswers = &engine.PreparedAnswers{Queue: []engine.PreparedAnswer{{Value: "pass"}, {Value: "pass"}}}
	}))
	if end.Result != plan.RunFailed || end.ErrorCode != "rundown/transition-limit" || joinedPath(events) != "1 2" {
		t.Errorf("ended %s %s along %s", end.Result, end.ErrorCode, joinedPath(events))
	}
	if last := events[len(events)-1]; last.Step != "2" || finished(events[len(events)-1:]) == nil {
		t.Errorf("last event %+v", last)
	}
}

// TestEndedFromOutside: a person can end a run that loops without ever waiting.
func TestEndedFromOutside(t *testing.T) {
	s := newFixture(t, "## 1 A\n- PASS: GOTO 2\n## 2 B\n- PASS: GOTO 1\n").session("", func(c *engine.Config) {
		c.FirstPlan.EntryLimit.Max = 0
		all := []engine.PreparedAnswer{{Value: "pass", PreparedBy: machine.ByFlag}}
		c.PreparedAnswers = &engine.PreparedAnswers{ByLabel: map[string][]engine.PreparedAnswer{"1": all, "2": all}}
	})
	l := steer(t, s)
	l.until("it loops", func(engine.Status) bool { return len(l.all) > 100 })
	l.do(s.EndRun(plan.Cancelled, "enough"))
	if end := <-l.end; end.Result != plan.Cancelled {
		t.Errorf("ended %s", end.Result)
	}
}

// TestSecretsAreNotShown: neither a question nor the message of the result shows a secret.
func TestSecretsAreNotShown(t *testing.T) {
	f := newFixture(t, "## 1 A\n- FAIL: STOP \"hunter2 is wrong\"\n~~~sh prompt\necho hunter2\n~~~\n")
	l := steer(t, f.session("", func(c *engine.Config) { c.Headless, c.Secrets = false, []string{"hunter2"} }))
	st := l.waiting("1", machine.KindDecide)
	if show := st.ShownBlock; show == nil || strings.Contains(show.Text, "hunter2") {
		t.Errorf("shows %+v", show)
	}
	l.answer("fail")
	l.until("over", func(s engine.Status) bool { return s.State == engine.Over })
	l.s.Close()
	if end := <-l.end; end.Message != "••• is wrong" {
		t.Errorf("ended %q", end.Message)
	}
}

// TestHiddenSecretsAreNotWritten: in a run with secrets, an edit or a value that contains the mask ••• is refused.
// Without secrets, ••• is ordinary text.
func TestHiddenSecretsAreNotWritten(t *testing.T) {
	const edited = "echo ••• again"
	for _, secrets := range [][]string{nil, {"hunter2"}} {
		f := newFixture(t, "## 1 A\n~~~sh\necho hunter2\n~~~\n")
		l := steer(t, f.session("", func(c *engine.Config) { c.Headless, c.Mode, c.Secrets = false, engine.PauseNext, secrets }))
		l.pausedBefore("1")
		err := l.s.EditAction("1", 0, edited)
		if refused := err != nil; refused != (secrets != nil) {
			t.Errorf("with secrets %q: %v", secrets, err)
		}
		if err != nil && !strings.Contains(err.Error(), "in place of a masked secret") {
			t.Error(err)
		}
		if err := l.s.SetVariable("name", edited); err == nil && secrets != nil {
			t.Error("a variable is set to the mask of a secret")
		}
	}
}

// TestRecordPlayheadToolCall: an agent's tool call is recorded while the run keeps waiting.
func TestRecordPlayheadToolCall(t *testing.T) {
	l := steer(t, newFixture(t, "# T\n\n## 1 Is it well?\n").session("", func(c *engine.Config) { c.Headless = false }))
	l.until("it asks", func(s engine.Status) bool { return s.State == engine.Waiting })
	l.do(l.s.RecordPlayheadToolCall("next_step"))
	if u := l.s.WatchFromStart().Take(); u.Status.State != engine.Waiting || u.Events[len(u.Events)-1].Body.Type() != "called" {
		t.Errorf("the status is %+v after %+v", u.Status, u.Events[len(u.Events)-1])
	}
}

// TestRestorePause: a run that was closed while paused pauses there again when a person resumes it, unless they say how
// far to run. A headless run continues.
func TestRestorePause(t *testing.T) {
	begin := func(t *testing.T) (*fixture, string) {
		f := newFixture(t, "## 1 A\n~~~sh\ntrue\n~~~\n## 2 B\n~~~sh\ntrue\n~~~\n## 3 C\n~~~sh\ntrue\n~~~\n")
		l := steer(t, f.session("", func(c *engine.Config) { c.Headless, c.Mode = false, engine.PauseNext }))
		l.pausedBefore("1")
		l.do(l.s.Continue(engine.StepOver, ""))
		l.pausedBefore("2")
		l.s.Close()
		if w := finished(l.s.Events()).WaitingFor; w == nil || w.Kind != machine.KindPause || w.Step != "2" || w.Prompt != "paused before 2" {
			t.Errorf("the closed run waits for %+v", w)
		}
		f.closeRuns()
		return f, f.runs[0].ID()
	}
	for name, c := range map[string]struct {
		adjust func(*engine.Config)
		before string
		by     string
	}{
		"where it was left":     {func(*engine.Config) {}, "2", ""},
		"though it is to step":  {func(c *engine.Config) { c.Mode = engine.PauseNext }, "2", ""},
		"at a breakpoint there": {func(c *engine.Config) { c.Breakpoints = []engine.Breakpoint{{Step: "2"}} }, "2", "2"},
		"where it is to run to": {func(c *engine.Config) { c.UntilStep = "3" }, "3", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f, run := begin(t)
			l := steer(t, f.session(run, func(e *engine.Config) { e.Headless = false; c.adjust(e) }))
			l.pausedBefore(c.before)
			if l.last.HitBreakpoint != c.by {
				t.Errorf("paused by breakpoint %q", l.last.HitBreakpoint)
			}
			l.do(l.s.Continue(engine.Continue, ""))
			l.over(plan.Completed)
			if got := joinedPath(l.all); got != "1 2 3" {
				t.Errorf("path %s", got)
			}
		})
	}
	f, run := begin(t)
	at2 := func(c *engine.Config) { c.Breakpoints = []engine.Breakpoint{{Step: "2"}} } // where it was paused already
	if end, events := headless(t, f.session(run, at2)); end.Result != plan.Completed || joinedPath(events) != "1 2 3" {
		t.Errorf("%+v: %s", end, joinedPath(events))
	}
}

// TestSecretsAreNotSet: a person cannot change the value of a secret during the run, since the new value would not be
// masked.
func TestSecretsAreNotSet(t *testing.T) {
	l := steer(t, newFixture(t, decided).session("", func(c *engine.Config) {
		c.Headless, c.Secrets, c.Options.SecretNames = false, []string{"hunter2"}, []string{"token"}
	}))
	l.waiting("1", machine.KindDecide)
	for name, err := range map[string]error{
		"set":     l.s.SetVariable("token", "hunter3"),
		"what if": l.s.RewindAndChange(2, machine.WhatIfChange{Variable: "token", Value: "hunter3"}),
	} {
		if err == nil || !strings.Contains(err.Error(), "token is a secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
	l.do(l.s.SetVariable("other", "value"))
}

// TestRDIsMissing: the run warns of a command that calls rd, which only scenarios have (rundown.md §7).
func TestRDIsMissing(t *testing.T) {
	f := newFixture(t, "## 1. Look\n```sh\nrd echo hello\n```\n")
	_, events := headless(t, f.session("", func(c *engine.Config) { c.CommandEnv = []string{"PATH=/usr/bin:/bin"} }))
	warned := bodies[*machine.WarningRecorded](events)
	if len(warned) != 1 || warned[0].Code != "rundown/rd-missing" {
		t.Errorf("warned of %+v", warned)
	}
}

// TestPendingPause: the status says that the run will pause before its next step, until it does or a person continues
// it.
func TestPendingPause(t *testing.T) {
	l := steer(t, newFixture(t, "## 1 Ask\nDone?\n## 2 Ask\nDone?\n## 3 Ask\nDone?\n").session("", func(c *engine.Config) { c.Headless = false }))
	l.waiting("1", machine.KindDecide)
	pausesNext := func(want bool) {
		t.Helper()
		l.until("the pause is as wanted", func(s engine.Status) bool { return s.State == engine.Waiting && s.PausesNext == want })
	}
	pausesNext(false)
	l.do(l.s.Pause())
	pausesNext(true)
	l.do(l.s.Continue(engine.Continue, ""))
	pausesNext(false)
	l.do(l.s.Answer(machine.Answer{Value: "pass", By: machine.ByPerson}))
	l.waiting("2", machine.KindDecide)
	l.do(l.s.Pause())
	l.do(l.s.Answer(machine.Answer{Value: "pass", By: machine.ByPerson}))
	l.pausedBefore("3")
	if l.last.PausesNext {
		t.Error("a paused run still has a pending pause")
	}
}
