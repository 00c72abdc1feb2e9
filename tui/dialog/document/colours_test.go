package document

import (
	"slices"
	"strings"
	"testing"

	"playhead/parse/plan"
	"playhead/themes"
	"playhead/tui/keymap"
	"playhead/tui/runview/runviewtest"

	"github.com/charmbracelet/x/ansi"
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

// TestColoursBeginAnewAtAStep: a fence or comment that nothing closes colours only its step.
func TestColoursBeginAnewAtAStep(t *testing.T) {
	s := runviewtest.New(t, keymap.New("", nil, nil)).DrawContext.Styles
	for _, unclosed := range []string{"```sh", "<!--", "    ```", "--> <!--"} {
		lines := []string{"## 1. One", unclosed, "## 2. Two"}
		c := newSourceColours(&plan.Plan{Path: "a.runbook.md", Steps: []*plan.Step{{Span: plan.Span{Line: 1}}, {Span: plan.Span{Line: 3}}}}, lines)
		if got, want := c.colouredLines(0, 3, s)[2], s.Title.Paint("## 2. Two"); got != want {
			t.Errorf("%s: %q, want %q", unclosed, got, want)
		}
	}
}

// TestColoursOfJSON: keys and values have the same colours on any line.
func TestColoursOfJSON(t *testing.T) {
	s := runviewtest.New(t, keymap.New("", nil, nil)).DrawContext.Styles
	lines := []string{"{", `  "a.b": {`, `    "c": "d: {",`, `    "e": [`, `      "f"`, "    ]", "  }", "}"}
	c := newSourceColours(&plan.Plan{Path: "a.json"}, lines)
	got := c.colouredLines(0, len(lines), s)
	for line, want := range map[int]string{1: s.Tool.Paint(`"a.b"`), 2: s.Pass.Paint(`"d: {"`), 3: s.Tool.Paint(`"e"`), 4: s.Pass.Paint(`"f"`)} {
		if !strings.Contains(got[line], want) || ansi.Strip(got[line]) != lines[line] {
			t.Errorf("line %d: %q, want %q in it", line, got[line], want)
		}
	}
}

// TestFrameColoursAFewBlocks: a frame colours no more than a few kilobytes, and the next ones the others.
func TestFrameColoursAFewBlocks(t *testing.T) {
	s := runviewtest.New(t, keymap.New("", nil, nil)).DrawContext.Styles
	var lines []string
	for range 20 {
		lines = append(lines, strings.Repeat("**bold** and plain. ", 50), "")
	}
	c := newSourceColours(&plan.Plan{Path: "a.runbook.md"}, lines)
	for frame := 1; ; frame++ {
		bold := 0
		for _, line := range c.colouredLines(0, len(lines), s) {
			if strings.Contains(line, s.Bold.Paint("**bold**")) {
				bold++
			}
		}
		if bold == 20 {
			break
		}
		if bold > 5*frame || frame > 20 {
			t.Fatalf("frame %d has colours in %d of 20 lines", frame, bold)
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
