package control_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/shell"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/parse/rundown"
)

const document = `# Release
## 1. Build
Does it build?
- PASS: CONTINUE
- FAIL: STOP

## 2. Test
### 2.1 Unit
Do they pass?
- PASS: CONTINUE
- FAIL: GOTO Repair
### 2.2 All
Do they pass?
- PASS: CONTINUE
- FAIL: RETRY 2 STOP

## 3. Announce
Is it announced?
- YES: COMPLETE
- NO: STOP

## Repair
Is it repaired?
- PASS: GOTO 2
- FAIL: STOP
`

// driven is the session that a test drives, and the run as a user interface sees it.
type driven struct {
	session *engine.Session
	watcher *engine.Watcher
	control.RunView
	ended chan struct{}
}

func drive(t testing.TB) *driven {
	dir := t.TempDir()
	path := filepath.Join(dir, "release.runbook.md")
	if err := os.WriteFile(path, []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	p := rundown.Parse(path, []byte(document), rundown.Options{})
	run, err := journal.NewVolatileStore(filepath.Join(dir, "runs")).Create(p, dir)
	if err != nil {
		t.Fatal(err)
	}
	s, err := engine.New(engine.Config{FirstPlan: p, Run: run, Shell: shell.NewRunner(time.Second), Mode: engine.PauseNext})
	if err != nil {
		t.Fatal(err)
	}
	d := &driven{session: s, watcher: s.WatchFromStart(), ended: make(chan struct{})}
	d.Plan, d.IsBegun = p, true
	go func() {
		defer close(d.ended)
		_, _ = s.Run(t.Context())
	}()
	t.Cleanup(func() { s.Close(); <-d.ended; run.Close() })
	return d
}

// sync waits until the session is idle, and takes over its new events and its status.
func (d *driven) sync() {
	synctest.Wait()
	u := d.watcher.Take()
	if u.IsRestarted || d.Track == nil {
		d.Track, d.Events = track.New(d.Plan), nil
	}
	d.Track.Fold(u.Events...)
	d.Events, d.Status, d.Upcoming = append(d.Events, u.Events...), u.Status, track.UpcomingInstance{}
	if n := u.Status.NextEvent; n != nil {
		d.Upcoming = d.Track.UpcomingInstance(*n)
	}
}

// do performs the action that the line names.
func (d *driven) do(line string) error {
	name, rest, _ := strings.Cut(line, " ")
	a := control.FindAction(name)
	args, err := a.ParseLine(d.RunView, rest)
	if err == nil {
		err = a.Do(d.session, d.RunView, args)
	}
	d.sync()
	return err
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct{ before, action, want string }{
		{"", "continue", ""},
		{"", "rerun", "No step has run yet. Press over to run the first, or press jump to jump to one."},
		{"", "answer yes", "There is no open question."},
		{"", "rerun 3", "No step has run yet. Press over to run the first, or press jump to jump to one."},
		{"", "source", "source needs NAME: the form is source NAME"},
		{"", "source manual", "No step of this document asks a model."},
		{"", "jump 9", `there is no step "9": choose from 1, 2, 2.1, 2.2, 3, Repair`},
		{"", "jump", "jump needs STEP: the form is jump STEP [NOTE]"},
		{"", "rewind x", `"x" is not the number of an event of this run`},
		{"", "approvals never", `"never" is not a valid choice: it must be each, once or none`},
		{"", "over now", `over does not take "now"`},
		{"over", "over", "The run is waiting for your answer. Press answer to give it."},
		{"over", "rerun 3", "Step 3 has not run yet. Press jump to jump to it."},
		{"over", "jump 1", "The run is already at this step. Select another one."},
		{"over", "override pass", "Override works only after a step has ended and before the next one begins, or when the run is over. Press rerun to run a step again."},
		{"over,fail", "continue", "The run is over. Press rerun to run a step again, or press jump to jump to one."},
		{"over,fail", "skip", "The run is over, so there is no step to skip. Press rerun to run a step again."},
		{"over,fail", "stop", "The run is already over."},
		{"over,fail", "pass", ""},
		{"over,fail", "override pass", ""},
		{"over,fail", "override fail", "Step 1 has already failed."},
		{"break 1:after,over,pass", "pass", "Step 1 has already passed."},
		{"break 1:after,over,fail", "fail", "Step 1 has already failed."},
		{"break 1:after,over,fail", "pass", ""},
	} {
		t.Run(c.before+" "+c.action, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := drive(t)
				d.sync()
				for _, line := range strings.FieldsFunc(c.before, func(r rune) bool { return r == ',' }) {
					if err := d.do(line); err != nil {
						t.Fatalf("%s: %v", line, err)
					}
				}
				got := ""
				switch err := d.do(c.action).(type) {
				case nil:
				case *control.RefusedError:
					got = err.Reason.ReplacePlaceholders(func(action string) string { return "press " + action })
				default:
					got = err.Error()
				}
				if got != c.want {
					t.Errorf("%s\n got %q\nwant %q", c.action, got, c.want)
				}
			})
		})
	}
}

// TestEqualBreakpoint: a breakpoint that is already set, such as one of --break, stays as it is.
func TestEqualBreakpoint(t *testing.T) {
	given := engine.Breakpoint{Step: "1", After: true, IsFromFlag: true}
	r := control.RunView{Breakpoints: []engine.Breakpoint{given}}
	for b, want := range map[engine.Breakpoint][]engine.Breakpoint{
		{Step: "1", After: true}: {given},
		{Step: "1"}:              {},
		{Step: "2"}:              {given, {Step: "2"}},
	} {
		if got := r.BreakpointsAfterToggle(b); !slices.Equal(got, want) {
			t.Errorf("%v: %v", b, got)
		}
	}
}

// TestAvailableIsPossible: the session accepts every action that the table calls available, whatever happened before.
func TestAvailableIsPossible(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		synctest.Test(t, func(t *testing.T) {
			d := drive(t)
			d.sync()
			for range rapid.IntRange(1, 12).Draw(rt, "actions") {
				a := rapid.SampledFrom(control.AllActions()).Draw(rt, "action")
				args := d.arguments(rt, &a)
				if a.UnavailableReason(d.RunView, args) != "" {
					continue
				}
				a.Effect(d.RunView, args)
				if err := a.Do(d.session, d.RunView, args); err != nil && !slices.Contains(onlyTheSessionKnows, err.Error()) {
					rt.Fatalf("%s %+v: %v", a.Name, args, err)
				}
				d.sync()
			}
		})
	})
}

// onlyTheSessionKnows are the refusals that need the whole journal.
var onlyTheSessionKnows = []string{
	"the run does not know where its document is", "there is nothing to undo", "there is nothing to redo"}

// arguments draws arguments that fit the action.
func (d *driven) arguments(t *rapid.T, a *control.Action) control.Args {
	args := control.Args{Text: "pass"}
	for _, p := range a.Params {
		switch p.Kind {
		case control.StepParam:
			args.Row = d.RowByLabel(rapid.SampledFrom(d.StepLabels()).Draw(t, "step"))
		case control.EventParam:
			args.EventSeq = rapid.SampledFrom(d.Events).Draw(t, "event").Seq
		case control.AssignmentParam:
			args.Name, args.Text = "version", "1"
			args.WhatIfChange = machine.WhatIfChange{Variable: "version", Value: "1"}
		case control.BreakpointParam:
			args.Breakpoint = engine.Breakpoint{Step: rapid.SampledFrom(d.StepLabels()).Draw(t, "at")}
		case control.ResultParam:
			args.Result = rapid.SampledFrom([]plan.Result{plan.Passed, plan.Failed}).Draw(t, "result")
		case control.ChoiceParam:
			args.Text = p.Options[0]
		}
	}
	if q := d.Status.Question; a.Name == "answer" && q != nil {
		args.Text = rapid.SampledFrom(q.Options).Draw(t, "answer")
	}
	return args
}

func TestUsage(t *testing.T) {
	var out strings.Builder
	for _, a := range control.AllActions() {
		fmt.Fprintf(&out, "%s %s: %s\n", a.Name, a.ParamsUsage(), a.Help)
	}
	for _, want := range []string{"jump STEP [NOTE]: jump to a step\n", "rerun [STEP] [NOTE]: run a step again\n", "approvals each|once|none: "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// TestOverriddenStep: when the run is paused before the routes of a group, pass and fail override the outcome of the
// step that ran last, not that of the group.
func TestOverriddenStep(t *testing.T) {
	r := control.RunView{Track: &track.Track{CurrentRow: &track.Row{Label: "1.2"}}}
	for step, body := range map[string]machine.Body{"1": &machine.Decision{}, "2": &machine.StepEntered{}} {
		r.Status = engine.Status{State: engine.Paused, NextEvent: &machine.Event{Step: step, Body: body}}
		want := map[string]string{"1": "1.2", "2": "2"}[step]
		if got := r.OverriddenStepLabel(); got != want {
			t.Errorf("before %T of %s: %s, want %s", body, step, got, want)
		}
	}
}

// TestResultsOfEdits: the sentence about an edit offers to write it back, unless the document is built in.
func TestResultsOfEdits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := drive(t)
		d.sync()
		for _, path := range []string{"release.runbook.md", machine.BuiltInPrefix + "release"} {
			d.Events = []machine.Event{{Body: &machine.RunStarted{DocumentPath: path}}}
			for action, want := range map[string][2]string{
				"edit":           {"Step 1 uses the edit the next time it begins.", " Write-back to write it into the document."},
				"edit-rule":      {"The rule is changed in this run.", " Write-back to write it into the document."},
				"insert-step":    {"The steps are changed in this run.", " Write-back to write them into the document."},
				"duplicate-step": {"The steps are changed in this run.", " Write-back to write them into the document."},
				"remove-step":    {"The steps are changed in this run.", " Write-back to write them into the document."},
				"move-step":      {"The steps are changed in this run.", " Write-back to write them into the document."},
			} {
				text := want[0] + want[1]
				if path != "release.runbook.md" {
					text = want[0]
				}
				got := control.FindAction(action).ResultText(d.RunView, control.Args{Row: d.RowByLabel("1"), Text: "x"})
				if got := got.ReplacePlaceholders(func(name string) string { return name }); got != text {
					t.Errorf("%s of %s: %q, want %q", action, path, got, text)
				}
			}
		}
	})
}

// TestPlaceThatTheRunHasPassed: if a step is put where the run certainly does not get any more, the effect says so.
func TestPlaceThatTheRunHasPassed(t *testing.T) {
	for _, c := range []struct {
		before, action string
		isPast         bool
	}{
		{"", "insert-step before 1 New", false},       // the run then begins there
		{"jump 3", "insert-step before 3 New", false}, // not certain: a paused run may decide again
		{"over", "insert-step before 1 New", true},
		{"over", "insert-step after 1 New", false},
		{"over", "duplicate-step 1", false},
		{"over", "move-step 3 before 1", true},
		{"over", "move-step 3 before 2", false},
		{"over,pass", "insert-step before 2 New", false}, // 1 decides again
		{"over,pass", "insert-step after 1 New", false},
		{"over,pass", "insert-step before 1 New", true},
		{"over,pass,jump 3", "insert-step before 2 New", true},
		{"over,pass,jump 3,undo", "insert-step before 2 New", false},
		{"over,pass,over", "insert-step before 2 New", true},
		{"over,pass,over", "insert-step before 2.2 New", false},
		{"over,pass,over", "insert-step after 2 New", false},
		{"over,pass,over,pass,over", "duplicate-step 2.1", true},
		{"over,pass,over,fail", "insert-step before Repair New", false},
		{"over,pass,over,fail", "insert-step before 2 New", true},
		{"over,pass,over,fail,over,pass", "insert-step before 2 New", false},
		{"over,pass,over,fail,over,pass", "insert-step after 2 New", false},
		{"over,fail", "insert-step before 1 New", true},
		{"over,fail", "insert-step after 1 New", false},
		{"over,pass,over", "remove-step 3", false},
		{"over,pass,over,pass,over,pass", "insert-step before 2.2 New", true},
		{"over,pass,over,pass,over,pass", "duplicate-step 2.2", false},
		{"over,pass,over,pass,over,pass", "insert-step after 2 New", false},
		{"over,pass,over,pass,over,pass", "insert-step before 3 New", false},
		{"over,pass,over,fail,over,pass", "insert-step before 2.1 New", false}, // Repair leads to 2, which is entered at its start
		{"jump 2", "insert-step before 2.1 New", false},
		{"jump 2", "insert-step before 2 New", false},
		{"over,pass,set x=1", "insert-step before 2 New", false},
		{"over,pass,set x=1", "insert-step before 2.1 New", false},
	} {
		t.Run(c.before+"/"+c.action, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := drive(t)
				d.sync()
				for line := range strings.FieldsFuncSeq(c.before, func(r rune) bool { return r == ',' }) {
					if err := d.do(line); err != nil {
						t.Fatalf("%s: %v", line, err)
					}
				}
				name, rest, _ := strings.Cut(c.action, " ")
				a := control.FindAction(name)
				args, err := a.ParseLine(d.RunView, rest)
				if err != nil {
					t.Fatal(err)
				}
				text := a.Effect(d.RunView, args).TextToSay()
				if isPast := strings.Contains(string(text), "The run is already past"); isPast != c.isPast {
					t.Errorf("%q", text)
				}
			})
		})
	}
}

// TestLiteralText: braces in a person's text are not placeholders.
func TestLiteralText(t *testing.T) {
	s := "Set: " + control.LiteralText(`x == "{stop}"`) + ". {stop} to stop."
	if got := s.ReplacePlaceholders(func(action string) string { return "use " + action }); got != `Set: x == "{stop}". Use stop to stop.` {
		t.Error(got)
	}
}

// TestBracesInReasons: braces in a value are not placeholders in the sentence that refuses an action.
func TestBracesInReasons(t *testing.T) {
	p := rundown.Parse("release.runbook.md", []byte(document), rundown.Options{})
	r := control.RunView{Plan: p, IsBegun: true, SavedVersion: &engine.ReloadOffer{DocumentVersion: &engine.DocumentVersion{Plan: p}}}
	r.Status.ChangedFiles = []string{"main.go"}
	failed := r
	failed.Status.Err = errors.New("open {id}: no space left on device")
	for name, args := range map[string]control.Args{
		"restore": {Text: "src/{id}.ts"},
		"reload":  {Text: control.ReloadHere, TargetID: "{id}"},
	} {
		reason := control.FindAction(name).UnavailableReason(r, args)
		if got := reason.ReplacePlaceholders(func(string) string { return "press x" }); !strings.Contains(got, "{id}") {
			t.Errorf("%s: %s", name, got)
		}
	}
	running := r
	running.Track, running.Status.RunningStep = track.New(p), "{stop}"
	reason := control.FindAction("shell").UnavailableReason(running, control.Args{})
	if got := reason.ReplacePlaceholders(func(action string) string { return "use " + action }); got != "Step {stop} is still running. Use interrupt to interrupt it, then open a shell." {
		t.Error(got)
	}
	if got := (&control.RefusedError{Reason: control.FindAction("set").UnavailableReason(failed, control.Args{})}).Error(); !strings.Contains(got, "{id}") {
		t.Error(got)
	}
}
