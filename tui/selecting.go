package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"playhead/tui/draw"
	"playhead/tui/excerpt"
	"playhead/tui/panes"
)

// place is a cell of a pane.
type place struct{ line, column int }

// selection is the text of a pane that the mouse is dragged over: from the cell that it
// was pressed on to the one under it, line by line as one reads.
type selection struct {
	pane     panes.Pane // nowhere: there is none
	from, to place
	dragged  bool // it is more than a click
}

// ends are the first and the last selected cell.
func (s selection) ends() (first, last place) {
	if s.to.line < s.from.line || s.to.line == s.from.line && s.to.column < s.from.column {
		return s.to, s.from
	}
	return s.from, s.to
}

// of is the selected part of a line, in whole characters and without the blanks at its end:
// to is the first column behind it.
func (s selection) of(l *draw.Look, n int, line string) (from, to int) {
	first, last := s.ends()
	if to = l.Width(strings.TrimRight(line, " ")); n == last.line {
		to = min(to, last.column+1)
	}
	if n == first.line {
		from = min(first.column, to)
	}
	return l.Whole(line, from, to)
}

// show has the selected text of a pane stand out.
func (s selection) show(l *draw.Look, p panes.Pane, lines []string) []string {
	first, last := s.ends()
	if s.pane != p || !s.dragged || first.line >= len(lines) {
		return lines
	}
	lines = slices.Clone(lines) // the pane keeps them
	for i := first.line; i <= min(last.line, len(lines)-1); i++ {
		line := lines[i]
		from, to := s.of(l, i, ansi.Strip(line))
		hit := ansi.Strip(l.Slice(line, from, to))
		lines[i] = l.Slice(line, 0, from) + l.Current.Paint(hit) + l.Slice(line, to, l.Width(line))
	}
	return lines
}

// text is what is selected, as it is on the screen.
func (s selection) text(l *draw.Look, lines []string) string {
	first, last := s.ends()
	var out []string
	for i := first.line; i <= min(last.line, len(lines)-1); i++ {
		line := ansi.Strip(lines[i])
		from, to := s.of(l, i, line)
		out = append(out, l.Slice(line, from, to))
	}
	return strings.Join(out, "\n")
}

// beginSelection begins a selection where the mouse is pressed. The timeline has another use for
// a drag: it goes along.
func (m *Model) beginSelection(at tea.Mouse) {
	p := m.layout.At(at.X, at.Y)
	box := m.layout.Panes[p]
	if p == panes.Nowhere || !box.Holds(at.X, at.Y) || p == panes.Why && m.why.ShowsHistory() {
		return
	}
	from := place{at.Y - box.Y, at.X - box.X}
	m.selection = selection{pane: p, from: from, to: from}
}

// extendSelection selects up to the cell of the pane that is nearest to the pointer.
func (m *Model) extendSelection(at tea.Mouse) {
	s, box := &m.selection, m.layout.Panes[m.selection.pane]
	if s.pane == panes.Nowhere || at.Button != tea.MouseLeft || box.Empty() {
		return
	}
	s.to = place{min(max(at.Y-box.Y, 0), box.H-1), min(max(at.X-box.X, 0), box.W-1)}
	s.dragged = s.dragged || s.to != s.from
}

// release copies what is selected, if the mouse was dragged.
func (m *Model) release() tea.Cmd {
	s := m.selection
	m.moving, m.selection = panes.NoBorder, selection{}
	box := m.layout.Panes[s.pane]
	if !s.dragged || box.Empty() { // the pane may have gone meanwhile
		return nil
	}
	_, lines := m.paneView(s.pane)
	text := strings.TrimRight(s.text(m.look, lines), "\n")
	of := [...]string{"", "the steps", "the text", "the output", "the reasons", "what is asked"}[s.pane]
	if !strings.Contains(text, "\n") {
		of = fmt.Sprintf("“%s”", m.look.Cut(strings.TrimSpace(text), maxQuoted))
	}
	return m.takeCopied(excerpt.Copied{Of: of, Text: text})
}

// maxQuoted is how much of a copied text the last line says.
const maxQuoted = 30

// doubleClickTime is the longest time between the clicks of a double click.
const doubleClickTime = 400 * time.Millisecond

// click is the last click.
type click struct {
	x, y int
	at   time.Time
}

// isDoubleClick notes a click, and reports whether it is the second one of a double click.
func (m *Model) isDoubleClick(at tea.Mouse) bool {
	last := m.lastClick
	m.lastClick = click{at.X, at.Y, m.now}
	if last.x != at.X || last.y != at.Y || m.now.Sub(last.at) > doubleClickTime {
		return false
	}
	m.lastClick = click{} // a third one is the first of another
	return true
}
