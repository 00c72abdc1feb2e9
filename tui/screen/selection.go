package screen

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"playhead/tui/draw"
	"playhead/tui/panes"
)

type place struct{ line, column int }

// selection is the text of a pane that is selected with the mouse, from the cell where the button was
// pressed to the cell under the pointer, line by line.
type selection struct {
	pane     panes.Pane // panes.Nowhere: there is no selection
	from, to place
	dragged  bool // the pointer has moved, so it is not only a click
}

// ends returns the first and the last selected cell.
func (s selection) ends() (first, last place) {
	if s.to.line < s.from.line || s.to.line == s.from.line && s.to.column < s.from.column {
		return s.to, s.from
	}
	return s.from, s.to
}

// of returns the columns from (inclusive) and to (exclusive) of the selected part of line n, in whole
// characters and without blanks at its end.
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

// show highlights the selected text of a pane.
func (s selection) show(l *draw.Look, p panes.Pane, lines []string) []string {
	first, last := s.ends()
	if s.pane != p || !s.dragged || first.line >= len(lines) {
		return lines
	}
	lines = slices.Clone(lines) // the pane caches its lines
	for i := first.line; i <= min(last.line, len(lines)-1); i++ {
		line := lines[i]
		from, to := s.of(l, i, ansi.Strip(line))
		hit := ansi.Strip(l.Slice(line, from, to))
		lines[i] = l.Slice(line, 0, from) + l.Caret.Paint(hit) + l.Slice(line, to, l.Width(line))
	}
	return lines
}

// text returns the selected text without styles.
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
