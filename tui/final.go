package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog/summary"
)

// openSummary opens the summary, or brings it to the top.
func (m *Model) openSummary() {
	s := m.summary()
	if s == nil {
		s = m.newSummary()
	} else {
		m.close(s)
	}
	s.Left = m.leftovers()
	m.open(s)
}

// newSummary is the dialog before it knows what steps left running.
func (m *Model) newSummary() *summary.Dialog { return &summary.Dialog{Saved: m.savedTo} }

// summary is the dialog of how the run ended, or nil.
func (m *Model) summary() *summary.Dialog {
	for _, c := range m.dialogs {
		if s, ok := c.(*summary.Dialog); ok {
			return s
		}
	}
	return nil
}

func (m *Model) showSummary() tea.Cmd {
	m.openSummary()
	return nil
}
