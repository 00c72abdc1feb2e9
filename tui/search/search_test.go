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

// TestGrowingText: the count of matches in output that is still growing says so, and is taken again when the output has ended.
func TestGrowingText(t *testing.T) {
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	lines := search.MemoryLines{LineCount: 2, LineAt: func(int) string { return "needle" }}
	s := search.New()
	s.Query = "needle"
	found, _ := s.FindFrom(search.Text{Lines: lines, IsGrowing: true}, 0)().(search.Result)
	count, _ := s.HandleResult(found)
	counted, _ := count().(search.Result)
	s.HandleResult(counted)
	if got := ansi.Strip(s.Summary(dc, 80)); got != "/needle 1 of 2 so far" {
		t.Errorf("while it grows: %q", got)
	}
	lines.LineCount = 5
	if s.CountAfterGrowth(search.Text{Lines: lines, IsGrowing: true}) != nil {
		t.Error("counts while the text grows")
	}
	counted, _ = s.CountAfterGrowth(search.Text{Lines: lines})().(search.Result)
	s.HandleResult(counted)
	if got := ansi.Strip(s.Summary(dc, 80)); got != "/needle 1 of 5" {
		t.Errorf("at the end: %q", got)
	}
}
