package sanitize

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"playhead/parse/hidden"
)

const (
	tabWidth   = 8
	maxColumn  = 1000 // how far right of its end a line can send the cursor
	maxCluster = 64   // bytes of a character beyond which no more marks join it
)

// A cell is one column of a row.
type cell struct {
	text  string // one character with its marks; empty: right part of the wide one before
	style *cellStyle
}

var blank = cell{text: " ", style: &cellStyle{}}

// A row is one line of a terminal: characters overwrite each other in it.
type row struct {
	cells []cell
	col   int
	style *cellStyle // of the characters drawn next
	run   []byte     // characters read but not yet drawn: they may combine with what follows
	joins hidden.Joints
}

// draw returns the line that a terminal would show after s, its styles included. What comes out
// has no motions left, but is not filtered yet.
func draw(s string) string {
	r := row{cells: make([]cell, 0, len(s)), style: blank.style}
	r.add(s)
	return r.String()
}

// add draws s, which ends where a character ends that nothing joins.
func (r *row) add(s string) {
	for len(s) > 0 {
		if n := span(s, ' ', '~'); n > 1 { // all but the last, which a mark may follow
			r.flush()
			r.putASCII(s[:n-1])
			s = s[n-1:]
			r.joins = hidden.Joints{}
		}
		t := next(s)
		s = s[t.size:]
		if t.kind == text {
			if r.joins.Keep(t.char, s) {
				r.run = append(r.run, t.put...)
			}
			continue
		}
		r.joins.Interrupt()
		r.flush()
		switch t.kind {
		case style:
			pen := r.style.with(t.params)
			r.style = &pen
		case motion:
			r.move(t)
		}
	}
	r.flush()
}

// flush draws the characters that were read.
func (r *row) flush() {
	run := string(r.run)
	r.run = r.run[:0]
	for run != "" {
		char, width := run[:1], 1
		if !isPrintable(run[0]) || len(run) > 1 && !isPrintable(run[1]) {
			char, width = ansi.FirstGraphemeCluster(run, ansi.GraphemeWidth)
		}
		run = run[len(char):]
		r.put(char, width)
	}
}

// putASCII draws characters that are a cell each.
func (r *row) putASCII(s string) {
	r.pad(r.col)
	for i := range len(s) {
		if r.col == len(r.cells) {
			r.cells = append(r.cells, cell{text: s[i : i+1], style: r.style})
			r.col++
			continue
		}
		r.put(s[i:i+1], 1)
	}
}

// put draws one character at the cursor. One without width joins the one before.
func (r *row) put(char string, width int) {
	if width <= 0 {
		if at := r.head(r.col - 1); at >= 0 && len(r.cells[at].text) < maxCluster {
			r.cells[at].text += char
		}
		return
	}
	r.pad(r.col + width)
	r.blankCutCharacter(r.col)
	r.blankCutCharacter(r.col + width)
	r.cells[r.col] = cell{text: char, style: r.style}
	for i := 1; i < width; i++ {
		r.cells[r.col+i] = cell{style: r.style}
	}
	r.col += width
}

// head returns the column where the character at column at begins, -1 if there is none.
func (r *row) head(at int) int {
	if at >= len(r.cells) {
		return -1
	}
	for at >= 0 && r.cells[at].text == "" {
		at--
	}
	return at
}

// blankCutCharacter blanks a wide character that reaches across the left edge of column at.
func (r *row) blankCutCharacter(at int) {
	if at >= len(r.cells) || r.cells[at].text != "" {
		return
	}
	for i := r.head(at); i < len(r.cells) && (i < at || r.cells[i].text == ""); i++ {
		r.cells[i] = blank
	}
}

// pad makes the row at least so many columns long.
func (r *row) pad(columns int) {
	for len(r.cells) < columns {
		r.cells = append(r.cells, blank)
	}
}

// String returns the row as text and style sequences.
func (r *row) String() string {
	out := make([]byte, 0, 2*len(r.cells))
	last := blank.style
	for _, c := range r.cells {
		if c.style != last && *c.style != *last {
			out = c.style.appendTo(out, *last)
		}
		last = c.style
		out = append(out, c.text...)
	}
	if *last != (cellStyle{}) {
		out = append(out, resetStyle...)
	}
	return strings.ToValidUTF8(string(out), replacement)
}

// move carries out a motion.
func (r *row) move(t token) {
	n, _ := strconv.Atoi(t.params) // no number is 0
	switch t.final {
	case '\r':
		r.col = 0
	case '\b':
		r.col = max(r.col-1, 0)
	case '\t':
		r.col += tabWidth - r.col%tabWidth
	case 'C', 'a':
		r.jump(r.col + min(max(n, 1), maxColumn))
	case 'D':
		r.jump(r.col - max(n, 1))
	case 'G', '`':
		r.jump(n - 1)
	case 'X':
		r.erase(r.col, r.col+min(max(n, 1), len(r.cells)))
	case 'K':
		r.eraseLine(n)
	case 'J':
		if n == 0 { // to the screen's end, of which this line has the first part
			r.eraseLine(n)
		}
	}
}

func (r *row) jump(col int) {
	r.col = min(max(col, 0), max(len(r.cells), r.col, maxColumn))
}

// eraseLine erases to the line's end, from its start, or all of it: n is 0, 1 or 2.
func (r *row) eraseLine(n int) {
	switch n {
	case 0:
		r.erase(r.col, len(r.cells))
		r.cells = r.cells[:min(r.col, len(r.cells))]
	case 1:
		r.erase(0, r.col+1)
	case 2:
		r.cells = r.cells[:0]
	}
}

// erase blanks the columns from up to, but not including, to.
func (r *row) erase(from, to int) {
	to = min(to, len(r.cells))
	if from >= to {
		return
	}
	r.blankCutCharacter(from)
	r.blankCutCharacter(to)
	for i := from; i < to; i++ {
		r.cells[i] = blank
	}
}
