package search_test

import (
	"testing"

	"github.com/charmbracelet/x/ansi"

	"playhead/themes"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/search"
)

// TestHighlightKeepsLetters: a highlight does not change the text of a line, even if the line has colours or wide
// characters.
func TestHighlightKeepsLetters(t *testing.T) {
	for _, method := range []ansi.Method{ansi.WcWidth, ansi.GraphemeWidth} {
		dc := draw.New(themes.DefaultPair().ForBackground(true), keymap.Map{})
		dc.WidthMethod = method
		for _, line := range []string{"push it", "\x1b[31mpu\x1b[1msh\x1b[m it, push", "完了 push 🚀 push", "no such", "ＰＵＳＨ push"} {
			s := &search.Search{Query: "PUSH"}
			if got := ansi.Strip(s.HighlightMatches(dc, line, false)); got != ansi.Strip(line) {
				t.Errorf("%q became %q", line, got)
			}
		}
	}
}
