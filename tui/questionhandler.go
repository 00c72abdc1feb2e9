package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine/machine"
	"playhead/parse/plan"
	"playhead/tui/dialog/choose"
	"playhead/tui/dialog/intervene"
	"playhead/tui/dialog/question"
	"playhead/tui/dialog/summary"
	"playhead/tui/layout"
	"playhead/tui/runview"
	"playhead/tui/screen"
)

// questionHandler manages the dialog of the run's open question, which the keys of decisions answer.
type questionHandler struct {
	screen           *screen.Screen
	conn             *runConnection
	lastLine         *lastLineMessage
	currentRun       func() *runview.Run
	dialog           *question.Dialog // nil: no question is open
	suspendedDialog  *question.Dialog // the dialog when another screen took control: it keeps typed text
	lastClosedDialog *question.Dialog // the dialog that was closed last
	lastUndone       machine.Event    // what the person undid last
}

// syncDialog opens the dialog of a new question, and closes that of an answered one. The returned command finds
// out where the answers lead now.
func (h *questionHandler) syncDialog() tea.Cmd {
	q, run := h.conn.status.Question, h.currentRun()
	if run.WatchOnlyReason != "" || run.IsReplay {
		q = nil
	}
	if h.dialog != nil && (q == nil || !h.dialog.AsksOpenQuestion(run)) {
		h.screen.Close(h.dialog)
		if run.WatchOnlyReason != "" {
			h.suspendedDialog = h.dialog
		}
		if h.lastClosedDialog == nil || !h.dialog.AsksWhatNowAfter(h.lastClosedDialog) {
			h.lastClosedDialog = h.dialog
		}
		h.dialog = nil
		h.lastLine.clearUnlessUntilKey() // it may be about that question
	}
	if h.dialog != nil {
		h.dialog.Sync(run)
		h.screen.Reflow() // it may have more lines now
	}
	switch {
	case q == nil:
		return nil
	case h.dialog != nil:
		return h.dialog.RequestForecast(run, h.conn.session.DecisionPreviewAt)
	}
	h.dialog = h.suspendedOrNew(run)
	if h.lastClosedDialog != nil {
		h.dialog.CopyUnsentText(h.lastClosedDialog)
		if !h.dialog.AsksWhatNowAfter(h.lastClosedDialog) {
			h.lastClosedDialog = nil
		}
	}
	forecast := h.dialog.RequestForecast(run, h.conn.session.DecisionPreviewAt)
	if _, over := h.screen.Dialogs.Top().(*summary.Dialog); h.screen.TakesKeysAsText() || h.screen.Dialogs.Top() != nil && !over {
		h.screen.QueueBelow(h.dialog)
		return forecast
	}
	h.screen.Open(h.dialog)
	if q.ReplySourceError != "" {
		h.screen.FollowCurrentState() // the step that asks shows behind the sources
		h.screen.Open(choose.NewReplySourceDialog(h.currentRun()))
	}
	return forecast
}

// suspendedOrNew returns the dialog of the open question: the suspended one if it asks that question, else a new one.
func (h *questionHandler) suspendedOrNew(run *runview.Run) *question.Dialog {
	d := h.suspendedDialog
	h.suspendedDialog = nil
	if d == nil || !d.AsksOpenQuestion(run) {
		d = question.New(run, h.conn.session.ReplyWarnings)
		d.RestoreAnswer(run, h.lastUndone)
		return d
	}
	d.Sync(run)
	return d
}

// unavailableReason returns why there is nothing to answer, "" if there is.
func (h *questionHandler) unavailableReason() string {
	if h.dialog == nil && h.screen.Dialogs.RunBlocker() == nil {
		return "No question is open."
	}
	return ""
}

// focusQuestion gives the focus to the open question.
func (h *questionHandler) focusQuestion() tea.Cmd {
	if d := h.screen.Dialogs.RunBlocker(); d != nil {
		h.screen.Open(d)
		return nil
	}
	h.screen.Open(h.dialog)
	return nil
}

// outcomeDecider returns a function that answers the open question with an outcome, or overrides that of the step. On a
// small screen, it first shows a question that another pane hides.
func (h *questionHandler) outcomeDecider(result plan.Result) func() tea.Cmd {
	return func() tea.Cmd {
		switch q := h.dialog; {
		case q != nil && h.screen.Layout.Shape == layout.OnePaneShape && h.screen.Focus != layout.DialogPlace:
			cmd := h.focusQuestion()
			h.lastLine.say("Press the same key again to answer.")
			return cmd
		case q != nil:
			return h.screen.DoRequestsOf(q, q.Answer(h.currentRun(), q.AnswerForAction(string(result))))
		}
		return h.screen.DoRequests(intervene.SetOutcome(h.currentRun(), result, h.conn.session.DecisionPreviewAt)...)
	}
}

// outcomeDeciderWithNote is like outcomeDecider, but asks for a note first.
func (h *questionHandler) outcomeDeciderWithNote(result plan.Result) func() tea.Cmd {
	return func() tea.Cmd {
		if q := h.dialog; q != nil {
			return h.screen.DoRequestsOf(q, q.AnswerWithNote(h.currentRun().DrawContext, q.AnswerForAction(string(result))))
		}
		return h.screen.DoRequests(intervene.SetOutcomeWithNote(h.currentRun(), result, h.conn.session.DecisionPreviewAt)...)
	}
}

// rerunStep runs a step again. If the open question offers that, it answers the question.
func (h *questionHandler) rerunStep() tea.Cmd {
	run := h.currentRun()
	r := run.RowToRerun()
	if q := h.dialog; r == run.Track.CurrentRow && q.HasAnswer("rerun") {
		return h.screen.DoRequestsOf(q, q.Answer(run, "rerun"))
	}
	return h.screen.DoRequests(intervene.Rerun(run, r)...)
}
