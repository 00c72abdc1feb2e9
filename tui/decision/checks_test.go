package decision

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"playhead/parse/plan"
	"playhead/themes"
	"playhead/tui/draw"
	"playhead/tui/keymap"
)

// TestPlaceOfCheckDetail: a detail follows the text of its check on the same line if there is room, else on the lines
// below.
func TestPlaceOfCheckDetail(t *testing.T) {
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	for _, c := range []struct {
		check plan.Check
		want  string
	}{
		{plan.Check{Text: "it is new", Verdict: plan.Passed}, "✓ it is new"},
		{plan.Check{Text: "it is new", Verdict: plan.Failed, Detail: "of May"}, "✗ it is new · of May"},
		{plan.Check{Text: "it is new", Verdict: plan.Failed, Detail: "of the second of May"}, "✗ it is new|    of the second of|    May"},
		{plan.Check{Text: "the newest archive is new", Verdict: plan.Unverified, Detail: "a\x1b[2J\nb"}, "△ the newest archive|  is new · a\\x1b[2J b"},
		{plan.Check{Verdict: plan.Passed, Detail: "x"}, "✓  · x"},
	} {
		if got := ansi.Strip(strings.Join(CheckLines(dc, []plan.Check{c.check}, 22), "|")); got != c.want {
			t.Errorf("%+v: %q", c.check, got)
		}
	}
}
