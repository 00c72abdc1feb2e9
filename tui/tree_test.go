package tui

import (
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/machine"
	"playhead/parse/plan"
	"playhead/tui/layout"
	"playhead/tui/typeahead"
)

func TestTheTreeFollowsUntilThePersonMoves(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("G")
	sc.run(0, time.Second)
	if r := sc.m.screen.Steps.SelectedRow(); r.Label != "Rollback" {
		t.Errorf("selected %s: the selection moved with the run", r.Label)
	}
	sc.press("esc")
	sc.run(0, time.Second)
	if r := sc.m.screen.Steps.SelectedRow(); r.Label != "2" {
		t.Errorf("selected %s: the selection does not follow", r.Label)
	}
}

// TestTimesOfSteps: the steps show their times in a column. If a title needs the room, no step shows its time.
func TestTimesOfSteps(t *testing.T) {
	for title, fits := range map[string]bool{"Stop it": true, "Stop the workers now": false} {
		sc := open(t, load(t, "a.runbook.md", "## 1. "+title+"\n```sh\nmake\n```\n## 2. Two\n```sh\nmake\n```\n"), 80, 24)
		sc.run(0, time.Second)
		sc.run(0, time.Second)
		sc.want("✓ 1 " + title)
		for _, name := range []string{title, "Two"} {
			if shows := regexp.MustCompile(name + ` +1\.0s`).MatchString(sc.frame()); shows != fits {
				t.Errorf("the time of %s shows: %v\n%s", name, shows, sc.frame())
			}
		}
	}
}

func TestFolding(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("g", "left")
	sc.wantNot("1.1 Tools")
	sc.press("enter")
	sc.want("1.1 Tools")
}

// TestEntryCountIncludesRoutesBack: the steps show how often a step ran, also if a route led back to it.
func TestEntryCountIncludesRoutesBack(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "## 1. One\n```sh\nmake\n```\n## 2. Again\nAgain?\n- YES: GOTO 1\n- NO: COMPLETE\n"), 80, 24)
	sc.run(0, 0)
	sc.wantNot("×")
	sc.press("p")
	sc.run(0, 0)
	sc.want("✓ 1 One            ×2")
	sc.clock = sc.clock.Add(typeahead.QuietTime)
	sc.press("p")
	sc.want("×3")
}

func TestFoldedDocumentUnfolds(t *testing.T) {
	p := includingPlan(t)
	sc := open(t, p, 120, 40)
	sc.s = nil
	sc.m.screen.Steps.SelectRow(sc.m.timeline.ShownTrack, sc.m.timeline.ShownTrack.RowByLabel("1/release"))
	sc.m.screen.Steps.SetFolded(sc.m.timeline.ShownTrack, true)
	sc.press("g", "down")
	sc.wantNot("1.1 Tools")
	sc.press("right")
	sc.want("1.1 Tools")
}

func TestMouse(t *testing.T) {
	sc := openWithOutput(t, 120, 40, 500)
	sc.send(tea.MouseClickMsg{X: 10, Y: 5, Button: tea.MouseLeft})
	if r := sc.m.screen.Steps.SelectedRow(); r.Label != "2" {
		t.Errorf("clicked on %s", r.Label)
	}
	sc.send(tea.MouseClickMsg{X: 4, Y: 2, Button: tea.MouseLeft})
	sc.wantNot("1.1 Tools")
	sc.send(tea.MouseClickMsg{X: 4, Y: 2, Button: tea.MouseLeft})
	sc.send(tea.MouseClickMsg{X: 10, Y: 3, Button: tea.MouseLeft})
	sc.sync()
	sc.send(tea.MouseWheelMsg{X: 60, Y: 20, Button: tea.MouseWheelUp})
	sc.want("line 471 of 500")
	footer := strings.Split(sc.frame(), "\n")[39]
	at := len([]rune(footer[:strings.Index(footer, "? help")]))
	sc.send(tea.MouseClickMsg{X: at + 2, Y: 39, Button: tea.MouseLeft})
	sc.want("KEYS")
}

func TestTabsAreClickable(t *testing.T) {
	sc := open(t, release(t), 60, 16)
	for key, p := range map[string]layout.PaneID{" 2 ": layout.TextPane, " 3 ": layout.OutputPane, " 1 ": layout.StepsPane} {
		sc.press("4")
		header, _, _ := strings.Cut(sc.frame(), "\n")
		at := len([]rune(header[:strings.Index(header, key)])) + 1
		sc.send(tea.MouseClickMsg{X: at, Y: 0, Button: tea.MouseLeft})
		if sc.m.screen.Focus != p {
			t.Errorf("focus %d, want %d", sc.m.screen.Focus, p)
		}
	}
}

// TestAnswerInTree: the answer of a step shows in the tree, however long the step took and whoever replied after it.
func TestAnswerInTree(t *testing.T) {
	p := playbookOf(t, "wake.playbook.md", "# Wake\n## STEP 1: Wake\nWrite to them.\n\n@elicit(select, \"Whom?\", \"Ann\", \"Bo\")\n\n## STEP 2: End\nSay it.\n")
	for _, took := range []time.Duration{0, 80 * time.Millisecond} {
		sc := open(t, p, 100, 30)
		sc.press("1")
		sc.s.nextReplyAuthor = machine.ByFile
		sc.endCall(took, plan.Product{Text: "Wake up."})
		sc.want("✓ 1 Wake", "› Ann")
	}
	sc := openWithRejectedReport(t, 100, 30)
	sc.press("f")
	sc.want("› reject")
}
