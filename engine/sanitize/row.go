package sanitize

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"playhead/parse/hidden"
)

const (
	tabWidth        = 8
	maxColumnMove   = 1000 // how far right of its end a line can move the cursor
	maxClusterBytes = 64   // the maximum length of a character with its marks, in bytes
)

// A cell is one column of a row.
type cell struct {
	text  string // one character with its marks; empty: right part of the wide one before
	style *cellStyle
}

var blankCell = cell{text: " ", style: &cellStyle{}}

// A terminalRow is one line of a terminal: characters overwrite each other in it.
type terminalRow struct {
	cells        []cell
	column       int
	nextStyle    *cellStyle // the style of the characters that are drawn next
	pendingChars []byte     // characters read but not yet drawn: they may combine with what follows
	joinerFilter hidden.JoinerFilter
}

// drawLine returns the line that a terminal would show after s, with its styles. The result does not move
// the cursor, but is not filtered yet.
func drawLine(s string) string {
	r := terminalRow{cells: make([]cell, 0, len(s)), nextStyle: blankCell.style}
	r.drawText(s)
	return r.String()
}

// drawText draws s. The text that follows s must not combine with its last character.
func (r *terminalRow) drawText(s string) {
	for len(s) > 0 {
		if n := leadingBytesInRange(s, ' ', '~'); n > 1 { // all but the last, which a mark may follow
			r.drawPending()
			r.drawASCII(s[:n-1])
			s = s[n-1:]
			r.joinerFilter = hidden.JoinerFilter{}
		}
		t := readToken(s)
		s = s[t.size:]
		if t.kind == textToken {
			if r.joinerFilter.AdmitNext(t.char, s) {
				r.pendingChars = append(r.pendingChars, t.output...)
			}
			continue
		}
		r.joinerFilter.NoteRemoval()
		r.drawPending()
		switch t.kind {
		case styleToken:
			style := r.nextStyle.withSequence(t.params)
			r.nextStyle = &style
		case motionToken:
			r.applyMotion(t)
		}
	}
	r.drawPending()
}

// drawPending draws the characters that were read.
func (r *terminalRow) drawPending() {
	run := string(r.pendingChars)
	r.pendingChars = r.pendingChars[:0]
	for run != "" {
		char, width := run[:1], 1
		if !isPrintable(run[0]) || len(run) > 1 && !isPrintable(run[1]) {
			char, width = ansi.FirstGraphemeCluster(run, ansi.GraphemeWidth)
		}
		run = run[len(char):]
		r.drawChar(char, width)
	}
}

// drawASCII draws characters that take one cell each.
func (r *terminalRow) drawASCII(s string) {
	r.extendTo(r.column)
	for i := range len(s) {
		if r.column == len(r.cells) {
			r.cells = append(r.cells, cell{text: s[i : i+1], style: r.nextStyle})
			r.column++
			continue
		}
		r.drawChar(s[i:i+1], 1)
	}
}

// drawChar draws one character at the cursor. A character without width is added to the one before.
func (r *terminalRow) drawChar(char string, width int) {
	if width <= 0 {
		if at := r.charStart(r.column - 1); at >= 0 && len(r.cells[at].text) < maxClusterBytes {
			r.cells[at].text += char
		}
		return
	}
	r.extendTo(r.column + width)
	r.blankCutCharacter(r.column)
	r.blankCutCharacter(r.column + width)
	r.cells[r.column] = cell{text: char, style: r.nextStyle}
	for i := 1; i < width; i++ {
		r.cells[r.column+i] = cell{style: r.nextStyle}
	}
	r.column += width
}

// charStart returns the column where the character at column at begins, -1 if there is none.
func (r *terminalRow) charStart(at int) int {
	if at >= len(r.cells) {
		return -1
	}
	for at >= 0 && r.cells[at].text == "" {
		at--
	}
	return at
}

// blankCutCharacter blanks the wide character, if any, that begins left of column at and reaches into it.
func (r *terminalRow) blankCutCharacter(at int) {
	if at >= len(r.cells) || r.cells[at].text != "" {
		return
	}
	for i := r.charStart(at); i < len(r.cells) && (i < at || r.cells[i].text == ""); i++ {
		r.cells[i] = blankCell
	}
}

// extendTo extends the row to at least a number of columns.
func (r *terminalRow) extendTo(columns int) {
	for len(r.cells) < columns {
		r.cells = append(r.cells, blankCell)
	}
}

// String returns the row as text and style sequences.
func (r *terminalRow) String() string {
	out := make([]byte, 0, 2*len(r.cells))
	last := blankCell.style
	for _, c := range r.cells {
		if c.style != last && *c.style != *last {
			out = c.style.appendChangeFrom(out, *last)
		}
		last = c.style
		out = append(out, c.text...)
	}
	if *last != (cellStyle{}) {
		out = append(out, resetStyle...)
	}
	return strings.ToValidUTF8(string(out), replacementChar)
}

// applyMotion carries out a token that moves the cursor or erases.
func (r *terminalRow) applyMotion(t token) {
	n, _ := strconv.Atoi(t.params) // no number is 0
	switch t.finalByte {
	case '\r':
		r.column = 0
	case '\b':
		r.column = max(r.column-1, 0)
	case '\t':
		r.column += tabWidth - r.column%tabWidth
	case 'C', 'a':
		r.moveTo(r.column + min(max(n, 1), maxColumnMove))
	case 'D':
		r.moveTo(r.column - max(n, 1))
	case 'G', '`':
		r.moveTo(n - 1)
	case 'X':
		r.erase(r.column, r.column+min(max(n, 1), len(r.cells)))
	case 'K':
		r.eraseLine(n)
	case 'J':
		if n == 0 { // erases to the end of the screen, which begins with the rest of this line
			r.eraseLine(n)
		}
	}
}

// moveTo moves the cursor to a column, but not far beyond the end of the row.
func (r *terminalRow) moveTo(col int) {
	r.column = min(max(col, 0), max(len(r.cells), r.column, maxColumnMove))
}

// eraseLine erases to the line's end, from its start, or all of it: n is 0, 1 or 2.
func (r *terminalRow) eraseLine(n int) {
	switch n {
	case 0:
		r.erase(r.column, len(r.cells))
		r.cells = r.cells[:min(r.column, len(r.cells))]
	case 1:
		r.erase(0, r.column+1)
	case 2:
		r.cells = r.cells[:0]
	}
}

// erase blanks the columns from up to, but not including, to.
func (r *terminalRow) erase(from, to int) {
	to = min(to, len(r.cells))
	if from >= to {
		return
	}
	r.blankCutCharacter(from)
	r.blankCutCharacter(to)
	for i := from; i < to; i++ {
		r.cells[i] = blankCell
	}
}
