package output

import (
	"strings"
	"testing"
	"time"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/keymap"
	"playhead/tui/layout"
	"playhead/tui/runview"
	"playhead/tui/runview/runviewtest"
)

// TestCallsOfAStepThatWasLeft: if the selected row has no output, the pane shows nothing of the row that was selected
// before.
func TestCallsOfAStepThatWasLeft(t *testing.T) {
	p := New()
	p.actionList.actions = []*track.Action{{Kind: "model"}, {Kind: "tool"}}
	p.Sync(&runview.Run{}, nil)
	if !p.IsEmpty() {
		t.Error("the calls of the previous row are still listed")
	}
}

// TestPaneGrows: a pane that becomes taller shows more lines of its log at once, before the log is read again. The end
// of a followed log stays at the bottom.
func TestPaneGrows(t *testing.T) {
	p := New()
	p.Resize(layout.Rect{W: 20, H: 3})
	p.ShowWindow(LogWindow{lines: []string{"1", "2", "3", "4", "5", "6", "7"}, totalLines: 7}, time.Time{})
	for _, tt := range []struct{ height, from, shown int }{{3, 4, 3}, {5, 2, 5}, {9, 0, 7}, {2, 5, 2}} {
		p.Resize(layout.Rect{W: 20, H: tt.height})
		if from, lines := p.viewport.visibleLines(); from != tt.from || len(lines) != tt.shown {
			t.Errorf("%d lines high: %d lines from %d on show, want %d from %d on", tt.height, len(lines), from, tt.shown, tt.from)
		}
	}
}

// TestReasonOfEndedAction: what the pane says of an action without output that has ended does not mention a question about a
// later one. The question is about an action that was cut off, or that could not begin.
func TestReasonOfEndedAction(t *testing.T) {
	passed, held := &plan.Outcome{Result: plan.Passed}, &plan.Outcome{Result: plan.Undecided}
	const resumes, noPart, empty = machine.KindResume, "No part of the reply arrived. {answer} to go to the question.", "The reply is empty."
	for _, c := range []struct {
		action     track.Action
		kind, want string
	}{
		{track.Action{Kind: "model", IsDone: true, Outcome: held, WasCutOff: true}, resumes, noPart},
		{track.Action{Kind: "model", IsDone: true, Outcome: held, Error: "there is no key"}, resumes, "There is no reply: there is no key"},
		{track.Action{Kind: "command", IsDone: true, Outcome: held, WasCutOff: true}, resumes, "Interrupted before any output. {answer} to go to the question."},
		{track.Action{Kind: "model", IsDone: true}, resumes, empty},
		{track.Action{Kind: "model", IsDone: true}, machine.KindReply, empty},
		{track.Action{Kind: "model", IsDone: true}, machine.KindApproveCall, empty},
		{track.Action{Kind: "model", IsDone: true, Outcome: held}, machine.KindAcceptOutcome, empty},
		{track.Action{Kind: "tool", IsDone: true}, resumes, "The result is empty."},
		{track.Action{Kind: "command", IsDone: true, Outcome: passed}, resumes, "The command printed nothing."},
		{track.Action{Kind: "model"}, machine.KindReply, "A person writes the reply. {answer} to go to the question."},
		{track.Action{Kind: "tool"}, machine.KindApproveCall, "The tool is called after you answer. {answer} to go to the question."},
	} {
		run, p := runviewtest.New(t, keymap.Map{}), New()
		run.Status.Question = &machine.Question{Action: machine.ActionRef{StepLabel: "1"}, Kind: c.kind}
		p.shownAction = newShownAction(run, run.SelectedRow, &c.action)
		if got := p.emptyReason(); got != c.want {
			t.Errorf("%s question, %+v:\n%q, want %q", c.kind, c.action, got, c.want)
		}
		isInterrupted := strings.Contains(p.replyProblem(run.DrawContext), "interrupted")
		if want := c.kind == resumes && c.action.Outcome == held && c.action.Error == ""; isInterrupted != want {
			t.Errorf("%s question, %+v: marked as interrupted: %v", c.kind, c.action, isInterrupted)
		}
	}
}
