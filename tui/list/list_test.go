package list

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"playhead/themes"
	"playhead/tui/draw"
	"playhead/tui/keymap"
)

// TestFinder: a query keeps the items that match and selects the best one. Items that are added later do not move the
// selection.
func TestFinder(t *testing.T) {
	f := NewFinder([]string{"build the image", "run the tests", "tag the release"})
	f.Query = "tes"
	f.Filter()
	if at, ok := f.SelectedItemIndex(); !ok || at != 1 {
		t.Fatalf("selected %d, %v", at, ok)
	}
	f.AddItems("test again")
	if at, _ := f.SelectedItemIndex(); at != 1 {
		t.Errorf("another item moved the selection to %d", at)
	}
	f.Query = "zzz"
	f.Filter()
	if at, ok := f.SelectedItemIndex(); ok {
		t.Errorf("nothing matches, but %d is selected", at)
	}
}

// TestMatchesAreMarked: the query is highlighted where the text has it in one piece, not where its letters occur
// before.
func TestMatchesAreMarked(t *testing.T) {
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	for _, c := range []struct{ query, item, want string }{
		{"the selected", "other chests jump to the selected step", "other chests jump to [the selected] step"},
		{"sel", "counsel the selected step", "counsel the [sel]ected step"},
		{"ÉTA", "une étape", "une [éta]pe"},
		{"tst", "to the step", "to [t]he [st]ep"},
	} {
		f := NewFinder([]string{c.item})
		f.Query = c.query
		f.Filter()
		if len(f.MatchingItems) != 1 {
			t.Errorf("%q does not find %q", c.query, c.item)
			continue
		}
		var want string
		for i, part := range strings.FieldsFunc(c.want, func(r rune) bool { return r == '[' || r == ']' }) {
			if marked := strings.HasPrefix(c.want, "[") == (i%2 == 0); marked {
				for _, r := range part {
					want += dc.Match.Paint(string(r))
				}
				continue
			}
			want += part
		}
		if got := f.MatchingItems[0].HighlightedItem(dc, c.item); got != want {
			t.Errorf("%q marks %q, want %q", c.query, got, want)
		}
	}
}

// TestScroller: every line can be reached, and the last row says how many lines are below.
func TestScroller(t *testing.T) {
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	var all []string
	for i := range 9 {
		all = append(all, fmt.Sprint("line ", i))
	}
	var s Scroller
	for _, step := range []struct {
		key  tea.KeyPressMsg
		want []string
	}{
		{tea.KeyPressMsg{Code: tea.KeyUp}, []string{"line 0", "line 1", "↓ 7 more lines"}},
		{tea.KeyPressMsg{Code: tea.KeyDown}, []string{"line 1", "line 2", "↓ 6 more lines"}},
		{tea.KeyPressMsg{Code: tea.KeyEnd}, []string{"line 6", "line 7", "line 8"}},
		{tea.KeyPressMsg{Code: tea.KeyHome}, []string{"line 0", "line 1", "↓ 7 more lines"}},
	} {
		if !s.ScrollByKey(keymap.Map{}, step.key) {
			t.Errorf("%s does not scroll", step.key)
		}
		if got := s.VisibleLines(dc, all, 3); !slices.Equal(got, step.want) {
			t.Errorf("after %s: %q", step.key, got)
		}
	}
	if s.ScrollByKey(keymap.Map{}, tea.KeyPressMsg{Code: 'x', Text: "x"}) {
		t.Error("x scrolls")
	}
}
