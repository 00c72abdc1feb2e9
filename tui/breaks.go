package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/tui/dialog/breakpoints"
)

// toggleBreak sets a breakpoint at the selected step, or takes away those that are
// there.
func (m *Model) toggleBreak() tea.Cmd {
	r := m.tree.Selected()
	if breakpoints.AnyAt(m.tree.Breaks, r) {
		m.say("The run no longer pauses at " + r.BreakName() + ".")
		return m.breakAt(breakpoints.Without(m.tree.Breaks, r))
	}
	m.say("The run pauses before " + r.BreakName() + " whenever it gets there.")
	return m.breakAt(append(breakpoints.Without(m.tree.Breaks, r), engine.Breakpoint{Step: r.BreakName()}))
}

// breakAt sets the breakpoints, for this run and for the document's next ones.
func (m *Model) breakAt(all []engine.Breakpoint) tea.Cmd {
	m.tree.Breaks, m.tree.Stale = all, true
	keep := m.cfg.KeepBreaks
	return tea.Batch(m.call(func(s session) error { return s.Break(all) }), func() tea.Msg {
		if keep == nil {
			return nil
		}
		if err := keep(all); err != nil {
			return calledMsg{err}
		}
		return nil
	})
}

func notBreakable(m *Model) string {
	if r := m.tree.Selected(); r == nil || r.Step == nil {
		return "needs a step: select one"
	}
	return ""
}
