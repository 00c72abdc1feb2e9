package tui

import (
	"playhead/engine"
	"playhead/engine/track"
	"playhead/tui/pane/output"
	"playhead/tui/panes"
)

// isPrintless reports whether the selected step has no output and is not to have any: its
// text takes the room then.
func (m *Model) isPrintless() bool {
	r := m.steps.Selected()
	return m.output.IsEmpty() && (m.isIntroducing() || r == nil || r.Status == track.Waiting || output.IsSilent(r))
}

// sharing adds what decides how text and output share the room that they have.
func (m *Model) sharing(want panes.Wish) panes.Wish {
	want.Text, want.Lines, want.Still, want.Spare = len(m.text.Body()), m.output.Needs(m.look, m.layout.Term), m.isStill(), m.layout.Spare
	return want
}

// needsReflow reports whether one of text and output is to lend the other more lines than it
// does, or less.
func (m *Model) needsReflow() bool {
	l := m.layout
	both := !l.Panes[panes.Text].Empty() && !l.Panes[panes.Output].Empty()
	return both && m.split.Text == 0 && !l.Bare && l.SpareFor(m.sharing(panes.Wish{})) != l.Spare
}

// isStill reports whether the output that shows is known and does not grow, nor gives way to
// that of the next step.
func (m *Model) isStill() bool {
	goes := m.view().ShownStatus().State == engine.Running && m.steps.Follows()
	return !goes && m.output.IsStill()
}
