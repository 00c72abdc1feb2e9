package tui

import (
	"strings"
	"testing"
)

// TestDocument shows the lines of the step that the run is at, with what it did and where it pauses.
func TestDocument(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := mapped(t, w, h)
		sc.press("esc", "esc", "L", "b")
		return sc
	})
}

// TestDocumentLines moves through the lines: the step of the marked line is the selected one, and
// what is found is a line of the document.
func TestDocumentLines(t *testing.T) {
	sc := mapped(t, 80, 24)
	sc.press("esc", "esc", "L", "g", "b")
	sc.want("line 1 of", "Line 1 is not part of a step.")
	sc.press("G", "b")
	sc.want("The run pauses before each visit to")
	sc.press("/")
	sc.write("Preflight")
	sc.press("enter", "b")
	sc.want("pauses before each visit to step 1.")
}

// TestColoursOfADocument: prose is painted as text and headings as titles, code as in its own language. A line
// such as ```else``` begins no block of code, so the prose below it looks like the prose above.
func TestColoursOfADocument(t *testing.T) {
	sc := branched(t, 120, 40)
	sc.press("esc", "L", "g")
	dc := sc.m.drawContext
	for _, want := range []string{dc.Tool.Paint("```else```"), dc.Title.Paint("## STEP 2: Act"), "\x1b[mWrite to them.  "} {
		if view := sc.m.View().Content; !strings.Contains(view, want) {
			t.Errorf("no %q in\n%q", want, view)
		}
	}
	sc = mapped(t, 120, 40)
	sc.press("esc", "esc", "L", "g")
	for _, want := range []string{dc.Muted.Paint("```sh"), dc.Command.Paint("uname -a")} {
		if view := sc.m.View().Content; !strings.Contains(view, want) {
			t.Errorf("no %q in\n%q", want, view)
		}
	}
}
