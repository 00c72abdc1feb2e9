package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine"
)

// cancel ends the command that runs. Twice in a row, and where nothing can be lost
// by it, it quits.
func (m *Model) cancel() tea.Cmd {
	if m.armed || m.session == nil || m.status.State == engine.Over {
		return tea.Quit
	}
	m.armed = true
	switch {
	case m.replying():
		m.say("The call is given up. ctrl+c again quits.")
		return m.call(session.Cancel)
	case m.commandRuns():
		m.say("Asked the command to stop. ctrl+c again quits.")
		return m.call(session.Cancel)
	}
	m.say("ctrl+c again quits; the run is kept.")
	return nil
}

// quit asks when something would be ended by it.
func (m *Model) quit() tea.Cmd {
	if !m.commandRuns() {
		return tea.Quit
	}
	return m.confirm(&confirm{name: "Quit?", about: m.losses, moot: m.unhindered, yes: func() tea.Cmd { return tea.Quit }})
}

// losses is what quitting would end.
func (m *Model) losses() string {
	return m.underway() + " and would be ended. The run is kept: " +
		"playhead resume " + clean(m.track.Run) + " goes on with it."
}

// unhindered is why quitting needs no question any more, "" while it does.
func (m *Model) unhindered() string {
	if m.status.State == engine.Running {
		return ""
	}
	return "The command has ended meanwhile: q quits at once."
}
