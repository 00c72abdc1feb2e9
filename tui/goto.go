package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine/track"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
)

// goTo opens the list of all steps, those in included documents too, to select one by
// some letters of its label, its title or its document.
func (m *Model) goTo() tea.Cmd {
	rows, tr := m.everyRow(), m.track
	names, items := make([]string, len(rows)), make([]string, len(rows))
	c := &menu{name: "GO TO A STEP", verb: "select it"}
	for i, r := range rows {
		names[i] = named(r)
		items[i] = names[i] + " " + docOf(r)
	}
	c.finder = list.NewFinder(items)
	c.row = func(l *look, h list.Hit, w int) string { return stepLine(l, rows[h.Item], names[h.Item], h, w) }
	c.choose = func(item int) tea.Cmd {
		m.close(c)
		r := rows[item]
		if m.track != tr { // another moment of the run shows since
			r = m.track.Row(r.Label)
		}
		if r != nil {
			m.selectRow(r)
		}
		return m.focusPane(panes.Tree)
	}
	for i, r := range rows {
		if r == m.tree.selected() {
			c.finder.At = i
		}
	}
	m.open(c)
	return nil
}

// docOf is the document that a row is of, where that is an included one.
func docOf(r *track.Row) string {
	for p := r; p != nil; p = p.Parent {
		if p.Doc != nil {
			return draw.Clean(p.Doc.Path)
		}
	}
	return ""
}

// stepLine is a row of the tree as a line of the list.
func stepLine(l *look, r *track.Row, name string, h list.Hit, w int) string {
	doc := docOf(r)
	behind := h.Part(len(name)+1, len(name)+1+len(doc))
	return l.Spread(l.Glyph(r)+" "+h.Part(0, len(name)).Marked(l, name), l.Muted.Over(behind.Marked(l, doc)), w)
}

func notSteps(m *Model) string {
	if len(m.track.Rows) == 0 {
		return "goes to a step, and this document has none"
	}
	return ""
}
