package show

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/journal"
	"playhead/parse"
	"playhead/parse/hidden"
	"playhead/parse/plan"
)

// TestTreeFits: on narrow and wide terminals, no line of the tree is wider than the terminal, and no route is missing.
func TestTreeFits(t *testing.T) {
	p := parse.Load("../../cmd/playhead/testdata/docs/check-release.runbook.md", parse.Options{})
	if !p.Runnable() {
		t.Fatal(p.Diagnostics)
	}
	for _, width := range []int{60, 80, 100, 200} {
		var out strings.Builder
		writeTree(&out, p, width)
		text := out.String()
		for _, line := range strings.Split(text, "\n") {
			if ansi.StringWidth(line) > width {
				t.Errorf("%d columns: %q is wider", width, line)
			}
		}
		for _, route := range []string{"STOP rejected", "RETRY 1", "CONTINUE"} {
			if !strings.Contains(text, route) {
				t.Errorf("%d columns: there is no %s in\n%s", width, route, text)
			}
		}
		if strings.Contains(strings.ReplaceAll(text, " …", ""), "…") {
			t.Errorf("%d columns: a text is cut in\n%s", width, text)
		}
	}
}

func TestShortenLeft(t *testing.T) {
	for _, c := range []struct {
		text string
		room int
		want string
	}{
		{"/home/a/deploy.runbook.md", 17, "…eploy.runbook.md"},
		{"a.runbook.md", 12, "a.runbook.md"},
		{"a.runbook.md", -3, "a.runbook.md"}, // no terminal
	} {
		if got := shortenLeft(c.text, c.room); got != c.want {
			t.Errorf("%s in %d: %q, want %q", c.text, c.room, got, c.want)
		}
	}
}

// TestRunsFit: on a terminal of 80 columns, titles and steps are shortened, so that each run has one line that names
// its document.
func TestRunsFit(t *testing.T) {
	began := time.Date(2026, 2, 28, 17, 5, 0, 0, time.Local)
	all := []journal.RunSummary{
		{Run: "7f3a", Result: "completed", Step: "closure.changes", Title: "Changelog", Path: "example:changelog", Started: began},
		{Run: "ed4c", Result: "completed", Step: "3", Title: "Deploy the checkout service to all regions", Path: "../other/deep/elsewhere.runbook.md", Started: began},
	}
	for width, want := range map[int]string{
		80: `RUN   STARTED              RESULT     STEP        TITLE       DOCUMENT
7f3a  2026-02-28 17:05:00  completed  closure.c…  Changelog   example:changelog
ed4c  2026-02-28 17:05:00  completed  3           Deploy th…  …ewhere.runbook.md
`,
		0: `RUN   STARTED              RESULT     STEP             TITLE                     DOCUMENT
7f3a  2026-02-28 17:05:00  completed  closure.changes  Changelog                 example:changelog
ed4c  2026-02-28 17:05:00  completed  3                Deploy the checkout ser…  ../other/deep/elsewhere.runbook.md
`,
	} {
		var out strings.Builder
		if err := WriteRuns(&out, all, width); err != nil || out.String() != want {
			t.Errorf("%d columns: %v\n%s\nwant\n%s", width, err, out.String(), want)
		}
	}
}

// TestWideRunTitle: a title of characters that are two cells wide does not shift the next column.
func TestWideRunTitle(t *testing.T) {
	var out strings.Builder
	all := []journal.RunSummary{{Run: "7f3a", Title: "日本語の手順", Path: "a.md"}, {Run: "ed4c", Title: "Deploy", Path: "b.md"}}
	if err := WriteRuns(&out, all, 0); err != nil || !strings.Contains(out.String(), "  日本語の手順  a.md\n") || !strings.Contains(out.String(), "  Deploy        b.md\n") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// TestRunTitlesUseTheRoom: a title is not shortened more than the width of the terminal requires.
func TestRunTitlesUseTheRoom(t *testing.T) {
	all := []journal.RunSummary{{Run: "ed4c", Result: "completed", Step: "3", Title: "Deploy the checkout service to all regions", Path: "a.runbook.md"}}
	for width, title := range map[int]string{80: "  Deploy the checkout s…  a.run", 78: "  Deploy the checkout…  a.run", 100: "  Deploy the checkout ser…  a.run"} {
		var out strings.Builder
		if err := WriteRuns(&out, all, width); err != nil || !strings.Contains(out.String(), title) {
			t.Errorf("%d columns: %v\n%s", width, err, out.String())
		}
	}
}

// TestDeepFlow: a long chain of steps is drawn in parts, so that it does not exceed the width.
func TestDeepFlow(t *testing.T) {
	p := &plan.Plan{Title: "chain", ShowsOnlyIDs: true, Entries: []plan.Entry{{Step: "s0"}}}
	for i := range 100 {
		p.Steps = append(p.Steps, &plan.Step{ID: fmt.Sprint("s", i), FlowEdges: []plan.FlowEdge{{Label: "next", To: fmt.Sprint("s", i+1)}}})
	}
	p.Steps[99].FlowEdges[0].To = ""
	var out strings.Builder
	writeFlow(&out, p, 0)
	for _, line := range strings.Split(out.String(), "\n") {
		if n := len([]rune(line)); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	for _, want := range []string{"  ↓ below\n", "next → s99", "next → end"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// TestGraphsHideNothing: graphs show hidden characters as escapes, as lists do.
func TestGraphsHideNothing(t *testing.T) {
	const evil = "a\x1b[2Kb\u009bc\u202ed\re"
	const doc = "# T %[1]s\n## 1. S %[1]s\n### 1.1 Sub %[1]s\nSure?\n- YES: CONTINUE\n- NO: STOP \"no %[1]s\"\n### 1.2 Rest\nSure?\n"
	file := filepath.Join(t.TempDir(), "a.runbook.md")
	if err := os.WriteFile(file, fmt.Appendf(nil, doc, strings.ReplaceAll(evil, "\r", "\b")), 0o600); err != nil {
		t.Fatal(err)
	}
	p := parse.Load(file, parse.Options{})
	p.Steps[0].ID += evil
	for name, write := range map[string]func(io.Writer, *plan.Plan){"dot": WriteDOT, "mermaid": WriteMermaid} {
		var out strings.Builder
		write(&out, p)
		if hidden.ContainsHidden(out.String()) || strings.Count(out.String(), `x1b[2Kb`) < 3 {
			t.Errorf("%s: %q", name, out.String())
		}
	}
}

// TestShortenPaths: paths are shortened at their beginning, but two different paths never look the same.
func TestShortenPaths(t *testing.T) {
	for _, c := range []struct {
		room        int
		paths, want []string
	}{
		{0, []string{"a/x.md", "b/x.md"}, []string{"a/x.md", "b/x.md"}},
		{5, []string{"abc/x.md", "y.md"}, []string{"…x.md", "y.md"}},
		{5, []string{"abc/x.md", "abc/x.md"}, []string{"…x.md", "…x.md"}},
		{5, []string{"abc/x.md", "abd/x.md", "abe/y.md"}, []string{"abc/x.md", "abd/x.md", "…y.md"}},
	} {
		if got := shortenPaths(c.paths, c.room); !slices.Equal(got, c.want) {
			t.Errorf("%v in %d cells: %v, want %v", c.paths, c.room, got, c.want)
		}
	}
}

// TestFlowRoots (climpt-registry.md §1, §11): entry steps are drawn in the order of the document, and each step only once.
func TestFlowRoots(t *testing.T) {
	step := func(id, next string) *plan.Step {
		return &plan.Step{ID: id, FlowEdges: []plan.FlowEdge{{Label: "next", To: next}}}
	}
	p := &plan.Plan{
		Title: "T", ShowsOnlyIDs: true, Steps: []*plan.Step{step("a", "b"), step("b", "")},
		Entries: []plan.Entry{{Step: "b"}, {When: "poll:state", Step: "a"}, {When: "count:check", Step: "b"}, {When: "count:iteration", Step: "b"}},
	}
	const want = `T   2 steps, 2 edges
├ a  poll:state
│ └ next → b
│   └ next → end
└ ↩ b  count:check, count:iteration
`
	var out strings.Builder
	if writeFlow(&out, p, 0); out.String() != want {
		t.Errorf("%s\nwant\n%s", out.String(), want)
	}
	p.Entries = []plan.Entry{{Step: "a"}, {When: "poll:state", Step: "b"}}
	out.Reset()
	if writeFlow(&out, p, 0); !strings.Contains(out.String(), "├ a\n") {
		t.Error(out.String())
	}
}
