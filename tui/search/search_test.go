package search_test

import (
	"slices"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/logs"
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
			if got := ansi.Strip(s.HighlightMatchesAt(dc, line, 0)); got != ansi.Strip(line) {
				t.Errorf("%q became %q", line, got)
			}
		}
	}
}

// TestMatchesInLongLines: every match of a line is found in both directions, and counted.
func TestMatchesInLongLines(t *testing.T) {
	l := search.NewLongLines([]string{"", "ab AB", "none", "xab", "", "İab, ab"}) // İ has another length in lower case
	m := logs.LinesContaining("Ab")
	want := []int{1, 4, 13, 17}
	for _, dir := range []logs.Direction{logs.Forward, logs.Backward} {
		from, by := 0, 1
		if dir == logs.Backward {
			from, by = l.Size(), -1
		}
		var got []int
		for {
			at, found, err := l.Search(t.Context(), m, from, dir)
			if err != nil {
				t.Fatal(err)
			}
			if !found {
				break
			}
			got, from = append(got, at), at+by
		}
		if dir == logs.Backward {
			slices.Reverse(got)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v: %v, want %v", dir, got, want)
		}
	}
	if before, all, _ := l.CountMatches(t.Context(), m, 13); before != 2 || all != 4 {
		t.Errorf("%d of %d", before, all)
	}
	if line, at := l.Place(l.Offset(3, 1)); line != 3 || at != 1 {
		t.Errorf("byte %d of line %d", at, line)
	}
}
