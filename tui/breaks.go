package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/tui/dialog/breakpoints"
	"playhead/tui/session"
)

// toggleBreak sets a breakpoint at the selected step, or takes away those that are
// there.
func (m *Model) toggleBreak() tea.Cmd {
	r := m.steps.Selected()
	if breakpoints.AnyAt(m.breaks, r) {
		m.say("The run no longer pauses at " + r.BreakName() + ".")
		return m.breakAt(breakpoints.Without(m.breaks, r))
	}
	m.say("The run pauses before " + r.BreakName() + " whenever it gets there.")
	return m.breakAt(append(breakpoints.Without(m.breaks, r), engine.Breakpoint{Step: r.BreakName()}))
}

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

func notBreakable(m *Model) string {
	if r := m.steps.Selected(); r == nil || r.Step == nil {
		return "needs a step: select one"
	}
	return ""
}
