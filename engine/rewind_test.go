package engine_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
)

const decided = "## 1 A\n- PASS: CONTINUE\n- FAIL: GOTO 3\n~~~sh prompt\nlook\n~~~\n## 2 B\n~~~sh\necho two\n~~~\n## 3 C\n~~~sh prompt\nlook\n~~~\n"

// seqOf returns the sequence number of the first event of a step with a type.
func (l *live) seqOf(step, kind string) int {
	for _, e := range l.all {
		if e.Step == step && e.Body.Type() == kind {
			return e.Seq
		}
	}
	l.t.Fatalf("no %s of %s", kind, step)
	return 0
}

func (l *live) answer(value string) {
	l.t.Helper()
	l.do(l.s.Answer(machine.Answer{Value: value, By: machine.ByPerson}))
}

// TestRewind: a run rewinds to an earlier event, pauses there and takes another route. The journal keeps both paths,
// and a resumed run is on the new one.
func TestRewind(t *testing.T) {
	f := newFixture(t, decided)
	s := f.session("", func(c *engine.Config) { c.Headless = false })
	l := steer(t, s)
	l.waiting("1", machine.KindDecide)
	l.answer("pass")
	l.waiting("3", machine.KindDecide)
	asked := l.seqOf("1", "input.needed")
	l.do(l.s.Rewind(asked))
	l.waiting("1", machine.KindDecide)
	l.answer("fail")
	l.waiting("3", machine.KindDecide)
	l.do(l.s.Rewind(l.seqOf("1", "step.entered")))
	l.until("held, for it was rewound", func(s engine.Status) bool { return s.State == engine.Paused })
	l.do(l.s.Continue(engine.Continue, ""))
	l.waiting("1", machine.KindDecide)
	l.answer("fail")
	l.waiting("3", machine.KindDecide)
	l.answer("pass")
	l.over(plan.Completed)
	if got := finished(l.all).EnteredStepLabels; len(got) != 2 || got[1] != "3" {
		t.Errorf("path %v", got)
	}
	s.Close()
	f.closeRuns()
	again := steer(t, f.session(f.runs[0].ID(), func(c *engine.Config) { c.Headless = false }))
	again.until("over", func(s engine.Status) bool { return s.State == engine.Over })
	if got := joinedPath(again.all); got != "1 3" {
		t.Errorf("the path of the resumed run is %s", got)
	}
}

// TestRewindToQuestionWithWarning: a run asks again after a rewind to a question about which there is a warning. Undo and redo
// work there too.
func TestRewindToQuestionWithWarning(t *testing.T) {
	f := newPlaybook(t, "# T\n## STEP 1: A\n@elicit(confirm, \"Deploy {{ghost}}?\")\n## STEP 2: B\n@elicit(confirm, \"Sure?\")\n")
	l := steer(t, f.session("", func(c *engine.Config) { c.Headless = false }))
	l.waiting("1", machine.KindAsk)
	l.answer("yes")
	l.waiting("2", machine.KindAsk)
	l.do(l.s.Rewind(l.seqOf("1", "input.needed")))
	l.waiting("1", machine.KindAsk)
	l.do(l.s.Undo())
	l.waiting("2", machine.KindAsk)
	l.do(l.s.Undo())
	l.waiting("1", machine.KindAsk)
	l.do(l.s.Redo())
	l.waiting("2", machine.KindAsk)
}

// TestUndoRedo: undo reverts an intervention, and redo makes it again.
func TestUndoRedo(t *testing.T) {
	l := steer(t, newFixture(t, decided).session("", func(c *engine.Config) { c.Headless = false }))
	l.waiting("1", machine.KindDecide)
	if err := l.s.Redo(); err == nil {
		t.Error("redo works without an undo")
	}
	l.answer("fail")
	l.waiting("3", machine.KindDecide)
	l.do(l.s.SetVariable("x", "1"))
	l.do(l.s.Undo())
	l.do(l.s.Undo())
	l.waiting("1", machine.KindDecide)
	l.do(l.s.Redo())
	l.do(l.s.Redo())
	l.waiting("3", machine.KindDecide)
	set := false
	for _, e := range l.all {
		_, captured := e.Body.(*machine.VariableCaptured)
		set = set || captured
	}
	if !set {
		t.Error("redo has not set x again")
	}
	if err := l.s.Redo(); err == nil {
		t.Error("redo works more often than undo")
	}
}

const rated = "# A\n## STEP 1: Rate\nRate it.\n@output(level)\n## STEP 2: Act\n```if level == \"high\"```\n### STEP 2a: Page\nPage.\n```else```\n### STEP 2b: File\nFile.\n```endif```\n"

// TestRewindAndChange: a run rewinds to an earlier event with a changed reply or variable, and takes another route from
// there. One undo reverts both.
func TestRewindAndChange(t *testing.T) {
	f := newPlaybook(t, rated)
	l := steer(t, f.session("", func(c *engine.Config) { c.Headless = false }))
	l.waiting("1", machine.KindReply)
	l.answer("low")
	l.waiting("2b", machine.KindReply)
	high := "high"
	l.do(l.s.RewindAndChange(l.seqOf("1", "action.started"), machine.WhatIfChange{Reply: &high}))
	l.until("held", func(s engine.Status) bool { return s.State == engine.Paused })
	l.do(l.s.Continue(engine.Continue, ""))
	l.waiting("2a", machine.KindReply)
	l.do(l.s.Undo())
	l.until("held", func(s engine.Status) bool { return s.State == engine.Paused })
	l.do(l.s.Continue(engine.Continue, ""))
	l.waiting("2b", machine.KindReply)
	l.do(l.s.RewindAndChange(l.seqOf("1", "step.finished"), machine.WhatIfChange{Variable: "level", Value: "high"}))
	l.until("held", func(s engine.Status) bool { return s.State == engine.Paused })
	l.do(l.s.Continue(engine.Continue, ""))
	l.waiting("2a", machine.KindReply)
	if next, err := l.s.NextUndo(); err != nil || track.InterventionText(next.Event) != "level = high" {
		t.Errorf("would undo %s, %v", track.InterventionText(next.Event), err)
	}
}

// TestRedoWhileRunning: a redo first ends the command that runs again since the rewind.
func TestRedoWhileRunning(t *testing.T) {
	l := steer(t, newFixture(t, "## 1 A\n~~~sh\nexec sleep 600\n~~~\n").session("", func(c *engine.Config) { c.Headless = false }))
	running := func(s engine.Status) bool { return s.State == engine.Running && s.RunningLog != "" }
	l.until("running", running)
	l.do(l.s.SetVariable("x", "1"))
	l.until("set", func(engine.Status) bool { return len(bodies[*machine.VariableCaptured](l.all)) > 0 })
	l.do(l.s.Rewind(l.seqOf("1", "captured")))
	l.until("held, for it was rewound", func(s engine.Status) bool { return s.State == engine.Paused })
	l.do(l.s.Continue(engine.Continue, ""))
	l.until("running again", running)
	l.do(l.s.Redo())
	l.until("held, for it was redone", func(s engine.Status) bool { return s.State == engine.Paused })
	l.do(l.s.Continue(engine.Continue, ""))
	l.waiting("1", machine.KindResume)
}

// TestRewindAndChangeNothing: a change that is impossible at an event is refused, and the run stays where it is.
func TestRewindAndChangeNothing(t *testing.T) {
	l := steer(t, newPlaybook(t, rated).session("", func(c *engine.Config) { c.Headless = false }))
	l.waiting("1", machine.KindReply)
	l.answer("low")
	l.waiting("2b", machine.KindReply)
	high := "high"
	for _, seq := range []int{1, l.seqOf("1", "step.entered"), l.seqOf("1", "captured"), 999} {
		if err := l.s.RewindAndChange(seq, machine.WhatIfChange{Reply: &high}); err == nil {
			t.Errorf("a changed reply is accepted at event %d", seq)
		}
	}
	if err := l.s.RewindAndChange(1, machine.WhatIfChange{Result: plan.Failed}); err == nil {
		t.Error("a changed result is accepted before a step is entered")
	}
	l.answer("filed")
	l.over(plan.Completed)
}

// TestUndoAtTheEnd: when a person edits a run that is over and undoes the edit, the run stays over. Its journal still
// ends with its result.
func TestUndoAtTheEnd(t *testing.T) {
	f := newFixture(t, decided)
	s := f.session("", func(c *engine.Config) { c.Headless = false })
	l := steer(t, s)
	l.waiting("1", machine.KindDecide)
	l.answer("pass")
	l.waiting("3", machine.KindDecide)
	l.answer("pass")
	l.over(plan.Completed)
	l.do(l.s.EditAction("2", 0, "echo three"))
	l.do(l.s.Undo())
	l.until("over still", func(s engine.Status) bool { return s.State == engine.Over })
	s.Close()
	f.closeRuns()
	history, err := f.store.ReadHistory(f.runs[0].ID())
	if err != nil {
		t.Fatal(err)
	}
	tr := track.New(f.plan)
	tr.Fold(machine.BranchWithRewinds(history.Events)...)
	if tr.Finished == nil || tr.Finished.Result != plan.Completed {
		t.Errorf("the run is not over: %+v", tr.Finished)
	}
	if end, is := history.Events[len(history.Events)-1].Body.(*machine.RunFinished); !is || end.Result != plan.Completed {
		t.Errorf("its journal ends with %T", history.Events[len(history.Events)-1].Body)
	}
	all, err := f.store.List()
	if err != nil || len(all) != 1 || all[0].Result != string(plan.Completed) || !all[0].Ended.Equal(endedAt(history.Events)) {
		t.Errorf("listed as %+v, %v", all, err)
	}
}

// endedAt returns when a run ended for the first time.
func endedAt(events []machine.Event) time.Time {
	for _, e := range events {
		if _, end := e.Body.(*machine.RunFinished); end {
			return e.Time
		}
	}
	return time.Time{}
}

// TestLookedAtAtTheEnd: opening a finished run does not change when it ended, even if its journal ends with another
// event.
func TestLookedAtAtTheEnd(t *testing.T) {
	f := newFixture(t, decided)
	s := f.session("", func(c *engine.Config) { c.Headless = false })
	l := steer(t, s)
	l.waiting("1", machine.KindDecide)
	l.answer("pass")
	l.waiting("3", machine.KindDecide)
	l.answer("pass")
	l.over(plan.Completed)
	s.Close()
	f.closeRuns()
	id := f.runs[0].ID()
	run, history, err := f.store.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	n := len(history.Events)
	err = run.Append(machine.Event{Seq: n + 1, Time: history.Events[n-1].Time.Add(time.Hour), Step: "2", By: machine.ByPerson, Body: &machine.ActionEdited{Text: "echo three"}})
	if err := errors.Join(err, run.Close()); err != nil {
		t.Fatal(err)
	}
	again := f.session(id, func(c *engine.Config) { c.Headless = false })
	steer(t, again).until("over", func(s engine.Status) bool { return s.State == engine.Over })
	again.Close()
	f.closeRuns()
	all, err := f.store.List()
	if err != nil || all[0].Result != string(plan.Completed) || !all[0].Ended.Equal(endedAt(history.Events)) {
		t.Errorf("listed as %+v, %v; it ended at %v", all, err, endedAt(history.Events))
	}
}

// TestRerunFrom: a rerun from an earlier step keeps the edits made since, unmasked, though a secret in them is never
// shown.
func TestRerunFrom(t *testing.T) {
	f := newFixture(t, decided)
	l := steer(t, f.session("", func(c *engine.Config) { c.Headless, c.Secrets = false, []string{"hunter2"} }))
	l.waiting("1", machine.KindDecide)
	l.do(l.s.EditAction("2", 0, "word=hunter2; test ${#word} -eq 7"))
	l.answer("pass")
	l.waiting("3", machine.KindDecide)
	l.do(l.s.RerunFrom(1, engine.Continue))
	l.waiting("1", machine.KindDecide)
	l.answer("pass")
	l.waiting("3", machine.KindDecide)
}

// TestRerunFromWhileRunning: a rerun first ends the running command and keeps the edits. A later request applies to the
// rewound run.
func TestRerunFromWhileRunning(t *testing.T) {
	const doc = "## 1 A\n~~~sh prompt\nlook\n~~~\n## 2 B\n~~~sh\nsleep 60\n~~~\n## 3 C\n~~~sh\nfalse\n~~~\n"
	l := steer(t, newFixture(t, doc).session("", func(c *engine.Config) { c.Headless = false }))
	l.waiting("1", machine.KindDecide)
	l.do(l.s.EditAction("2", 0, "true"))
	l.do(l.s.EditAction("2", 0, ""))
	l.do(l.s.EditAction("3", 0, "true"))
	l.answer("pass")
	l.until("runs", func(s engine.Status) bool { return s.RunningStep == "2" })
	l.do(l.s.RerunFrom(1, engine.Continue))
	l.waiting("1", machine.KindDecide)
	if got := len(bodies[*machine.ActionEdited](l.all)); got != 3 {
		t.Errorf("%d edits are kept", got)
	}
	l.do(l.s.EditAction("2", 0, "true"))
	l.answer("pass")
	l.over(plan.Completed)
}

// TestRerunFromInstances: an edit of a dynamic step applies to all its instances, and a rerun from any of them keeps
// it.
func TestRerunFromInstances(t *testing.T) {
	const doc = "## {N} A\n- PASS: GOTO NEXT\n- FAIL: COMPLETE\n~~~sh prompt\nlook\n~~~\n"
	l := steer(t, newFixture(t, doc).session("", func(c *engine.Config) { c.Headless = false }))
	l.waiting("1", machine.KindDecide)
	first := l.seqOf("1", "step.entered")
	l.answer("pass")
	l.waiting("2", machine.KindDecide)
	l.do(l.s.EditAction("{N}", 0, "changed"))
	l.do(l.s.RerunFrom(first, engine.PauseNext))
	l.until("edited again", func(engine.Status) bool { return len(bodies[*machine.ActionEdited](l.all)) == 1 })
	if l.seqOf("1", "edited") == 0 {
		t.Error("the edit is not recorded for the current instance")
	}
}

// TestRerunFromIsOneIntervention: one undo reverts a rerun, and one redo makes it again, however many edits it kept.
func TestRerunFromIsOneIntervention(t *testing.T) {
	l := steer(t, newFixture(t, decided).session("", func(c *engine.Config) { c.Headless = false }))
	l.waiting("1", machine.KindDecide)
	l.do(l.s.EditAction("2", 0, "echo three"))
	l.do(l.s.EditAction("3", 0, "think"))
	l.answer("pass")
	l.waiting("3", machine.KindDecide)
	l.do(l.s.RerunFrom(1, engine.PauseNext))
	would := func(redo bool, want string) {
		t.Helper()
		next := l.s.NextUndo
		if redo {
			next = l.s.NextRedo
		}
		if step, err := next(); err != nil || track.InterventionText(step.Event) != want {
			t.Errorf("would undo or redo %q, %v, want %q", track.InterventionText(step.Event), err, want)
		}
	}
	edits := func(want int) {
		t.Helper()
		l.until("held", func(s engine.Status) bool { return s.State == engine.Paused })
		if n := len(bodies[*machine.ActionEdited](l.all)); n != want {
			t.Errorf("%d edits, want %d", n, want)
		}
	}
	edits(2)
	would(false, "rerun of step 1")
	would(true, "rerun of step 1") // redo returns to where the run was before
	l.do(l.s.Undo())
	edits(2)
	would(false, "answer to step 1")
	would(true, "rerun of step 1")
	l.do(l.s.Redo())
	edits(2)
	would(false, "rerun of step 1")
	if err := l.s.Redo(); err == nil {
		t.Error("one undo is redone twice")
	}
}

// TestDecisionPreview: the preview shows the decision that the run would make, and masks the secret that a route
// compares with.
func TestDecisionPreview(t *testing.T) {
	const secret = "hunter2"
	doc := strings.ReplaceAll(rated, `"high"`, `"`+secret+`"`)
	f := newPlaybook(t, doc)
	l := steer(t, f.session("", func(c *engine.Config) { c.Headless, c.Secrets = false, []string{secret} }))
	l.waiting("1", machine.KindReply)
	l.answer(secret)
	l.waiting("2a", machine.KindReply)
	suppose := l.s.DecisionPreviewAt(l.seqOf("2", "routed") - 1)
	for value, to := range map[string]string{secret: "2a", "low": "2b"} {
		decisions, err := suppose(machine.WhatIfChange{Variable: "level", Value: value})
		if err != nil {
			t.Fatal(err)
		}
		if d := decisions[0].Body.(*machine.Decision); d.To != to || strings.Contains(fmt.Sprint(d.Candidates), secret) {
			t.Errorf("%s leads to %s: %v", value, d.To, d.Candidates)
		}
	}
	decisions, err := suppose(machine.WhatIfChange{Variable: "other", Value: "x"})
	if err != nil || decisions[0].Body.(*machine.Decision).To != "2a" {
		t.Errorf("an unrelated variable changes the decision: %+v, %v", decisions, err)
	}
	if _, err := l.s.DecisionPreviewAt(99)(machine.WhatIfChange{Variable: "level", Value: "low"}); err == nil {
		t.Error("a preview of an unknown event is accepted")
	}
}

// TestPauseWithinStep: pausing a run that is already paused within a step does not start the next command. A jump then
// leaves a step in which nothing has run.
func TestPauseWithinStep(t *testing.T) {
	l := steer(t, newFixture(t, decided).session("", func(c *engine.Config) { c.Headless = false }))
	l.waiting("1", machine.KindDecide)
	l.answer("pass")
	l.waiting("3", machine.KindDecide)
	l.do(l.s.Rewind(l.seqOf("2", "step.entered")))
	l.pausedBefore("2")
	l.do(l.s.Pause())
	l.do(l.s.Jump("3", ""))
	l.until("paused before the entry of 3", func(s engine.Status) bool {
		return s.State == engine.Paused && s.NextEvent != nil && s.NextEvent.Step == "3"
	})
	for _, e := range l.all {
		if b, began := e.Body.(*machine.ActionStarted); began && e.Step == "2" {
			t.Errorf("the %s of step 2 began", b.Kind)
		}
	}
}

// TestOverride: while a run is paused before a step, a person overrides the outcome of the previous step. The run then
// pauses before another step (workflow.md §8).
func TestOverride(t *testing.T) {
	l := steer(t, newFixture(t, decided).session("", func(c *engine.Config) { c.Headless = false }))
	l.waiting("1", machine.KindDecide)
	l.do(l.s.Pause())
	l.answer("pass")
	l.until("held before 2", func(s engine.Status) bool {
		return s.State == engine.Paused && s.NextEvent != nil && s.NextEvent.Step == "2"
	})
	l.do(l.s.OverridePrevious(plan.Failed, "it was not"))
	l.until("held before 3", func(s engine.Status) bool {
		return s.State == engine.Paused && s.NextEvent != nil && s.NextEvent.Step == "3"
	})
	l.do(l.s.Continue(engine.Continue, ""))
	l.waiting("3", machine.KindDecide)
	l.answer("pass")
	l.over(plan.Completed)
	if got := joinedPath(l.all); got != "1 3" {
		t.Errorf("path %s", got)
	}
}

// TestOverrideAtABreakpoint: an override at a breakpoint leads to a step without one, and the run still pauses there,
// since nobody continued it.
func TestOverrideAtABreakpoint(t *testing.T) {
	l := steer(t, newFixture(t, decided).session("", func(c *engine.Config) {
		c.Headless, c.Breakpoints = false, []engine.Breakpoint{{Step: "2"}}
	}))
	l.waiting("1", machine.KindDecide)
	l.answer("pass")
	l.pausedBefore("2")
	l.do(l.s.OverridePrevious(plan.Failed, "it was not"))
	l.pausedBefore("3")
}

// TestSkipWhereItWentBackTo: after a rewind to within a step, a skip of that step pauses the run before the next one.
func TestSkipWhereItWentBackTo(t *testing.T) {
	l := steer(t, newFixture(t, "## 1 A\n```sh\ntrue\n```\n## 2 B\n").session("", func(c *engine.Config) { c.Headless = false }))
	l.waiting("2", machine.KindDecide)
	l.do(l.s.Rewind(2))
	l.until("held within 1", func(s engine.Status) bool { return s.State == engine.Paused && s.NextEvent.Step == "1" })
	l.do(l.s.Skip(""))
	l.pausedBefore("2")
}

// TestRewindRecordsInactiveTime: a rewind of a run that was left records how long it was inactive.
func TestRewindRecordsInactiveTime(t *testing.T) {
	f := newFixture(t, decided)
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	atNow := func(c *engine.Config) { c.Headless, c.Now = false, func() time.Time { return now } }
	l := steer(t, f.session("", atNow))
	l.waiting("1", machine.KindDecide)
	l.answer("fail")
	l.waiting("3", machine.KindDecide)
	l.s.Close()
	f.closeRuns()
	now = now.Add(time.Hour)
	again := steer(t, f.session(f.runs[0].ID(), atNow))
	again.waiting("3", machine.KindDecide)
	again.do(again.s.Undo())
	again.waiting("1", machine.KindDecide)
	back, isRewind := again.all[len(again.all)-1].Body.(*machine.RunRewound)
	if !isRewind || back.InactiveMS != time.Hour.Milliseconds() {
		t.Errorf("%T %+v", again.all[len(again.all)-1].Body, back)
	}
}
