package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// wantCurrentMatch fails unless the frame shows a text painted as the current match.
func (sc *testScreen) wantCurrentMatch(text string) {
	sc.t.Helper()
	if _ = sc.m.View(); !strings.Contains(sc.m.frame, sc.m.drawContext.CurrentMatch.Paint(text)) {
		sc.t.Errorf("%q is not the current match:\n%s", text, sc.frame())
	}
}

func (sc *testScreen) selects(label string) {
	sc.t.Helper()
	if r := sc.m.screen.Steps.SelectedRow(); r == nil || r.Label != label {
		sc.t.Errorf("%v is selected, want %s", r, label)
	}
}

// TestFindInSteps: a search in the steps finds labels, titles and commands, and unfolds the group of a match.
func TestFindInSteps(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := open(t, release(t), w, h)
		sc.press("1", "g", "left")
		sc.wantNot("1.1 Tools")
		sc.press("/")
		sc.write("Du")
		sc.want("/Du  no match")
		sc.edit("backspace", "f")
		sc.selects("1.2")
		sc.press("ctrl+u")
		sc.write("s")
		sc.press("enter", "]", "]")
		sc.wantCurrentMatch("s")
		return sc
	})
}

// TestFindInStepsMarksActions: a search in the steps marks its matches in the commands that the text shows, but not in
// prose or in the label of code.
func TestFindInStepsMarksActions(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("1", "G", "k", "k", "/")
	sc.write("sh")
	sc.selects("2")
	frame, dc := sc.m.View().Content, sc.m.drawContext
	if strings.Count(frame, dc.Match.Paint("sh")) != 1 || !strings.Contains(frame, dc.Muted.Paint("sh")) {
		t.Errorf("marks %d matches beside the current one:\n%s", strings.Count(frame, dc.Match.Paint("sh")), sc.frame())
	}
}

func TestFindGoesOnFromWhereOneIs(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("1", "g", "/")
	sc.write("p")
	sc.press("enter")
	sc.want("1 of 4")
	sc.press("G", "[")
	sc.selects("3")
	sc.want("4 of 4")
	sc.press("]")
	sc.want("4 of 4 · no more")
	sc.press("g", "]")
	sc.want("2 of 4")
	sc.press("esc")
	sc.wantNot("/p")
	sc.press("]")
	sc.want("Press / to search.")
}

// TestFindGoesOnFromWhatIsInSight: after a person has scrolled away, the next match is searched below the first
// visible line, and the previous one above the last.
func TestFindGoesOnFromWhatIsInSight(t *testing.T) {
	sc := openWithOutput(t, 80, 24, 5000)
	sc.press("3", "g", "/")
	sc.write("77 of")
	sc.press("enter")
	sc.want("1 of 50", "│ 77 of 5000")
	for _, tt := range []struct {
		keys []string
		want string
	}{
		{[]string{"]"}, "2 of 50"},
		{[]string{"G", "["}, "50 of 50"},
		{[]string{"g", "]"}, "1 of 50"},
		{[]string{"g", "pgdown", "]"}, "1 of 50"},
		{[]string{"g", "["}, "1 of 50 · no more"},
		{[]string{"]"}, "1 of 50"}, // the match is below the first visible line
		{[]string{"]"}, "2 of 50"},
		{[]string{"up", "up", "]"}, "3 of 50"},
	} {
		sc.press(tt.keys...)
		sc.want("/77 of " + tt.want + " ")
	}
}

// TestCancelledFindRestoresPosition: closing a search while typing restores the selection, the scroll position and the
// event shown.
func TestCancelledFindRestoresPosition(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("1", "g", "down", "/")
	sc.write("roll")
	sc.selects("Rollback")
	sc.press("esc")
	sc.selects("1.1")
	sc = openWithOutput(t, 80, 24, 500)
	sc.press("3", "G")
	sc.want("following")
	sc.press("/")
	sc.write("7 of")
	sc.wantNot("following")
	sc.write("nowhere")
	sc.press("esc")
	sc.want("following")
	sc = openAtQuestion(t, 120, 40)
	sc.press("esc", "t", "4", "/")
	sc.write("2 entered")
	sc.want("as of event")
	sc.press("esc")
	sc.wantNot("as of event")
}

// TestFindInIncludedDocuments: a search finds a step in a folded included document and unfolds the document.
func TestFindInIncludedDocuments(t *testing.T) {
	sc := open(t, includingPlan(t), 120, 40)
	sc.s = nil
	sc.m.screen.Steps.SelectRow(sc.m.timeline.ShownTrack, sc.m.timeline.ShownTrack.RowByLabel("1/release"))
	sc.m.screen.Steps.SetFolded(sc.m.timeline.ShownTrack, true)
	sc.press("1", "g", "/")
	sc.write("withdraw")
	sc.want("no match")
	sc.press("ctrl+u")
	sc.write("rollback")
	sc.press("enter")
	sc.selects("1/release/Rollback")
	sc.want("◇ Rollback", "1 of 1")
}

// TestFindInText: a search in the text finds what is rendered, and counts the matches again when the text is
// wrapped differently.
func TestFindInText(t *testing.T) {
	long := "# Long\n## 1. Read\n" + strings.Repeat("Some *prose* that goes on for a while, about a thing or two. ", 40) + "**needle** in it.\n"
	sc := open(t, load(t, "long.runbook.md", long), 80, 24)
	sc.press("esc", "2", "/")
	sc.write("NEEDLE")
	sc.want("needle", "/NEEDLE  1 of 1")
	sc.wantCurrentMatch("needle")
	sc.press("enter")
	sc.send(tea.WindowSizeMsg{Width: 100, Height: 24})
	sc.want("/NEEDLE 1 in all")
	sc.press("]")
	sc.want("/NEEDLE 1 of 1")
	sc.wantCurrentMatch("needle")
}

func TestFindOfOneStepIsNoneOfAnother(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("2", "/")
	sc.write("everything")
	sc.press("enter")
	sc.want("/everything 1 of 1")
	sc.press("1", "G")
	sc.wantNot("/everything")
}

func TestFindInWhy(t *testing.T) {
	sc := openAtQuestion(t, 120, 40)
	sc.press("esc", "4", "/")
	sc.write("rollback")
	sc.wantCurrentMatch("Rollback")
	sc.press("esc", "t", "/")
	sc.write("2 entered")
	sc.press("enter")
	sc.want("as of event 14", "2 of 2", "esc clear search")
	sc.selects("2")
	sc.press("[")
	sc.want("1 of 2")
	sc.selects("1.2")
	sc.press("esc")
	sc.want("as of event")
	sc.press("esc")
	sc.wantNot("as of event")
}

func TestFindInValues(t *testing.T) {
	sc := open(t, playbookOf(t, "greet.playbook.md", writingDoc), 120, 40)
	for i := range 30 {
		if err := sc.s.SetVariable(fmt.Sprintf("name_%d", i), fmt.Sprintf("value %d", 100+i)); err != nil {
			t.Skip(err)
		}
	}
	sc.sync()
	sc.press("v", "4", "/")
	sc.write("value 129")
	sc.want("▌ name_29")
	sc.wantCurrentMatch("value 129")
}

// TestFindBehindADialog: if a dialog has no text to search, / searches the pane that had the focus. Help refuses a
// search.
func TestFindBehindADialog(t *testing.T) {
	for _, size := range [][2]int{{120, 40}, {60, 16}} {
		sc := openAtQuestion(t, size[0], size[1])
		sc.press("/")
		sc.write("tools")
		sc.selects("1.1")
		sc.want("STEPS", "/tools  1 of 1")
		sc.press("enter", "a")
		sc.want("y yes")
		sc.press("?", "/")
		sc.want("This dialog cannot be searched. Press esc to close it.")
	}
}

// TestFindInALogThatGrows: the count of matches includes lines that were printed since the search began.
func TestFindInALogThatGrows(t *testing.T) {
	sc := openWithOutput(t, 80, 24, 50)
	sc.press("3", "g", "/")
	sc.write("50 of")
	sc.press("enter")
	sc.want("1 of 1")
	sc.s.print("50 of hearts")
	sc.sync()
	sc.press("]")
	sc.want("2 of 2", "50 of hearts")
	sc.run(0, time.Second)
}

// TestFindMarksAreText: a query never reaches the terminal as a control sequence.
func TestFindMarksAreText(t *testing.T) {
	sc := open(t, release(t), 80, 24)
	sc.press("1", "/")
	sc.send(tea.PasteMsg{Content: "\x1b[2J\x07Tools and much more than any title of a pane has room for"})
	if strings.ContainsAny(sc.m.View().Content, "\x07") || strings.Contains(sc.m.View().Content, "\x1b[2J") {
		t.Error("a control character reaches the terminal")
	}
	sc.want("no match")
}

// BenchmarkFindStep searches a tree of 1,000 steps, none of which matches. Each iteration presses two keys and draws a
// frame.
func BenchmarkFindStep(b *testing.B) {
	sc := long(b, 1000, 1000)
	sc.press("1", "/")
	sc.write("nowhere")
	for b.Loop() {
		sc.press("backspace", "e")
		_ = sc.m.View()
	}
}
