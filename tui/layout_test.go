package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/panes"
)

// A step that asks a person has no output: its text takes the room.
func TestTheTextTakesTheRoomOfOutputThatIsNot(t *testing.T) {
	doc := "# Ask\n## 1. Decide\n" + strings.Repeat("A line that has to be read.\n\n", 6) + "- YES: COMPLETE\n- NO: STOP\n"
	sc := open(t, load(t, "ask.runbook.md", doc), 80, 24)
	sc.wantNot("OUTPUT", "more line")
	sc.want("NO: STOP")
	sc.press("esc", "3")
	sc.want("OUTPUT", "Nothing is executed here", "NO: STOP")
	sc.wantNot("more line")
	sc.press("1")
	sc.wantNot("OUTPUT")
}

// A short text leaves its lines to an output that has more than fit; what commands see as
// their terminal stays as it is, and so does what a person has divided.
func TestAShortTextLendsLines(t *testing.T) {
	doc := "# Long\n## 1. Count\nCounts.\n```sh\nseq 100\n```\n"
	sc := open(t, load(t, "long.runbook.md", doc), 120, 40)
	first, size := func() int { return sc.m.layout.Panes[panes.Output].Y }, sc.m.size
	share := first()
	for i := range 100 {
		sc.s.print(fmt.Sprint(i))
	}
	sc.sync()
	if first() >= share || sc.m.size != size {
		t.Errorf("the output begins at %d, it began at %d; the terminal is %v, it was %v", first(), share, sc.m.size, size)
	}
	sc.want("$ seq 100")
	sc.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	sc.want("Counts.", "$ seq 100")
	sc.press("ctrl+down", "ctrl+down", "ctrl+down")
	if at := first(); at != sc.m.layout.Share+3 {
		t.Errorf("with a share of %d the output begins at %d", sc.m.layout.Share, at)
	}
}

func TestAQuestionBelowALongText(t *testing.T) {
	doc := "# Ask\n## 1. Decide\n" + strings.Repeat("A line that has to be read.\n\n", 9) + "- YES: COMPLETE\n- NO: STOP\n"
	sc := open(t, load(t, "ask.runbook.md", doc), 60, 16)
	sc.want("more lines: esc, then 2", "Yes or no?")
}

func TestALookAroundBeginsWhereThereIsSomethingToSee(t *testing.T) {
	sc := open(t, release(t), 80, 24)
	sc.press("3")
	for range 3 {
		sc.run(0, 0, "ok")
	}
	sc.press("esc")
	sc.wantNot("OUTPUT")
	if sc.m.focus != panes.Tree {
		t.Errorf("focus %d", sc.m.focus)
	}
}
