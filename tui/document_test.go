package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// TestDocument: the document dialog begins at the step where the run is, with its outcome and breakpoints.
func TestDocument(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openMap(t, w, h)
		sc.press("esc", "esc", "L", "b")
		return sc
	})
}

// TestDocumentLines: moving through the lines selects the step of the marked line, and a search finds lines of the
// document.
func TestDocumentLines(t *testing.T) {
	sc := openMap(t, 80, 24)
	sc.press("esc", "esc", "L", "g", "b")
	sc.want("line 1 of", "Line 1 is not part of a step.")
	sc.press("G", "b")
	sc.want("The run pauses before each attempt of")
	sc.press("/")
	sc.write("Preflight")
	sc.press("enter", "b")
	sc.want("pauses before each attempt of step 1.")
}

// TestMarkedDocumentLineIsWhole: the marked line is wrapped, and a click below it marks the line that shows there.
func TestMarkedDocumentLineIsWhole(t *testing.T) {
	long := strings.Repeat("a word and another one, ", 6) + "the end."
	sc := open(t, load(t, "a.runbook.md", "# A\n"+long+"\n\n## 1. One\nfine?\n"), 80, 24)
	sc.press("esc", "L", "g")
	sc.wantNot("the end.")
	sc.press("down")
	sc.want("line 2 of 5", "the end.", " 3 ", "5  fine?")
	for y, line := range strings.Split(sc.frame(), "\n") {
		if strings.Contains(line, "5  fine?") {
			sc.send(tea.MouseClickMsg{X: 20, Y: y, Button: tea.MouseLeft})
		}
	}
	sc.want("line 5 of 5")
	sc.press("W")
	sc.want("W does nothing here.")
}

// TestMarkedDocumentLineScrolls: if the marked line has more rows than fit, the keys first move within that line.
func TestMarkedDocumentLineScrolls(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "# A\n"+words(400)+"\n\n## 1. One\nfine?\n"), 80, 24)
	sc.press("esc", "L", "g", "down")
	sc.want("line 2 of 5", " 2  word000", "…")
	sc.wantNot("word399")
	sc.press("down")
	sc.want(" 2   word008")
	sc.wantNot("word000")
	for range 5 {
		sc.press("pgdown")
	}
	sc.want("line 5 of 5")
	sc.press("up", "up", "up")
	sc.want("line 2 of 5", "word399")
	sc.wantNot("…")
	sc.press("pgup", "pgup")
	sc.want("line 2 of 5", "word000")
	sc.press("pgdown", "pgdown")
	sc.want("line 2 of 5", "word399")
	sc.press("up")
	sc.want("line 2 of 5")
	sc.wantNot("word399")
	sc.press("g", "down")
	sc.want("line 2 of 5", "word000")
}

// TestEndsOfADocumentOfLongLines: G shows the end of the last line, and g the beginning of the first, however long they
// are.
func TestEndsOfADocumentOfLongLines(t *testing.T) {
	for _, n := range []int{400, 30_000} {
		sc := open(t, load(t, "a.runbook.md", "# A "+words(n)+"\n\n## 1. One\nfine? "+words(n)+" end."), 80, 24)
		sc.press("esc", "L", "G")
		sc.want("line 4 of 4", "end.")
		sc.press("down", "G")
		sc.want("line 4 of 4", "end.")
		sc.press("up")
		sc.wantNot("end.")
		sc.press("g", "pgdown", "g")
		sc.want("line 1 of 4", "word000")
	}
}

// TestSearchInALongDocumentLine: a search shows a match that is below the first page of its line.
func TestSearchInALongDocumentLine(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "# A\n\n## 1. One\nfine?\n\n## 2. Two\n"+words(400)), 80, 24)
	sc.press("esc", "L", "/")
	sc.write("WORD390")
	sc.press("enter")
	sc.want(" 7   ", "word390")
	sc.press("g", "/")
	sc.write("word001")
	sc.press("enter")
	sc.want(" 7  word000")
}

// TestSearchStopsAtEveryMatchInADocumentLine: a search goes from match to match in one line, and on from where the person has
// scrolled. Only then does the key that closes the document close it.
func TestSearchStopsAtEveryMatchInADocumentLine(t *testing.T) {
	line := words(300) + " needle " + words(300) + " needle needle end."
	sc := open(t, load(t, "a.runbook.md", "# A\n\n## 1. One\n"+line+"\n\n## 2. Two\nneedle?\n"), 80, 24)
	sc.press("esc", "L", "/")
	sc.write("NEEDLE")
	sc.press("enter")
	sc.want("/NEEDLE 1 of 4", "word299 needle", "] next  [ previous  esc clear search")
	sc.wantNot("esc close")
	sc.press("]")
	sc.want("2 of 4", "needle needle end.")
	sc.press("]")
	sc.want("3 of 4", "needle needle end.")
	sc.press("]")
	sc.want("4 of 4", " 7  needle?")
	sc.press("]", "[", "[", "[")
	sc.want("1 of 4", "word299 needle")
	sc.press("]", "]", "pgup", "pgup", "]")
	sc.want("1 of 4", "word299 needle")
	sc.press("esc")
	sc.want("DOCUMENT", "line 4 of 7", "esc close")
	sc.press("esc")
	sc.wantNot("DOCUMENT")
}

// TestPagingStopsAtALongDocumentLine: paging stops at a line that has more rows than fit, so that all of it can be
// read.
func TestPagingStopsAtALongDocumentLine(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "# A\n\n"+words(400)+"\n\n## 1. One\nfine?\n"+strings.Repeat("\n", 30)+"the end."), 80, 24)
	sc.press("esc", "L", "g", "pgdown")
	sc.want("line 3 of 37", "word000")
	sc.press("G", "pgup", "pgup")
	sc.want("line 3 of 37", "word399")
	sc.press("pgup", "pgup", "pgup")
	sc.want("line 1 of 37")
}

// words returns n numbered words.
func words(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("word%03d", i)
	}
	return strings.Join(out, " ")
}

// TestColoursOfADocument: prose has the colour of text, headings that of titles, and code is highlighted. A line
// such as ```else``` begins no code block, so the prose below it looks like the prose above.
func TestColoursOfADocument(t *testing.T) {
	sc := openAtBranch(t, 120, 40)
	sc.press("esc", "L", "g")
	dc := sc.m.drawContext
	for _, want := range []string{dc.Tool.Paint("```else```"), dc.Title.Paint("## STEP 2: Act"), "\x1b[mWrite to them.  "} {
		if view := sc.m.View().Content; !strings.Contains(view, want) {
			t.Errorf("no %q in\n%q", want, view)
		}
	}
	sc = openMap(t, 120, 40)
	sc.press("esc", "esc", "L", "g")
	for _, want := range []string{dc.Muted.Paint("```sh"), dc.Command.Paint("uname -a")} {
		if view := sc.m.View().Content; !strings.Contains(view, want) {
			t.Errorf("no %q in\n%q", want, view)
		}
	}
}
