package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

func TestSeparate(t *testing.T) {
	for joined, want := range map[string]string{
		"👩\u200d👩\u200d👧 family":         "👩👩👧 family",
		"🏳\ufe0f\u200d🌈":                 "🏳🌈",
		"🇩🇪 flag":                        "DE flag",
		"👍🏽!":                            "👍  !",
		"❤\ufe0f 1\ufe0f\u20e3":          "❤ 1",
		"\u0646\u0645\u06cc\u200c\u062e": "\u0646\u0645\u06cc\u200c\u062e",
		"\u0915\u094d\u200d\u0937":       "\u0915\u094d\u200d\u0937",
		"plain, 完了, 🚀":                   "plain, 完了, 🚀",
	} {
		got := separate(joined)
		if got != want {
			t.Errorf("%q became %q, not %q", joined, got, want)
		}
		if a, b := ansi.WcWidth.StringWidth(joined), ansi.WcWidth.StringWidth(got); a != b {
			t.Errorf("%q is measured as %d cells and takes %d", joined, a, b)
		}
	}
}

// TestRowsAreAligned: whatever signs a document has, every row is as wide as the screen,
// however the terminal measures them; with text from right to left as well.
func TestRowsAreAligned(t *testing.T) {
	doc := "# 👩\u200d👩\u200d👧 🇩🇪\n## 1. 👍🏽 ❤\ufe0f 1\ufe0f\u20e3 שלום עולם\nSigns: 🧑🏽\u200d🚀 ⚠\ufe0f 🏳\ufe0f\u200d🌈 — العربية من اليمين إلى اليسار وأطول من العمود क्षि क्षि क्षि\n```sh\necho 🧑🏽\u200d🚀\n```\n## 2. العربية\nFine?\n- YES: COMPLETE\n- NO: STOP\n"
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 40}, {200, 60}} {
		sc := open(t, load(t, "signs.runbook.md", doc), size[0], size[1])
		sc.s.print("🧑🏽\u200d🚀 🏳\ufe0f\u200d🌈 "+strings.Repeat("x", size[0]*2/3-12), strings.Repeat("👩\u200d👩\u200d👧 क्षि", 40), "👩\u200d👩\u200d👧 🇩🇪 👍🏽 שלום")
		sc.sync()
		sc.press("3")
		aligned(t, sc, ansi.WcWidth)
		sc.run(0, 0, "done")
		aligned(t, sc, ansi.WcWidth)
		sc.press("esc", "1")
		sc.send(tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: ansi.ModeReset})
		sc.want("👍🏽")
		aligned(t, sc, ansi.GraphemeWidth)
	}
}

// TestCutInCells: whatever the terminal counts, a line is cut to the cells that there are.
func TestCutInCells(t *testing.T) {
	for _, method := range []ansi.Method{ansi.WcWidth, ansi.GraphemeWidth} {
		c := cells{method}
		for _, line := range []string{"Signs: 🧑🏽\u200d🚀 ⚠\ufe0f and more", "👩\u200d👩\u200d👧 abcdef", "क्षि क्षि क्षि", "完了 done", "\x1b[31mred\x1b[m 👍🏽👍🏽"} {
			for w := 1; w < 30; w++ {
				if got := c.width(c.fit(line, w)); got != w {
					t.Errorf("%q in %d cells takes %d (method %d)", line, w, got, method)
				}
				if got := c.width(c.slice(line, 0, w)); got > w {
					t.Errorf("the first %d cells of %q are %d (method %d)", w, line, got, method)
				}
			}
		}
	}
}

func aligned(t *testing.T, sc *screen, methods ...ansi.Method) {
	t.Helper()
	for _, line := range strings.Split(sc.m.View().Content, "\n") {
		for _, m := range methods {
			if w := m.StringWidth(line); w != sc.m.layout.w {
				t.Errorf("%d cells, not %d (method %d): %s", w, sc.m.layout.w, m, ansi.Strip(line))
			}
		}
	}
}
