package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine/track"
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
	c.finder = newFinder(items)
	c.row = func(l *look, h hit, w int) string { return stepLine(l, rows[h.item], names[h.item], h, w) }
	c.choose = func(item int) tea.Cmd {
		m.close(c)
		r := rows[item]
		if m.track != tr { // another moment of the run shows since
			r = m.track.Row(r.Label)
		}
		if r != nil {
			m.selectRow(r)
		}
		return m.focusPane(treePane)
	}
	for i, r := range rows {
		if r == m.tree.selected() {
			c.finder.at = i
		}
	}
	m.open(c)
	return nil
}

// docOf is the document that a row is of, where that is an included one.
func docOf(r *track.Row) string {
	for p := r; p != nil; p = p.Parent {
		if p.Doc != nil {
			return clean(p.Doc.Path)
		}
	}
	return ""
}

// stepLine is a row of the tree as a line of the list.
func stepLine(l *look, r *track.Row, name string, h hit, w int) string {
	doc := docOf(r)
	behind := h.part(len(name)+1, len(name)+1+len(doc))
	return l.spread(l.glyph(r)+" "+h.part(0, len(name)).marked(l, name), l.Muted.Over(behind.marked(l, doc)), w)
}

func notSteps(m *Model) string {
	if len(m.track.Rows) == 0 {
		return "goes to a step, and this document has none"
	}
	return ""
}
