package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// TestRowsAreAligned: every row is as wide as the screen, whatever characters a document has and however the
// terminal measures them, also with text from right to left.
func TestRowsAreAligned(t *testing.T) {
	doc := "# 👩\u200d👩\u200d👧 🇩🇪\n## 1. 👍🏽 ❤\ufe0f 1\ufe0f\u20e3 שלום עולם\nSigns: 🧑🏽\u200d🚀 ⚠\ufe0f 🏳\ufe0f\u200d🌈 — العربية من اليمين إلى اليسار وأطول من العمود क्षि क्षि क्षि\n```sh\necho 🧑🏽\u200d🚀\n```\n## 2. العربية\nFine?\n- YES: COMPLETE\n- NO: STOP\n"
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 40}, {200, 60}} {
		sc := open(t, load(t, "signs.runbook.md", doc), size[0], size[1])
		sc.s.print("🧑🏽\u200d🚀 🏳\ufe0f\u200d🌈 "+strings.Repeat("x", size[0]*2/3-12), strings.Repeat("👩\u200d👩\u200d👧 क्षि", 40), "👩\u200d👩\u200d👧 🇩🇪 👍🏽 שלום")
		sc.sync()
		sc.press("3")
		requireAligned(t, sc, ansi.WcWidth)
		sc.run(0, 0, "done")
		requireAligned(t, sc, ansi.WcWidth)
		sc.press("esc", "1")
		sc.send(tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: ansi.ModeReset})
		sc.want("👍🏽")
		requireAligned(t, sc, ansi.GraphemeWidth)
	}
}

func requireAligned(t *testing.T, sc *testScreen, methods ...ansi.Method) {
	t.Helper()
	for _, line := range strings.Split(sc.m.View().Content, "\n") {
		for _, m := range methods {
			if w := m.StringWidth(line); w != sc.m.screen.Layout.W {
				t.Errorf("%d cells, not %d (method %d): %s", w, sc.m.screen.Layout.W, m, ansi.Strip(line))
			}
		}
	}
}
