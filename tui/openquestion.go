package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/parse/plan"
	"playhead/tui/dialog/choose"
	"playhead/tui/dialog/intervene"
	"playhead/tui/dialog/question"
	"playhead/tui/dialog/summary"
	"playhead/tui/panes"
	"playhead/tui/runview"
	"playhead/tui/screen"
)

// openQuestion manages the dialog of the run's open question, which the keys of decisions answer.
type openQuestion struct {
	screen          *screen.Screen
	conn            *connection
	lastLine        *lastLine
	run             func() *runview.Run
	dialog          *question.Dialog // nil: no question is open
	suspendedDialog *question.Dialog // the dialog when another screen took control: it keeps typed text
	closed          *question.Dialog // the dialog that was closed last
}

// sync opens the dialog of a new question, and closes that of an answered one. The returned command finds
// out where the answers lead.
func (a *openQuestion) sync() tea.Cmd {
	q, run := a.conn.status.Question, a.run()
	if run.Watched != "" || run.Replay {
		q = nil
	}
	if a.dialog != nil && (q == nil || !a.dialog.IsOpen(run)) {
		a.screen.Close(a.dialog)
		if run.Watched != "" {
			a.suspendedDialog = a.dialog
		}
		a.dialog, a.closed = nil, a.dialog
	}
	if a.dialog != nil {
		a.dialog.Sync(run)
		a.screen.Reflow() // it may have more lines now
	}
	if q == nil || a.dialog != nil {
		return nil
	}
	a.dialog = a.keptOrNew(run)
	if a.closed != nil {
		a.dialog.TakeText(a.closed)
		a.closed = nil
	}
	foreseen := a.dialog.Forecast(run, a.conn.session.PreviewDecision)
	if _, over := a.screen.Top().(*summary.Dialog); a.screen.IsWriting() || a.screen.Top() != nil && !over {
		a.screen.QueueBelow(a.dialog)
		return foreseen
	}
	a.screen.Open(a.dialog)
	if q.SourceError != "" {
		a.screen.GoToRun() // the step that asks shows behind the sources
		a.screen.Open(choose.Source(a.run()))
	}
	return foreseen
}

func (a *openQuestion) keptOrNew(run *runview.Run) *question.Dialog {
	d := a.suspendedDialog
	a.suspendedDialog = nil
	if d == nil || !d.IsOpen(run) {
		return question.New(run, a.conn.session.ReplyWarnings)
	}
	d.Sync(run)
	return d
}

// unavailable returns why there is nothing to answer, "" if there is.
func (a *openQuestion) unavailable() string {
	if a.dialog == nil && a.screen.Blocking() == nil {
		return "No question is open."
	}
	return ""
}

// show gives the focus to the open question.
func (a *openQuestion) show() tea.Cmd {
	if d := a.screen.Blocking(); d != nil {
		a.screen.Open(d)
		return nil
	}
	a.screen.Open(a.dialog)
	return nil
}

// decide answers the open question, or overrides the step's outcome. On a small screen it first shows a
// question that another pane hides.
func (a *openQuestion) decide(result plan.Result) func() tea.Cmd {
	return func() tea.Cmd {
		switch q := a.dialog; {
		case q != nil && a.screen.Layout.Shape == panes.Narrow && a.screen.Focus != panes.Dialog:
			cmd := a.show()
			a.lastLine.say("Press the same key again to answer.")
			return cmd
		case q != nil:
			return a.screen.DoFor(q, q.Answer(a.run(), q.Value(string(result))))
		}
		return a.screen.Do(intervene.Decide(a.run(), result)...)
	}
}

func (a *openQuestion) decideNoted(result plan.Result) func() tea.Cmd {
	return func() tea.Cmd {
		if q := a.dialog; q != nil {
			return a.screen.DoFor(q, q.AnswerNoted(a.run().Look, q.Value(string(result))))
		}
		return a.screen.Do(intervene.DecideWithNote(a.run(), result)...)
	}
}

// rerun runs a step again. If the open question offers that, it answers the question.
func (a *openQuestion) rerun() tea.Cmd {
	run := a.run()
	r := run.StepToRerun()
	if q := a.dialog; r == run.Track.Current && q.HasAnswer("rerun") {
		return a.screen.DoFor(q, q.Answer(run, "rerun"))
	}
	return a.screen.Do(intervene.Rerun(run, r)...)
}
