package draw

import (
	"fmt"

	"playhead/engine/linediff"
	"playhead/themes"
)

// DiffCounts returns how many lines only one of two texts has: -1 +2.
func (l *Look) DiffCounts(d linediff.Diff) string {
	removed, added := d.ChangedLineCounts()
	return l.Fail.Paint(fmt.Sprintf("-%d", removed)) + " " + l.Pass.Paint(fmt.Sprintf("+%d", added))
}

// DiffStyle returns the style of a line of a diff.
func (l *Look) DiffStyle(op linediff.LineOp) themes.Style {
	switch op {
	case linediff.Removed:
		return l.Fail
	case linediff.Added:
		return l.Pass
	default:
		return themes.Style{}
	}
}

// HunkLines returns a diff in lines of w cells.
func (l *Look) HunkLines(all []linediff.Hunk, w int) (out []string) {
	for _, hunk := range all {
		out = append(out, l.Muted.Paint(l.Cut(hunk.Header(), w)))
		for _, line := range hunk {
			for _, part := range l.WrapCode(string(line.Op)+CleanLine(line.Text), w) {
				out = append(out, l.DiffStyle(line.Op).Paint(part))
			}
		}
	}
	return out
}
