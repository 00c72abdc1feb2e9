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
	watched, _ := m.conn.watched()
	looks := m.conn.replays() || m.conn.join != nil && watched != ""
	if m.input.interrupted || m.conn.session == nil || looks || m.conn.status.State == engine.Over {
		return tea.Quit
	}
	m.input.interrupted = true
	switch {
	case watched != "": // a screen without control cannot end what runs
	case m.view().IsReplying(), draw.LastTool(m.timeline.Shown.Row(m.conn.status.Running)) != "":
		m.lastLine.say("The call is cancelled. Press ctrl+c again to quit.")
		return m.conn.call(session.Session.Cancel)
	case m.conn.executes():
		m.lastLine.say("Asked the command to stop. Press ctrl+c again to quit.")
		return m.conn.call(session.Session.Cancel)
	}
	kept := "Press ctrl+c again to quit. The run is kept."
	if m.question.dialog.Unsent() {
		kept = "Press ctrl+c again to quit. The run is kept; unsent text is lost."
	}
	m.lastLine.say(kept)
	return nil
}

// quit quits, after a confirmation if that would end or lose something.
func quit(run *runview.Run) []tea.Msg {
	if run.Replay || (run.Status.Running == "" || run.Joined) && !run.Question.Unsent {
		return []tea.Msg{request.Quit}
	}
	return []tea.Msg{dialog.Open{Dialog: &confirm.Dialog{
		Name: "Quit?", Text: losses(run), UpdatedText: losses, ObsoleteReason: canQuitNow, Yes: []tea.Msg{request.Quit},
	}}}
}

// losses returns what quitting would end or lose.
func losses(run *runview.Run) string {
	lost := "What you have written is not sent and would be lost."
	if !run.Question.Unsent {
		lost = draw.Clean(run.RunningText()) + " and would be ended."
	}
	return lost + " The run is kept. Resume it with " + wording.Resume(run.Shown.Run, run.Shown.Secrets) + "."
}

// canQuitNow returns why the run can be quit without a confirmation now, "" if it cannot.
func canQuitNow(run *runview.Run) string {
	if run.Status.State == engine.Running || run.Question.Unsent {
		return ""
	}
	return "The command has ended. {quit} to quit."
}

// suspend returns to the shell until it continues the program. A replay pauses meanwhile. Commands keep
// running.
func (m *Model) suspend() tea.Cmd {
	if m.conn.replays() {
		_ = m.conn.play.Pause() // this cannot fail
	}
	return terminal.Stop()
}
