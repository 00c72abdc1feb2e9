package intervene_test

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/parse/rundown"
	"playhead/themes"
	"playhead/tui/dialog"
	"playhead/tui/dialog/confirm"
	"playhead/tui/dialog/intervene"
	"playhead/tui/dialog/note"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// newRun returns a run with a status, at its first step.
func newRun(st engine.Status) *runview.Run {
	p := rundown.Parse("a.runbook.md", []byte("## 1. One\nDone?\n- PASS: CONTINUE\n- FAIL: STOP\n## 2. Two\nDone?\n- PASS: COMPLETE\n- FAIL: STOP\n"), rundown.Options{})
	tr := track.New(p)
	tr.CurrentRow = tr.Rows[0]
	return &runview.Run{
		RunView:    control.RunView{Plan: p, Track: tr, Status: st, IsBegun: true},
		ShownTrack: tr, SelectedRow: tr.Rows[1], DrawContext: draw.New(themes.PlainPalette(), keymap.Map{}),
	}
}

// leadsToTwo previews decisions that lead to step 2.
func leadsToTwo(int) engine.DecisionPreview {
	return func(machine.WhatIfChange) ([]machine.Event, error) {
		return []machine.Event{{Step: "1", Body: &machine.Decision{To: "2", Destination: machine.Destination{Kind: machine.ToStep}}}}, nil
	}
}

// kind names what a request does: perform the action, or ask for a confirmation or for a note.
func kind(t *testing.T, requests []tea.Msg) string {
	t.Helper()
	if len(requests) != 1 {
		t.Fatalf("%d requests", len(requests))
	}
	switch r := requests[0].(type) {
	case intervene.Perform:
		return "perform"
	case dialog.Open:
		switch r.Dialog.(type) {
		case *confirm.Dialog:
			return "confirm"
		case *note.Dialog:
			return "note"
		}
	}
	return "else"
}

// TestNoteOrConfirmation: skipping a question and jumping ask for a note, which the report shows. Interrupting a
// command, reopening the run and repeating a step ask for a confirmation.
func TestNoteOrConfirmation(t *testing.T) {
	waits := engine.Status{State: engine.Waiting}
	runs := engine.Status{State: engine.Running, RunningStep: "1"}
	over := engine.Status{State: engine.Over}
	for _, c := range []struct {
		name   string
		status engine.Status
		begin  func(*runview.Run) []tea.Msg
		want   string
	}{
		{"skip", waits, intervene.Skip, "perform"},
		{"skip a question", waits, func(run *runview.Run) []tea.Msg {
			run.QuestionState.SkipAsksForNote = true
			return intervene.Skip(run)
		}, "note"},
		{"skip what runs", runs, intervene.Skip, "confirm"},
		{"jump", waits, intervene.Jump, "note"},
		{"pass", waits, func(run *runview.Run) []tea.Msg { return intervene.SetOutcome(run, plan.Passed, leadsToTwo) }, "perform"},
		{"pass what is over", over, func(run *runview.Run) []tea.Msg { return intervene.SetOutcome(run, plan.Passed, leadsToTwo) }, "confirm"},
		{"rerun", waits, func(run *runview.Run) []tea.Msg { return intervene.Rerun(run, run.Track.CurrentRow) }, "confirm"},
	} {
		if got := kind(t, c.begin(newRun(c.status))); got != c.want {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

// TestNoteIsAskedOnce: an override with a note asks for nothing else after the note, even if the run is over.
func TestNoteIsAskedOnce(t *testing.T) {
	run := newRun(engine.Status{State: engine.Over})
	ask := intervene.SetOutcomeWithNote(run, plan.Failed, leadsToTwo)[0].(dialog.Open).Dialog.(*note.Dialog)
	got := ask.OnSubmit(run, "as agreed")
	if kind(t, got) != "perform" || got[0].(intervene.Perform).Args.Note != "as agreed" {
		t.Errorf("got %v", got)
	}
}

// TestDestination: the dialog that sets an outcome shows where the outcome leads. It opens before that is known,
// because the preview of a long run takes a while.
func TestDestination(t *testing.T) {
	run := newRun(engine.Status{State: engine.Over})
	run.Events = []machine.Event{{Seq: 1}}
	inBackground := false
	suppose := func(seq int) engine.DecisionPreview {
		if !inBackground {
			t.Error("the preview is made before the dialog opens")
		}
		return leadsToTwo(seq)
	}
	offers := func(requests []tea.Msg, before, after string, offer func(dialog.Dialog) string) {
		t.Helper()
		d := requests[0].(dialog.Open).Dialog
		if got := offer(d); got != before {
			t.Errorf("offers %q", got)
		}
		inBackground = true
		for _, r := range requests[1:] {
			r.(request.Background).Cmd().(intervene.DestinationFound).AddToHintText(run)
		}
		inBackground = false
		if got := offer(d); got != after {
			t.Errorf("offers %q", got)
		}
	}
	ofConfirm := func(d dialog.Dialog) string { return d.(*confirm.Dialog).AnswerHints(run)[0].Text }
	ofNote := func(d dialog.Dialog) string { return d.(*note.Dialog).Hints(run)[0].Text }
	offers(intervene.SetOutcome(run, plan.Passed, suppose), "yes", "yes → 2 Two", ofConfirm)
	offers(intervene.SetOutcomeWithNote(run, plan.Passed, suppose), "pass", "pass → 2 Two", ofNote)
	run.Track.CurrentRow.Status = track.Passed // the next step is not entered yet
	run.Status = engine.Status{State: engine.Paused, NextEvent: &machine.Event{Step: "2", Body: &machine.StepEntered{}}}
	offers(intervene.SetOutcomeWithNote(run, plan.Passed, suppose), "pass", "pass → 2 Two", ofNote)
}

// TestUndoOfWrittenEdit: an undo says which file still contains the edit.
func TestUndoOfWrittenEdit(t *testing.T) {
	undo := intervene.UndoOrRedo{Step: machine.UndoStep{Event: machine.Event{Seq: 1, Step: "1", Body: &machine.ActionEdited{}}}}
	for file, want := range map[string]string{
		"":             "Undone: edit of step 1. {redo} to redo it.",
		"a.runbook.md": "Undone: edit of step 1. The file a.runbook.md still contains the edit. {redo} to redo it.",
	} {
		undo.FileWithEdit = file
		requests := undo.Requests(newRun(engine.Status{State: engine.Paused}))
		if said, is := requests[0].(request.SayUntilKey); !is || said.Text != want {
			t.Errorf("%+v, want %q", requests[0], want)
		}
	}
}
