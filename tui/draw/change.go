package draw

import (
	"fmt"

	"playhead/engine/linediff"
	"playhead/themes"
)

// DiffCounts returns how many lines only one of two texts has: -1 +2.
func (dc *Context) DiffCounts(d linediff.Diff) string {
	removed, added := d.ChangedLineCounts()
	return dc.Fail.Paint(fmt.Sprintf("-%d", removed)) + " " + dc.Pass.Paint(fmt.Sprintf("+%d", added))
}

// DiffStyle returns the style of a line of a diff.
func (dc *Context) DiffStyle(op linediff.LineOp) themes.Style {
	switch op {
	case linediff.Removed:
		return dc.Fail
	case linediff.Added:
		return dc.Pass
	default:
		return themes.Style{}
	}
}

// HunkLines returns a diff in lines of w cells.
func (dc *Context) HunkLines(all []linediff.Hunk, w int) (out []string) {
	for _, hunk := range all {
		out = append(out, dc.Muted.Paint(dc.Cut(hunk.Header(), w)))
		for _, line := range hunk {
			out = append(out, dc.DiffLine(line.Op, "", CleanLine(line.Text), w)...)
		}
	}
	return out
}

// DiffLine returns a line of a diff in rows of w cells: its sign, the gap and its text. The rows after the first have
// another sign, because a row that begins with a blank looks like a line that both texts have.
func (dc *Context) DiffLine(op linediff.LineOp, gap, text string, w int) (out []string) {
	sign := string(op) + gap
	for _, part := range dc.WrapCode(text, max(1, w-len(sign))) {
		out = append(out, dc.DiffStyle(op).Paint(sign+part))
		sign = themes.ContinuationSign + gap
	}
	return out
}
