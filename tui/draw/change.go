package draw

import (
	"fmt"

	"playhead/engine/linediff"
	"playhead/themes"
)

// Counts returns how many lines only one of two texts has: -1 +2.
func (l *Look) Counts(d linediff.Diff) string {
	removed, added := d.Counts()
	return l.Fail.Paint(fmt.Sprintf("-%d", removed)) + " " + l.Pass.Paint(fmt.Sprintf("+%d", added))
}

// Change returns the ink of a line of a diff.
func (l *Look) Change(op linediff.Op) themes.Ink {
	switch op {
	case linediff.Removed:
		return l.Fail
	case linediff.Added:
		return l.Pass
	default:
		return themes.Ink{}
	}
}

// Hunks returns a diff in lines of w cells.
func (l *Look) Hunks(all []linediff.Hunk, w int) (out []string) {
	for _, hunk := range all {
		out = append(out, l.Muted.Paint(l.Cut(hunk.Head(), w)))
		for _, line := range hunk {
			for _, part := range l.Rows(string(line.Op)+Clean(line.Text), w) {
				out = append(out, l.Change(line.Op).Paint(part))
			}
		}
	}
	return out
}
