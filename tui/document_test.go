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
	sc.want("The run will pause before each visit to")
	sc.press("/")
	sc.write("Preflight")
	sc.press("enter", "b")
	sc.want("pause before each visit to 1.")
}

// TestDirectivesInADocument: a line such as ```else``` begins no block of code, so the prose below it
// looks like the prose above.
func TestDirectivesInADocument(t *testing.T) {
	sc := branched(t, 120, 40)
	sc.press("esc", "L", "g")
	sc.want("```else```")
	prose := "Write to them."
	if view := sc.m.View().Content; !strings.Contains(view, sc.m.look.Command.Paint(prose)) {
		t.Errorf("%q is coloured as something else:\n%q", prose, view)
	}
}
