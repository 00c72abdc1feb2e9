package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"playhead/tui/dialog"
	"playhead/tui/panes"
)

// maxBlank is how many blank lines a pane may have while another one is cut.
const maxBlank = 2

// requireRowsUsed fails if a pane is cut while another one has blank lines, unless a person has divided
// the screen. Output that may grow keeps some for what comes.
func requireRowsUsed(t *testing.T, sc *testScreen) {
	t.Helper()
	if sc.m.screen.Split.TextShare > 0 || sc.m.screen.Split.WhyShare > 0 {
		return
	}
	s, run := sc.m.screen, sc.m.runView()
	cut, blank := panes.NoPane, panes.NoPane
	check := func(p panes.Pane, o panes.Overflow, lines []string) {
		last := len(lines)
		for last > 0 && strings.TrimSpace(ansi.Strip(lines[last-1])) == "" {
			last--
		}
		comes := p == panes.Output && !s.IsOutputSettled()
		switch empty := s.Layout.Panes[p].H - last; {
		case o.Above+o.Below > 0:
			cut = p
		case empty > maxBlank && !comes:
			blank = p
		}
	}
	for _, p := range []panes.Pane{panes.Text, panes.Output, panes.Why} {
		if !s.Layout.Panes[p].IsEmpty() {
			check(p, s.Pane(p).Overflow(run), s.Pane(p).View(run))
		}
	}
	if box := s.Layout.Panes[panes.Dialog]; !box.IsEmpty() {
		overflow, lines := panes.Overflow{}, s.TopDialog().View(run, box.W, box.H)
		if d, scrolls := s.TopDialog().(dialog.Scrollable); scrolls {
			overflow = d.Overflow()
		}
		check(panes.Dialog, overflow, lines)
	}
	if cut != panes.NoPane && blank != panes.NoPane {
		t.Errorf("%s is cut, and %s has blank lines", panes.Kinds[cut].Noun, panes.Kinds[blank].Noun)
	}
}
