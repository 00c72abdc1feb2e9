package document

import (
	"slices"
	"strings"
	"testing"

	"playhead/parse/plan"
	"playhead/themes"
	"playhead/tui/keymap"
	"playhead/tui/runview/runviewtest"
)

// TestColoursOfAnyLines: lines have the same colours whichever lines are in sight with them. In a comment and
// in the front matter there are no headings, not even after a blank line.
func TestColoursOfAnyLines(t *testing.T) {
	s := runviewtest.New(t, keymap.New("", nil, nil)).DrawContext.Styles
	lines := strings.Split("---\nname: a\n\n# b\n---\n# A\n\n<!-- one\n\n# two -->\n\n> quoted\n\n## 1. One\n```sh\n# note\n\necho hi\n```\n```else```\nthe end", "\n")
	coloured := func(from, end int) []string {
		c := newSourceColours(&plan.Plan{Path: "a.runbook.md"}, lines)
		return c.colouredLines(from, end, s)
	}
	all := coloured(0, len(lines))
	for from := range lines {
		for end := from; end <= len(lines); end++ {
			if got := coloured(from, end); !slices.Equal(got, all[from:end]) {
				t.Fatalf("lines %d to %d: %q, want %q", from, end, got, all[from:end])
			}
		}
	}
	for line, want := range map[int]string{
		3: "# b", 5: s.Title.Paint("# A"), 9: "# two -->", 13: s.Title.Paint("## 1. One"), 14: s.Muted.Paint("```sh"),
		15: s.Muted.Paint("# note"), 18: s.Muted.Paint("```"), 19: s.Tool.Paint("```else```"),
	} {
		if all[line] != want {
			t.Errorf("line %d: %q, want %q", line, all[line], want)
		}
	}
}

// TestColoursFollowTheTheme: another theme colours the lines again.
func TestColoursFollowTheTheme(t *testing.T) {
	c := newSourceColours(&plan.Plan{Path: "a.runbook.md"}, []string{"# A"})
	for _, name := range themes.BuiltInNames() {
		p, err := themes.LoadBuiltIn(name)
		if err != nil {
			t.Fatal(err)
		}
		s := themes.NewStyles(p)
		if got, want := c.colouredLines(0, 1, s)[0], s.Title.Paint("# A"); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
