package comparisonview

import (
	"fmt"

	"playhead/engine/compare"
	"playhead/engine/linediff"
	"playhead/tui/draw"
	"playhead/tui/list"
)

// textDiffLines returns the lines in which a text differs, in two columns if they fit.
func textDiffLines(dc *draw.Context, t compare.TextDifference, w int) []string {
	out := []string{"", dc.Cut(dc.Title.PaintOver("lines of the "+t.Aspect+"  "+dc.DiffCounts(t.Diff)), w)}
	for i, h := range t.Hunks {
		if i > 0 {
			out = append(out, dc.Muted.Paint("⋯"))
		}
		if w >= minTwoColumnWidth {
			out = append(out, hunkInColumns(dc, h, w)...)
		} else {
			out = append(out, unifiedLines(dc, h, w)...)
		}
	}
	if text := t.UncomparedText(); text != "" {
		out = append(out, dc.Muted.Paint("… "+text))
	}
	return out
}

// numberWidth is the width of the column of line numbers.
const numberWidth = 5

// unifiedLines returns a hunk in the unified format: removed lines and added lines below each other.
func unifiedLines(dc *draw.Context, h linediff.Hunk, w int) []string {
	var out []string
	for _, line := range h {
		n := line.NumberInA
		if line.Op == linediff.Added {
			n = line.NumberInB
		}
		out = append(out, diffLine(dc, line, n, w)...)
	}
	return out
}

// diffLine returns a line of a diff, with its line number. A long line is wrapped.
func diffLine(dc *draw.Context, line linediff.Line, n, w int) []string {
	return dc.MarkedLines(dc.Muted.Paint(fmt.Sprintf("%4d ", n)), dc.DiffLine(line.Op, " ", line.Text, w-numberWidth))
}

// hunkInColumns returns a hunk in two columns: removed lines left, and right those that replace them.
func hunkInColumns(dc *draw.Context, h linediff.Hunk, w int) []string {
	var left, right [][]string
	var out []string
	wideA, wideB := detailWidths(w)
	flush := func() {
		for i := range max(len(left), len(right)) {
			out = append(out, twoColumnLines(dc, list.ElementOrZero(left, i), list.ElementOrZero(right, i), wideA, wideB)...)
		}
		left, right = nil, nil
	}
	for _, line := range h {
		switch line.Op {
		case linediff.Removed:
			left = append(left, diffLine(dc, line, line.NumberInA, wideA))
		case linediff.Added:
			right = append(right, diffLine(dc, line, line.NumberInB, wideB))
		default:
			flush()
			left, right = [][]string{diffLine(dc, line, line.NumberInA, wideA)}, [][]string{diffLine(dc, line, line.NumberInB, wideB)}
			flush()
		}
	}
	flush()
	return out
}
