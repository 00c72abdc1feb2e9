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

// interrupt ends the command that runs. Twice in a row, and where nothing can be lost
// by it, it quits.
func (m *Model) interrupt() tea.Cmd {
	watched, _ := m.conn.watched()
	looks := m.conn.replays() || m.conn.join != nil && watched != ""
	if m.input.interrupted || m.conn.session == nil || looks || m.conn.status.State == engine.Over {
		return tea.Quit
	}
	m.input.interrupted = true
	switch {
	case watched != "": // what runs is not this screen's to end
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

// quit asks when something would be ended or lost by it.
func quit(run *runview.Run) []tea.Msg {
	if run.Replay || (run.Status.Running == "" || run.Joined) && !run.Question.Unsent {
		return []tea.Msg{request.Quit}
	}
	return []tea.Msg{dialog.Open{Dialog: &confirm.Dialog{
		Name: "Quit?", Text: losses(run), UpdatedText: losses, ObsoleteReason: canQuitNow, Yes: []tea.Msg{request.Quit},
	}}}
}

// losses is what quitting would end or lose.
func losses(run *runview.Run) string {
	lost := "What you have written is not sent and would be lost."
	if !run.Question.Unsent {
		lost = draw.Clean(run.RunningText()) + " and would be ended."
	}
	return lost + " The run is kept. Resume it with " + wording.Resume(run.Shown.Run, run.Shown.Secrets) + "."
}

// canQuitNow says why the run can now be quit without a confirmation, "" if it cannot.
func canQuitNow(run *runview.Run) string {
	if run.Status.State == engine.Running || run.Question.Unsent {
		return ""
	}
	return "The command has ended. {quit} to quit."
}

// suspend gives the terminal back to the shell until that goes on with the program. A
// replay waits; what a run executes does not.
func (m *Model) suspend() tea.Cmd {
	if m.conn.replays() {
		_ = m.conn.play.Pause() // which cannot fail
	}
	return terminal.Stop()
}
