package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog"
)

// commandRuns reports whether a command is being executed.
func (m *Model) commandRuns() bool { return m.session != nil && m.status.Running != "" }

// goToQuestion gives the focus to what waits for the person, and selects the step that
// asks: its text is what there is to read.
func (m *Model) goToQuestion() tea.Cmd {
	if c := m.blocking(); c != nil {
		m.open(c)
		return nil
	}
	m.goToRun()
	m.open(m.question)
	return nil
}

// blocking is the dialog that has to be answered before anything runs, or nil.
func (m *Model) blocking() dialog.Dialog {
	for _, c := range m.dialogs {
		if b, is := c.(dialog.Blocker); is && b.BlocksRun() {
			return c
		}
	}
	return nil
}

// replying reports whether a model is being asked.
func (m *Model) replying() bool {
	r := m.timeline.Shown.Row(m.status.Running)
	return r.LastIsModel() && !r.Newest().Done
}
