package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"playhead/tui/dialog"
	"playhead/tui/layout"
)

// maxBlank is the maximum number of blank lines that a pane may have while another one is cut.
const maxBlank = 2

// requireRowsUsed fails if a pane is cut while another one has blank lines, unless a person has moved borders.
// Output that may still grow keeps some blank lines.
func requireRowsUsed(t *testing.T, sc *testScreen) {
	t.Helper()
	if sc.m.screen.Split.TextShare > 0 || sc.m.screen.Split.WhyShare > 0 {
		return
	}
	s, run := sc.m.screen, sc.m.runView()
	cut, blank := layout.NoPane, layout.NoPane
	check := func(p layout.PaneID, o layout.Overflow, lines []string) {
		last := len(lines)
		for last > 0 && strings.TrimSpace(ansi.Strip(lines[last-1])) == "" {
			last--
		}
		comes := p == layout.OutputPane && !s.IsOutputSettled()
		switch empty := s.Layout.PaneRects[p].H - last; {
		case o.Above+o.Below > 0:
			cut = p
		case empty > maxBlank && !comes:
			blank = p
		}
	}
	for _, p := range []layout.PaneID{layout.TextPane, layout.OutputPane, layout.WhyPane} {
		if !s.Layout.PaneRects[p].IsEmpty() {
			check(p, s.Pane(p).Overflow(run), s.Pane(p).View(run))
		}
	}
	if box := s.Layout.PaneRects[layout.DialogPlace]; !box.IsEmpty() {
		overflow, lines := layout.Overflow{}, s.Dialogs.Top().View(run, box.W, box.H)
		if d, scrolls := s.Dialogs.Top().(dialog.Scrollable); scrolls {
			overflow = d.Overflow()
		}
		check(layout.DialogPlace, overflow, lines)
	}
	if cut != layout.NoPane && blank != layout.NoPane {
		t.Errorf("%s is cut, and %s has blank lines", layout.PaneKinds[cut].Noun, layout.PaneKinds[blank].Noun)
	}
}
