package host

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/adrg/xdg"

	"playhead/engine"
	"playhead/engine/drive"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/setup"
	"playhead/engine/track"
	"playhead/parse"
	"playhead/parse/plan"
)

const questions = "# Release\n## 1. Ready?\n- YES: CONTINUE\n- NO: STOP\n## 2. Sure?\n- YES: COMPLETE\n- NO: STOP\n"

// begin begins a run of a document in a state folder of its own. An attended run waits for a person.
func begin(t *testing.T, text string, attended bool, change func(*setup.NewOptions)) *DrivenRun {
	t.Helper()
	dir := t.TempDir()
	t.Cleanup(xdg.Reload) // runs after the variables are restored
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "config"))
	t.Setenv("XDG_RUNTIME_DIR", filepath.Join(dir, "runtime"))
	xdg.Reload()
	t.Chdir(dir)
	if err := os.WriteFile("release.runbook.md", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	o := &setup.NewOptions{
		Options:         setup.Options{Unattended: !attended, CommandsGetNoInput: true, ShowNote: func(string) {}},
		LoadOptions:     parse.Options{Flags: map[string][]string{}},
		CheckFlagsApply: func(*plan.Plan) error { return nil },
	}
	if change != nil {
		change(o)
	}
	run, err := setup.New(o, "release.runbook.md")
	if err != nil {
		t.Fatal(err)
	}
	r := &DrivenRun{Run: run}
	if _, err := r.Begin("test", func(text string) { t.Error(text) }); err != nil {
		t.Fatal(err)
	}
	return r
}

// start drives the run until the test ends, and waits until its status is as wanted.
func (r *DrivenRun) start(t *testing.T, wanted func(engine.Status) bool) {
	t.Helper()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = r.Session.Run(context.Background())
	}()
	t.Cleanup(func() {
		r.Session.Close()
		<-ended
		r.Close()
	})
	r.await(wanted)
}

// prepare drives the run until it asks a question: a live run in this process for the whole test, any other until it is
// left because nobody answers.
func (r *DrivenRun) prepare(t *testing.T, live bool) {
	t.Helper()
	if live {
		r.start(t, isAsked)
		return
	}
	defer r.Close()
	if _, err := r.Session.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (r *DrivenRun) await(wanted func(engine.Status) bool) {
	w := r.Session.WatchFromStart()
	defer w.Stop()
	for !wanted(w.Take().Status) {
		<-w.Changed()
	}
}

func isAsked(s engine.Status) bool  { return s.Question != nil }
func isPaused(s engine.Status) bool { return s.State == engine.Paused }
func runs(s engine.Status) bool     { return s.RunningLog != "" }
func isOver(s engine.Status) bool   { return s.State == engine.Over }

// resume prepares a run for an action, as playhead do does.
func resume(id string) (*setup.Run, error) {
	o := &setup.ResumeOptions{Options: setup.Options{Unattended: true, CommandsGetNoInput: true, ShowNote: func(string) {}}, Reopen: true}
	r, err := setup.Open(o, id)
	if err != nil {
		return nil, err
	}
	return r, r.Resume(o)
}

// script returns an ActionRunner for a recorded run.
func script(t *testing.T, r *DrivenRun) *ActionRunner {
	t.Helper()
	history, err := journal.DefaultStore().ReadHistory(r.Config.Run.ID())
	if err != nil {
		t.Fatal(err)
	}
	return &ActionRunner{History: history, FirstPlan: r.Config.FirstPlan, ResumeRun: resume, PlayheadVersion: "test", ShowNote: func(text string) { t.Error(text) }}
}

// TestActionWithAndWithoutOwner: an action has the same effect whether or not a process drives the run.
func TestActionWithAndWithoutOwner(t *testing.T) {
	for _, c := range []struct {
		order  string
		seq    int
		at     string         // the step that waits after the action
		result plan.RunResult // the result of a run that is over after the action
		why    string         // the text of the refusal
		silent bool           // the action records no event
	}{
		{order: "status", at: "1", silent: true},
		{order: "next", at: "1", silent: true},
		{order: "answer yes", at: "2"},
		{order: "pass", at: "2"},
		{order: "answer no", result: plan.Stopped},
		{order: "fail", result: plan.Stopped},
		{order: "goto 2", at: "2"},
		{order: "complete done", result: plan.Completed},
		{order: "stop", result: plan.Stopped},
		{order: "set x=1", at: "1"},
		{order: "answer maybe", at: "1", why: `"maybe" is not an answer`, silent: true},
		{order: "goto 9", at: "1", why: "9", silent: true},
		{order: "answer yes", seq: 1, at: "1", why: "1", silent: true},
	} {
		for _, live := range []bool{false, true} {
			name := c.order
			if live {
				name += ", live"
			}
			t.Run(name, func(t *testing.T) {
				r := begin(t, questions, live, nil)
				r.prepare(t, live)
				s := script(t, r)
				words := strings.Fields(c.order)
				arguments, err := EncodeArguments(strings.NewReader(""), words[0], words[1:])
				if err != nil {
					t.Fatal(err)
				}
				err = s.Do(t.Context(), drive.ActionRequest{Action: words[0], Arguments: arguments, KnownSeq: c.seq})
				switch {
				case c.why == "" && err != nil:
					t.Error(err)
				case c.why != "" && (!IsRefusal(err) || !strings.Contains(err.Error(), c.why)):
					t.Errorf("want a refusal that says %s: %v", c.why, err)
				}
				at := ""
				if s.Result.State.WaitingFor != nil {
					at = s.Result.State.WaitingFor.Step
				}
				if at != c.at || s.Result.State.Result != c.result {
					t.Errorf("waits at %q, result %q: %+v", at, s.Result.State.Result, s.Result.State)
				}
				if told := hasOwn(s.Result.Events); told == c.silent {
					t.Errorf("events: %v", s.Result.Events)
				}
			})
		}
	}
}

// TestActionMessage: an action without an event says what it did, whether or not a process drives the run.
func TestActionMessage(t *testing.T) {
	for _, live := range []bool{false, true} {
		r := begin(t, questions, live, nil)
		r.prepare(t, live)
		for _, c := range []struct{ action, argument, want string }{
			{"break", "2", "Breakpoint set: 2."},
			{"break", "2", "Breakpoint cleared: 2."},
			{"answer", "yes", ""},
			{"undo", "", "Undone: answer to step 1."},
			{"redo", "", "Redone: answer to step 1."},
		} {
			s := script(t, r)
			arguments, err := EncodeArguments(strings.NewReader(""), c.action, strings.Fields(c.argument))
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Do(t.Context(), drive.ActionRequest{Action: c.action, Arguments: arguments}); err != nil || s.Result.Message != c.want {
				t.Errorf("%s, live %t: %q, %v; want %q", c.action, live, s.Result.Message, err, c.want)
			}
		}
	}
}

// TestActionRunReload: after a reload the steps are those of the new version, whether or not a process drives the run.
func TestActionRunReload(t *testing.T) {
	for _, live := range []bool{false, true} {
		r := begin(t, questions, live, nil)
		r.prepare(t, live)
		if err := os.WriteFile("release.runbook.md", []byte(strings.Replace(questions, "Sure?", "Tested?", 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		s := script(t, r)
		if err := s.Do(t.Context(), drive.ActionRequest{Action: "reload", Arguments: []byte(`"here 2"`)}); err != nil {
			t.Fatal(err)
		}
		run := track.New(s.FirstPlan)
		run.Fold(s.History.Events...)
		run.Fold(s.Result.Events...)
		if row := run.RowByLabel("2"); row.Title != "Tested?" {
			t.Errorf("live %v: step 2 is %q", live, row.Title)
		}
	}
}

// hasOwn reports whether there are events other than those of resuming and leaving a run.
func hasOwn(events []machine.Event) bool {
	for _, e := range events {
		end, ended := e.Body.(*machine.RunFinished)
		_, resumed := e.Body.(*machine.RunResumed)
		if !resumed && (!ended || end.WaitingFor == nil) {
			return true
		}
	}
	return false
}

// TestActionRunCancel: cancel ends a run that a process drives. A run without a process is interrupted and can be
// continued.
func TestActionRunCancel(t *testing.T) {
	for live, want := range map[bool]string{true: "cancelled\n", false: "interrupted at 1: to continue, use playhead do continue --run RUN\n"} {
		r := begin(t, questions, live, nil)
		r.prepare(t, live)
		s := script(t, r)
		if err := s.Do(t.Context(), drive.ActionRequest{Action: "cancel", Arguments: []byte(`""`)}); err != nil {
			t.Error(err)
		}
		var b strings.Builder
		if s.Result.State.WriteText(&b, true); b.String() != strings.ReplaceAll("run RUN: "+want, "RUN", r.Config.Run.ID()) {
			t.Errorf("live %v: %s", live, &b)
		}
	}
}

// TestContinueInterruptedRun: a run whose command was interrupted continues to the question about this command, and
// then says how to answer it.
func TestContinueInterruptedRun(t *testing.T) {
	r := begin(t, "## 1. Sleep\n```sh\nsleep 30\n```\n", false, nil)
	ctx, cutOff := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = r.Session.Run(ctx)
	}()
	r.await(runs)
	cutOff()
	<-ended
	r.Close()
	s := script(t, r)
	if state := drive.RecordedState(s.FirstPlan, s.History).State; state != drive.Interrupted {
		t.Fatalf("the run is %s", state)
	}
	if err := s.Do(t.Context(), drive.ActionRequest{Action: "continue", Arguments: []byte(`""`)}); err != nil {
		t.Error(err)
	}
	var b strings.Builder
	if s.Result.State.WriteText(&b, false); !strings.Contains(b.String(), `"Sleep" was interrupted`) || !strings.Contains(b.String(), "playhead do answer rerun") {
		t.Errorf("%s", &b)
	}
}

// TestActionRunAfterEnd: an action either reopens a run that is over, or is refused and the run stays as it ended.
func TestActionRunAfterEnd(t *testing.T) {
	for order, want := range map[string]struct {
		result plan.RunResult
		at     string
		why    bool
		effect string
	}{
		"answer yes": {result: plan.Completed, why: true},
		"rewind 1":   {at: "1", effect: "The run pauses there, or waits for the answer if a question is open. No command or tool has run since the start."},
		"jump 1":     {at: "1"},
		"fail":       {result: plan.Stopped, effect: "The run is over. This reopens it, and it continues from step 2."},
	} {
		r := begin(t, questions, false, func(o *setup.NewOptions) { o.Answers = []string{"1=yes", "2=yes"} })
		r.prepare(t, false)
		s := script(t, r)
		words := strings.Fields(order)
		arguments, err := EncodeArguments(nil, words[0], words[1:])
		if err == nil {
			err = s.Do(t.Context(), drive.ActionRequest{Action: words[0], Arguments: arguments})
		}
		at := ""
		if s.Result.State.WaitingFor != nil {
			at = s.Result.State.WaitingFor.Step
		}
		if s.Result.Effect != want.effect {
			t.Errorf("%s: effect %q", order, s.Result.Effect)
		}
		if want.why != IsRefusal(err) || err != nil && !want.why || want.result != "" && s.Result.State.Result != want.result || at != want.at {
			t.Errorf("%s: %v, result %q, waits at %q", order, err, s.Result.State.Result, at)
		}
	}
}

// TestRerunAfterEnd: a step that runs again after the end of the run is not interrupted.
func TestRerunAfterEnd(t *testing.T) {
	r := begin(t, "## 1. Sleep\n```sh\nsleep 0.3\n```\n", false, nil)
	r.prepare(t, false)
	s := script(t, r)
	if err := s.Do(t.Context(), drive.ActionRequest{Action: "rerun", Arguments: []byte(`""`)}); err != nil {
		t.Error(err)
	}
	if s.Result.State.Result != plan.Completed {
		t.Errorf("the run is %s, %q", s.Result.State.State, s.Result.State.Result)
	}
}

// TestArguments: words become the arguments of an action, and wrong ones are reported as errors of usage.
func TestArguments(t *testing.T) {
	for _, c := range []struct{ action, words, in, want, err string }{
		{action: "status"}, {action: "next"},
		{action: "status", words: "now", err: `playhead do status takes no arguments: remove "now"`},
		{action: "next", words: "a b", err: `remove "a b"`},
		{action: "pass", want: `""`},
		{action: "goto", words: "2.1", want: `"2.1"`},
		{action: "set", words: "a=b c", want: `"a=b c"`},
		{action: "answer", words: "two words", want: `{"value":"two words"}`},
		{action: "answer", want: `""`},
		{action: "reply", words: "some text", want: `{"text":"some text"}`},
		{action: "reply", words: "-", in: "a\nb\n", want: `{"text":"a\nb\n"}`},
		{action: "report", words: "-", in: `{"status":"done"}`, want: `{"report":{"status":"done"}}`},
		{action: "report", words: "-", in: "done", err: "a report must be a JSON object"},
		{action: "reply", words: "-", in: strings.Repeat("x", 65<<20), err: "cannot read standard input"},
	} {
		got, err := EncodeArguments(strings.NewReader(c.in), c.action, strings.Fields(c.words))
		var mistake *setup.Error
		switch {
		case c.err == "" && (err != nil || string(got) != c.want):
			t.Errorf("%s %s: %s, %v", c.action, c.words, got, err)
		case c.err != "" && (!errors.As(err, &mistake) || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s %s: %v", c.action, c.words, err)
		}
	}
}

// TestExitMessage: the line on the terminal says where the run is and how to resume it.
func TestExitMessage(t *testing.T) {
	waits := func(kind, prompt string) engine.Ending {
		return engine.Ending{RunFinished: machine.RunFinished{WaitingFor: &machine.Waiting{Kind: kind, Step: "2", Prompt: prompt}}}
	}
	ended := func(result plan.RunResult, message string) engine.Ending {
		return engine.Ending{RunFinished: machine.RunFinished{Result: result, Message: message}}
	}
	r := begin(t, questions, true, nil)
	id := r.Config.Run.ID()
	goOn := " · resume with: playhead resume " + id
	if got := r.ExitMessage(engine.Ending{}); got != "quit before the first step"+goOn {
		t.Error(got)
	}
	r.start(t, isAsked)
	for want, end := range map[string]engine.Ending{
		"waits at 1" + goOn:             {},
		"waits at 2" + goOn:             waits("decide", "Sure?"),
		"paused before 2" + goOn:        waits(machine.KindPause, ""),
		"breakpoint at 2" + goOn:        waits(machine.KindPause, "breakpoint at 2"),
		"completed · run " + id:         ended(plan.Completed, ""),
		`stopped "it is" · run ` + id:   ended(plan.Stopped, "it\nis"),
		"cancelled · run " + id + goOn:  ended(plan.Cancelled, ""),
		`failed "no power" · run ` + id: ended(plan.RunFailed, "no power"),
	} {
		if got := r.ExitMessage(end); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestExitMessagePaused: a run that is left at a pause says before which step.
func TestExitMessagePaused(t *testing.T) {
	r := begin(t, questions, true, func(o *setup.NewOptions) { o.UntilStep = "2"; o.Answers = []string{"1=yes"} })
	r.start(t, isPaused)
	if got, want := r.ExitMessage(engine.Ending{}), "paused before 2 · resume with: "+r.ResumeCommand(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestInterruptHandler: the effect of ctrl+c depends on the state of the run and on whether a person attends it.
func TestInterruptHandler(t *testing.T) {
	const sleeps = "## 1. Wait\n```sh\nexec sleep 600\n```\n"
	for _, c := range []struct {
		name, document string
		until          func(engine.Status) bool
		person         bool
		handled        [2]bool // by the first and the second interrupt
		then           func(engine.Status) bool
	}{
		{"at a question, the run is left", questions, isAsked, true, [2]bool{false, false}, isAsked},
		{"at a question without a person, it is cancelled", questions, isAsked, false, [2]bool{true, false}, isOver},
		{"a command is cancelled, and then the person is asked", sleeps, runs, true, [2]bool{true, false}, isAsked},
		{"a run without a person is cancelled", sleeps, runs, false, [2]bool{true, false}, isOver},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := begin(t, c.document, true, func(o *setup.NewOptions) { o.Trust = true })
			r.start(t, c.until)
			interrupt := InterruptHandler(r.Session, c.person)
			if first, second := interrupt(), interrupt(); [2]bool{first, second} != c.handled {
				t.Errorf("handled: %v, %v", first, second)
			}
			r.await(c.then)
		})
	}
}

// TestCatchSignals: a signal cancels the context, unless it is an interrupt that the handler handles.
func TestCatchSignals(t *testing.T) {
	handled := make(chan bool, 1)
	ctx, stop := CatchSignals(t.Context(), func() bool {
		handled <- true
		return true
	})
	if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if <-handled; ctx.Err() != nil {
		t.Error("an interrupt that was handled ends the run")
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-ctx.Done()
	if sig := stop(); sig != syscall.SIGTERM {
		t.Error(sig)
	}
	ctx, stop = CatchSignals(t.Context(), nil)
	if sig := stop(); sig != 0 || ctx.Err() == nil {
		t.Errorf("%v, %v", sig, ctx.Err())
	}
}
