package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/tui/session"
)

// breakAt sets the breakpoints, for this run and for the document's next ones.
func (m *Model) breakAt(all []engine.Breakpoint) tea.Cmd {
	m.breaks = all
	m.steps.Redraw()
	keep := m.cfg.KeepBreaks
	return tea.Batch(m.call(func(s session.Session) error { return s.Break(all) }), func() tea.Msg {
		if keep == nil {
			return nil
		}
		if err := keep(all); err != nil {
			return session.Failed{Err: err}
		}
		return nil
	})
}
