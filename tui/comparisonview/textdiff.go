package comparisonview

import (
	"fmt"

	"playhead/engine/compare"
	"playhead/engine/linediff"
	"playhead/tui/cells"
	"playhead/tui/draw"
	"playhead/tui/list"
)

// textDiffLines returns the lines in which a text differs, in two columns if they fit.
func textDiffLines(l *draw.Look, t compare.TextDifference, w int) []string {
	out := []string{"", l.Cut(l.Title.PaintOver("lines of the "+t.Aspect+"  "+l.DiffCounts(t.Diff)), w)}
	for i, h := range t.Hunks {
		if i > 0 {
			out = append(out, l.Muted.Paint("⋯"))
		}
		if w >= minTwoColumnWidth {
			out = append(out, hunkInColumns(l, h, w)...)
		} else {
			out = append(out, unifiedLines(l, h, w)...)
		}
	}
	if t.LastComparedLine > 0 {
		out = append(out, l.Muted.Paint(fmt.Sprintf("… the texts were not compared after line %d", t.LastComparedLine)))
	}
	return out
}

// numberWidth is the width of the column of line numbers.
const numberWidth = 5

// unifiedLines returns a hunk in the unified format: removed lines and added lines below each other.
func unifiedLines(l *draw.Look, h linediff.Hunk, w int) []string {
	var out []string
	for _, line := range h {
		n := line.NumberInA
		if line.Op == linediff.Added {
			n = line.NumberInB
		}
		out = append(out, diffLine(l, line, n, w)...)
	}
	return out
}

// diffLine returns a line of a diff, with its line number. A long line is wrapped.
func diffLine(l *draw.Look, line linediff.Line, n, w int) []string {
	out := l.WrapCode(string(line.Op)+" "+line.Text, w-numberWidth)
	number := l.Muted.Paint(fmt.Sprintf("%4d ", n))
	for i, text := range out {
		out[i] = number + l.DiffStyle(line.Op).Paint(text)
		number = cells.Spaces(numberWidth)
	}
	return out
}

// hunkInColumns returns a hunk in two columns: removed lines left, and right those that replace them.
func hunkInColumns(l *draw.Look, h linediff.Hunk, w int) []string {
	var left, right [][]string
	var out []string
	wideA, wideB := detailWidths(w)
	flush := func() {
		for i := range max(len(left), len(right)) {
			out = append(out, joinColumns(l, list.ElementOrZero(left, i), list.ElementOrZero(right, i), wideA, wideB)...)
		}
		left, right = nil, nil
	}
	for _, line := range h {
		switch line.Op {
		case linediff.Removed:
			left = append(left, diffLine(l, line, line.NumberInA, wideA))
		case linediff.Added:
			right = append(right, diffLine(l, line, line.NumberInB, wideB))
		default:
			flush()
			left, right = [][]string{diffLine(l, line, line.NumberInA, wideA)}, [][]string{diffLine(l, line, line.NumberInB, wideB)}
			flush()
		}
	}
	flush()
	return out
}
