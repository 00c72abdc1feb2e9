package document

import (
	"unicode/utf8"

	"playhead/tui/draw"
)

// wrappedLine is a line that is broken into rows. It can have megabytes, so it is divided into blocks, and only the blocks
// around the visible rows are broken. Each block begins a new row, so the rows do not depend on where scrolling
// began.
type wrappedLine struct {
	dc         *draw.Context
	text       string
	rowWidth   int // in cells
	pageRows   int
	blockBytes int
}

// maxCellBytes is how many bytes a cell has at most in common texts. A block then has at least a page of rows.
const maxCellBytes = 8

func newWrappedLine(dc *draw.Context, text string, rowWidth, pageRows int) wrappedLine {
	return wrappedLine{dc, text, rowWidth, pageRows, maxCellBytes * rowWidth * max(1, pageRows)}
}

// rowsAround returns the rows of the block with a byte, and of the blocks beside it, and the byte at which they begin.
func (l wrappedLine) rowsAround(at int) (rows []string, from int) {
	first := max(0, min(at, len(l.text))/l.blockBytes-1)
	rows = l.rowsOfBlock(first)
	for i := first + 1; i < first+3 && l.blockStart(i) < len(l.text); i++ {
		rows = append(rows, l.rowsOfBlock(i)...)
	}
	return rows, l.blockStart(first)
}

// isLongerThanPage reports whether the line has more rows than a page.
func (l wrappedLine) isLongerThanPage() bool {
	return len(l.text) > l.blockBytes || len(l.rowsOfBlock(0)) > l.pageRows
}

func (l wrappedLine) rowsOfBlock(i int) []string {
	return l.dc.WrapCode(l.text[l.blockStart(i):l.blockStart(i+1)], l.rowWidth)
}

// blockStart returns the byte at which a block begins: the beginning of a character.
func (l wrappedLine) blockStart(i int) int {
	at := min(i*l.blockBytes, len(l.text))
	for at > 0 && at < len(l.text) && !utf8.RuneStart(l.text[at]) {
		at--
	}
	return at
}
