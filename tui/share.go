package tui

import (
	"playhead/engine"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/panes"
)

// printless reports whether the selected step has no output and is not to have any: its
// text takes the room then.
func (m *Model) printless() bool {
	r := m.tree.Selected()
	return m.output.file == "" && m.output.log == nil && m.output.calls == nil && (m.untouched() || r == nil || r.Status == track.Waiting || silent(r))
}

// sharing adds what decides how text and output share the room that they have.
func (m *Model) sharing(want panes.Wish) panes.Wish {
	want.Text, want.Lines, want.Still, want.Spare = len(m.detail.body), m.output.needs(m.look, m.layout.Term), m.still(), m.layout.Spare
	return want
}

// lends reports whether one of text and output is to lend the other more lines than it
// does, or less.
func (m *Model) lends() bool {
	l := m.layout
	both := !l.Panes[panes.Text].Empty() && !l.Panes[panes.Output].Empty()
	return both && m.split.Text == 0 && !l.Bare && l.SpareFor(m.sharing(panes.Wish{})) != l.Spare
}

// still reports whether the output that shows is known and does not grow, nor gives way to
// that of the next step or, as somebody leafs through its calls, of another one.
func (m *Model) still() bool {
	goes := m.shown().State == engine.Running && m.tree.Follow
	return !goes && !m.output.running() && m.output.chosen == nil && m.output.win.log == m.output.log
}

// needs is how many lines show all there is, in a pane that usually has box. How many rows
// are made of lines that wrap is not known before they show.
func (o *output) needs(l *look, box panes.Rect) int {
	n := o.win.total
	switch {
	case n == 0:
		n = len(o.placeholder(l, box.W))
	case o.wraps():
		n = max(n, box.H)
	}
	if o.reasoning() != "" {
		n++
	}
	return n + len(o.calls)
}

// silent reports whether nothing a row does prints anything.
func silent(r *track.Row) bool {
	if r.Step == nil {
		return true
	}
	for _, a := range r.Step.Actions {
		switch a.Work.(type) {
		case plan.Decide, plan.Ask, plan.Include:
		default:
			return false
		}
	}
	return true
}
