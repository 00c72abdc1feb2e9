package help

import (
	"playhead/tui/cells"
	"playhead/tui/draw"
	"playhead/tui/list"
)

// newspaper sets blocks of lines in n columns, each w cells wide, as low as their
// order allows. No block is divided.
func newspaper(l *draw.Look, blocks [][]string, n, w int) []string {
	var cols [][]string
	for height := 1; ; height++ {
		if cols = stacked(blocks, height); len(cols) <= n && fits(cols, height) {
			break
		}
	}
	var out []string
	for i := range longestOf(cols) {
		line := ""
		for c, col := range cols {
			if c > 0 {
				line += cells.Spaces(columnGap)
			}
			line += l.Fit(list.At(col, i), w)
		}
		out = append(out, line)
	}
	return out
}

const columnGap = 3

// stacked puts blocks below each other, with a blank line between, and begins a
// column where one would get higher than it may be.
func stacked(blocks [][]string, height int) [][]string {
	var cols [][]string
	for _, b := range blocks {
		last := len(cols) - 1
		if last < 0 || len(cols[last])+1+len(b) > height {
			cols = append(cols, b[:len(b):len(b)])
			continue
		}
		cols[last] = append(append(cols[last], ""), b...)
	}
	return cols
}

func fits(cols [][]string, height int) bool { return longestOf(cols) <= height }

func longestOf(cols [][]string) int {
	n := 0
	for _, c := range cols {
		n = max(n, len(c))
	}
	return n
}
