package screen

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"playhead/tui/draw"
	"playhead/tui/layout"
)

// cellPlace is a cell of a pane. Both numbers count from 0.
type cellPlace struct{ line, column int }

// selection is the text of a pane that is selected with the mouse, from the cell where the button was
// pressed to the cell under the pointer, line by line.
type selection struct {
	pane               layout.PaneID // layout.NoPane: there is no selection
	startCell, endCell cellPlace
	wasDragged         bool // the pointer has moved, so it is not only a click
}

// firstAndLastCell returns the first and the last selected cell.
func (s selection) firstAndLastCell() (first, last cellPlace) {
	if s.endCell.line < s.startCell.line || s.endCell.line == s.startCell.line && s.endCell.column < s.startCell.column {
		return s.endCell, s.startCell
	}
	return s.startCell, s.endCell
}

// selectedColumns returns the columns from (inclusive) and to (exclusive) of the selected part of line n,
// in whole characters and without blanks at its end.
func (s selection) selectedColumns(dc *draw.Context, n int, line string) (from, to int) {
	first, last := s.firstAndLastCell()
	if to = dc.Width(strings.TrimRight(line, " ")); n == last.line {
		to = min(to, last.column+1)
	}
	if n == first.line {
		from = min(first.column, to)
	}
	return dc.ExpandToCharacters(line, from, to)
}

// highlight highlights the selected text of a pane.
func (s selection) highlight(dc *draw.Context, p layout.PaneID, lines []string) []string {
	first, last := s.firstAndLastCell()
	if s.pane != p || !s.wasDragged || first.line >= len(lines) {
		return lines
	}
	lines = slices.Clone(lines) // the pane caches its lines
	for i := first.line; i <= min(last.line, len(lines)-1); i++ {
		line := lines[i]
		from, to := s.selectedColumns(dc, i, ansi.Strip(line))
		hit := ansi.Strip(dc.Slice(line, from, to))
		lines[i] = dc.Slice(line, 0, from) + dc.Caret.Paint(hit) + dc.Slice(line, to, dc.Width(line))
	}
	return lines
}

// selectedText returns the selected text without styles.
func (s selection) selectedText(dc *draw.Context, lines []string) string {
	first, last := s.firstAndLastCell()
	var out []string
	for i := first.line; i <= min(last.line, len(lines)-1); i++ {
		line := ansi.Strip(lines[i])
		from, to := s.selectedColumns(dc, i, line)
		out = append(out, dc.Slice(line, from, to))
	}
	return strings.Join(out, "\n")
}
