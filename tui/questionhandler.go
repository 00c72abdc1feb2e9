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
	outcomeForecast  intervene.OutcomeForecast
}

// syncDialog opens the dialog of a new question, and closes that of an answered one. The returned command finds
// out where the answers lead.
func (a *questionHandler) syncDialog() tea.Cmd {
	q, run := a.conn.status.Question, a.currentRun()
	if run.WatchOnlyReason != "" || run.IsReplay {
		q = nil
	}
	if a.dialog != nil && (q == nil || !a.dialog.IsOpen(run)) {
		a.screen.Close(a.dialog)
		if run.WatchOnlyReason != "" {
			a.suspendedDialog = a.dialog
		}
		a.dialog, a.lastClosedDialog = nil, a.dialog
	}
	if a.dialog != nil {
		a.dialog.Sync(run)
		a.screen.Reflow() // it may have more lines now
	}
	if q == nil || a.dialog != nil {
		return nil
	}
	a.dialog = a.suspendedOrNew(run)
	if a.lastClosedDialog != nil {
		a.dialog.CopyUnsentText(a.lastClosedDialog)
		a.lastClosedDialog = nil
	}
	foreseen := a.dialog.RequestForecast(run, a.conn.session.PreviewDecision)
	if _, over := a.screen.Dialogs.Top().(*summary.Dialog); a.screen.TakesKeysAsText() || a.screen.Dialogs.Top() != nil && !over {
		a.screen.QueueBelow(a.dialog)
		return foreseen
	}
	a.screen.Open(a.dialog)
	if q.ReplySourceError != "" {
		a.screen.ShowCurrentState() // the step that asks shows behind the sources
		a.screen.Open(choose.NewReplySourceDialog(a.currentRun()))
	}
	return foreseen
}

func (a *questionHandler) suspendedOrNew(run *runview.Run) *question.Dialog {
	d := a.suspendedDialog
	a.suspendedDialog = nil
	if d == nil || !d.IsOpen(run) {
		d = question.New(run, a.conn.session.ReplyWarnings)
		d.RestoreAnswer(run, a.lastUndone)
		return d
	}
	d.Sync(run)
	return d
}

// unavailableReason returns why there is nothing to answer, "" if there is.
func (a *questionHandler) unavailableReason() string {
	if a.dialog == nil && a.screen.Dialogs.RunBlocker() == nil {
		return "No question is open."
	}
	return ""
}

// focusQuestion gives the focus to the open question.
func (a *questionHandler) focusQuestion() tea.Cmd {
	if d := a.screen.Dialogs.RunBlocker(); d != nil {
		a.screen.Open(d)
		return nil
	}
	a.screen.Open(a.dialog)
	return nil
}

// outcomeDecider answers the open question, or overrides the step's outcome. On a small screen it first shows a
// question that another pane hides.
func (a *questionHandler) outcomeDecider(result plan.Result) func() tea.Cmd {
	return func() tea.Cmd {
		switch q := a.dialog; {
		case q != nil && a.screen.Layout.Shape == layout.OnePaneShape && a.screen.Focus != layout.DialogPlace:
			cmd := a.focusQuestion()
			a.lastLine.say("Press the same key again to answer.")
			return cmd
		case q != nil:
			return a.screen.DoRequestsOf(q, q.Answer(a.currentRun(), q.AnswerForAction(string(result))))
		}
		return a.screen.DoRequests(intervene.SetOutcome(a.currentRun(), result, a.conn.session.PreviewDecision)...)
	}
}

func (a *questionHandler) outcomeDeciderWithNote(result plan.Result) func() tea.Cmd {
	return func() tea.Cmd {
		if q := a.dialog; q != nil {
			return a.screen.DoRequestsOf(q, q.AnswerWithNote(a.currentRun().DrawContext, q.AnswerForAction(string(result))))
		}
		return a.screen.DoRequests(intervene.SetOutcomeWithNote(a.currentRun(), result, a.conn.session.PreviewDecision)...)
	}
}

// rerunStep runs a step again. If the open question offers that, it answers the question.
func (a *questionHandler) rerunStep() tea.Cmd {
	run := a.currentRun()
	r := run.RowToRerun()
	if q := a.dialog; r == run.Track.CurrentRow && q.HasAnswer("rerun") {
		return a.screen.DoRequestsOf(q, q.Answer(run, "rerun"))
	}
	return a.screen.DoRequests(intervene.Rerun(run, r)...)
}
