package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/wording"
	"playhead/tui/dialog"
	"playhead/tui/dialog/confirm"
	"playhead/tui/draw"
	"playhead/tui/request"
	"playhead/tui/runview"
	"playhead/tui/session"
	"playhead/tui/terminal"
)

// interrupt ends the running command. It quits if it is called twice in a row, or if nothing can be lost.
func (m *Model) interrupt() tea.Cmd {
	watchOnly, _ := m.conn.watchOnlyReason()
	losesNothing := m.conn.isReplay() || m.conn.remoteRun != nil && watchOnly != ""
	asksBeforeRun := m.conn.session == nil && m.screen.Dialogs.RunBlocker() != nil
	if m.inputHandler.lastKeyWasInterrupt || m.conn.session == nil && !asksBeforeRun || losesNothing || m.conn.status.State == engine.Over {
		return tea.Quit
	}
	m.inputHandler.lastKeyWasInterrupt = true
	switch {
	case watchOnly != "": // a screen without control cannot end what runs
	case m.runView().IsModelReplying(), draw.LastToolName(m.timeline.ShownTrack.RowByLabel(m.conn.status.RunningStep)) != "":
		m.lastLine.say("The call is being interrupted. Press ctrl+c again to quit.")
		return m.conn.queueSessionCall(session.Session.Interrupt)
	case m.conn.isActionRunning():
		m.lastLine.say("The command is being interrupted. Press ctrl+c again to quit.")
		return m.conn.queueSessionCall(session.Session.Interrupt)
	}
	m.lastLine.say("Press ctrl+c again to quit. " + interruptLosses(m.runView()))
	return nil
}

// interruptLosses returns what quitting keeps and loses while nothing is running.
func interruptLosses(run *runview.Run) string {
	kept := "The run is kept"
	if isBeforeNewRun(run) {
		kept = "Nothing has run yet"
	}
	if run.QuestionState.HasUnsentText {
		return kept + "; unsent text is lost."
	}
	return kept + "."
}

// isBeforeNewRun reports whether a new run has not begun, so that there is nothing to resume.
func isBeforeNewRun(run *runview.Run) bool { return !run.IsBegun && !run.IsResumed }

// requestQuit quits, after a confirmation if that would end or lose something.
func requestQuit(run *runview.Run) []tea.Msg {
	if run.IsReplay || (run.Status.RunningStep == "" || run.IsDrivenByOtherProcess) && !run.QuestionState.HasUnsentText {
		return []tea.Msg{request.Quit}
	}
	return []tea.Msg{dialog.Open{Dialog: &confirm.Dialog{
		Name: "Quit?", Text: quitLosses(run), UpdatedText: quitLosses, ObsoleteReason: whyQuitNeedsNoConfirmation, YesRequests: []tea.Msg{request.Quit},
	}}}
}

// quitLosses returns what quitting would end or lose.
func quitLosses(run *runview.Run) string {
	lost := "Your unsent text would be lost."
	if !run.QuestionState.HasUnsentText {
		lost = draw.CleanLine(run.RunningText()) + " and would be interrupted."
	}
	if isBeforeNewRun(run) {
		return lost + " Nothing has run yet."
	}
	return lost + " The run is kept. Resume it with " + wording.ResumeCommand(run.ShownTrack.RunID, run.ShownTrack.SecretInputs) + "."
}

// whyQuitNeedsNoConfirmation returns why the run can be quit without a confirmation now, "" if it cannot.
func whyQuitNeedsNoConfirmation(run *runview.Run) string {
	if run.Status.State == engine.Running || run.QuestionState.HasUnsentText {
		return ""
	}
	return confirm.NothingRunningText + " {quit} to quit."
}

// suspend returns to the shell until it continues the program. A replay pauses meanwhile. Commands keep
// running.
func (m *Model) suspend() tea.Cmd {
	if m.conn.isReplay() {
		_ = m.conn.player.Pause() // this cannot fail
	}
	return terminal.Suspend()
}
