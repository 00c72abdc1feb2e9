package tui

import (
	"strings"
	"testing"
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
	if sc.m.focus != treePane {
		t.Errorf("focus %d", sc.m.focus)
	}
}
