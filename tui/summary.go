package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine/shell"
	"playhead/tui/dialog/confirm"
	"playhead/tui/dialog/summary"
	"playhead/tui/request"
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

// leftoversMsg is what became of ending what steps left running.
type leftoversMsg struct{ left, rest []shell.Leftover }

// endLeftovers asks whether what steps left running is to be ended.
func (m *Model) endLeftovers() tea.Cmd {
	left := m.leftovers()
	if len(left) == 0 {
		m.openSummary()
		m.say("What steps left running has ended.")
		return nil
	}
	end := func() tea.Msg { return leftoversMsg{left, shell.EndLeftovers(left, 0)} }
	m.open(&confirm.Dialog{
		Name: "End what steps left running?", Text: shell.Names(left), Yes: []tea.Msg{request.Background{Cmd: end}},
	})
	return nil
}

// endedLeftovers says what became of it.
func (m *Model) endedLeftovers(msg leftoversMsg) {
	if m.say("Ended: " + shell.Names(msg.left) + "."); len(msg.rest) > 0 {
		m.say("Still running: " + shell.Names(msg.rest) + ".")
	}
	if s := m.summary(); s != nil {
		s.Left = m.leftovers()
		m.reflow()
	}
}

// leftovers are what steps left running, once the run is over.
func (m *Model) leftovers() []shell.Leftover {
	if m.cfg.Leftovers == nil || m.session == nil || canShowSummary(m) != "" {
		return nil
	}
	return m.cfg.Leftovers()
}

func canEndLeftovers(m *Model) string {
	if s := m.summary(); s == nil || len(s.Left) == 0 {
		return "ends what steps left running when the run is over, which the summary lists"
	}
	return ""
}
