package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine/shell"
)

// leftoversMsg is what became of ending what steps left running.
type leftoversMsg struct{ left, rest []shell.Leftover }

// endLeftovers asks whether what steps left running is to be ended.
func (m *Model) endLeftovers() tea.Cmd {
	left := m.leftovers()
	if len(left) == 0 {
		m.summarise()
		m.say("What steps left running has ended.")
		return nil
	}
	return m.confirm(&confirm{
		name:  "End what steps left running?",
		about: func() string { return shell.Names(left) },
		moot:  func() string { return "" },
		yes: func() tea.Cmd {
			return func() tea.Msg { return leftoversMsg{left, shell.EndLeftovers(left, 0)} }
		},
	})
}

// endedLeftovers says what became of it.
func (m *Model) endedLeftovers(msg leftoversMsg) {
	if m.say("Ended: " + shell.Names(msg.left) + "."); len(msg.rest) > 0 {
		m.say("Still running: " + shell.Names(msg.rest) + ".")
	}
	if s := m.summary(); s != nil {
		s.left = m.leftovers()
		m.reflow()
	}
}

// leftovers are what steps left running, once the run is over.
func (m *Model) leftovers() []shell.Leftover {
	if m.cfg.Leftovers == nil || m.session == nil || notOver(m) != "" {
		return nil
	}
	return m.cfg.Leftovers()
}

func notLeft(m *Model) string {
	if s := m.summary(); s == nil || len(s.left) == 0 {
		return "ends what steps left running when the run is over, which the summary lists"
	}
	return ""
}
