package screen

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"playhead/tui/draw"
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
	return l.WholeCharacters(line, from, to)
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
		lines[i] = l.Slice(line, 0, from) + l.Caret.Paint(hit) + l.Slice(line, to, l.Width(line))
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
