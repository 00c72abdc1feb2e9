package draw_test

import (
	"strings"
	"testing"

	"playhead/engine/linediff"
	"playhead/themes"
	"playhead/tui/draw"
	"playhead/tui/keymap"
)

// TestWrappedDiffLines: the rows that continue a line of a diff begin with ┇, so that they do not look like unchanged
// lines.
func TestWrappedDiffLines(t *testing.T) {
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	hunk := linediff.Hunk{
		{Op: linediff.Same, NumberInA: 1, NumberInB: 1, Text: "the same long line"},
		{Op: linediff.Removed, NumberInA: 2, Text: "one two three four"},
		{Op: linediff.Added, NumberInB: 2, Text: "one"},
	}
	want := "@@ -1,2 +1,2 @@\n the same long\n┇ line\n-one two three\n┇ four\n+one"
	if got := strings.Join(dc.HunkLines([]linediff.Hunk{hunk}, 15), "\n"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := strings.Join(dc.DiffLine(linediff.Added, " ", "one two three", 9), "\n"); got != "+ one two\n┇  three" {
		t.Errorf("%q", got)
	}
}
