package sanitize

import "strconv"

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
	r.sever(from)
	r.sever(to)
	for i := from; i < to; i++ {
		r.cells[i] = blank
	}
}
