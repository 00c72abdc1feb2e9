package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/track"
)

// breakName names a row in a breakpoint: in the document itself by its id, which
// all instances share, elsewhere by its label.
func breakName(r *track.Row) string {
	if r.Step == nil || strings.Contains(r.Label, "/") {
		return r.Label
	}
	return r.Step.ID
}

// brokenAt reports whether a breakpoint holds at a row.
func (t *tree) brokenAt(r *track.Row) bool {
	name := breakName(r)
	return slices.ContainsFunc(t.breaks, func(b engine.Breakpoint) bool { return b.Step == name || b.Step == r.Label })
}

// toggleBreak sets a breakpoint at the selected step, or takes away those that are
// there.
func (m *Model) toggleBreak() tea.Cmd {
	r := m.tree.selected()
	if m.tree.brokenAt(r) {
		m.tree.breaks = slices.DeleteFunc(slices.Clone(m.tree.breaks), func(b engine.Breakpoint) bool {
			return b.Step == breakName(r) || b.Step == r.Label
		})
		m.say("The run is not held at " + r.Label + " any more.")
	} else {
		m.tree.breaks = append(slices.Clone(m.tree.breaks), engine.Breakpoint{Step: breakName(r)})
		m.say("The run is held before " + r.Label + " whenever it gets there.")
	}
	m.tree.stale = true
	all := m.tree.breaks
	return m.call(func(s session) error { return s.Break(all) })
}

func notBreakable(m *Model) string {
	if r := m.tree.selected(); r == nil || r.Step == nil {
		return "needs a step: select one"
	}
	return ""
}
