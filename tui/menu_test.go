package tui

import (
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/tui/keymap"
	"playhead/tui/layout"
	"playhead/tui/terminal"
)

func TestActionMenu(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openAtQuestion(t, w, h)
		sc.press("esc", ":")
		sc.write("the selected")
		return sc
	})
}

// TestActionMenuPerformsActions: the list of actions performs an action as its key would, in the pane that had the
// focus or in the action's own pane.
func TestActionMenuPerformsActions(t *testing.T) {
	choose := func(sc *testScreen, name string) {
		sc.press(":")
		sc.write(name)
		sc.press("enter")
	}
	for _, size := range [][2]int{{120, 40}, {60, 16}} {
		sc := open(t, release(t), size[0], size[1])
		choose(sc, "timeline")
		sc.want("TIMELINE")
		choose(sc, "type")
		sc.want("ctrl+] to end typing")
		sc.press(":", "ctrl+p")
		if got := sc.s.typed.String(); got != ":\x10" {
			t.Errorf("typed %q", got)
		}
		sc.press("ctrl+]")
		choose(sc, "pause")
		if sc.s.mode != engine.PauseNext {
			t.Errorf("the mode is %v", sc.s.mode)
		}
		sc.press("1", "g")
		choose(sc, "open")
		sc.wantNot("1.1 Tools ")
		choose(sc, "find")
		sc.write("tools")
		sc.want("/tools  1 of 1")
	}
}

// TestActionMenuSaysWhyUnavailable: the list shows why an action is unavailable, and does not perform it.
func TestActionMenuSaysWhyUnavailable(t *testing.T) {
	sc := open(t, release(t), 80, 24)
	sc.press(":")
	sc.write("answer")
	sc.want("No question is open.")
	sc.press("enter")
	sc.want("ACTIONS")
	sc.press("ctrl+u")
	sc.write("qqqq")
	sc.want("Nothing matches. Press backspace to show more.")
	sc.press("enter", "esc")
	sc.wantNot("ACTIONS")
}

// TestActionMenuKeyInText: while a person types a text, the key of the list is part of the text.
func TestActionMenuKeyInText(t *testing.T) {
	sc := openAtQuestion(t, 80, 24)
	sc.press("P")
	sc.write(":'")
	sc.want("› :'")
	sc.press("esc", ":")
	sc.want("ACTIONS")
	sc.press("esc")
	sc.want("y yes")
}

// TestListsSayWhereTheyAre: the title of a list has the number of the selected item and that of all items.
func TestListsSayWhereTheyAre(t *testing.T) {
	sc := open(t, playbookOf(t, "triage.playbook.md", branching), 80, 24)
	sc.press("B")
	sc.want("├ BREAKPOINTS ───────────────────────────────────┤")
	sc.press("esc", "b", "j", "B")
	sc.want("├ BREAKPOINTS ───────────────────── 1 breakpoint ┤")
	sc.press("esc", "ctrl+p")
	sc.want(fmt.Sprintf("1 of %d ┤", len(sc.m.actionByName)-1))
	sc.write("breakp")
	sc.press("down")
	sc.want("2 of 2 found ┤")
	sc.write("zz")
	sc.want("├ ACTIONS ───────────────────────────────────────┤", "Nothing matches")
}

// TestActionMenuHasAllActions: the list has every action of the key table with its key.
func TestActionMenuHasAllActions(t *testing.T) {
	sc := open(t, release(t), 120, 40, func(c *Config) {
		c.Keys = keymap.New("", []keymap.Binding{{Action: "zoom", Keys: []string{"f7"}}, {Action: "wrap"}}, func(int, string) {})
	})
	for _, a := range keymap.KeyActions() {
		if a.Name == "actions" || a.Group == keymap.DialogGroup {
			continue
		}
		sc.press(":")
		sc.write(a.Name)
		sc.want(a.HelpText)
		sc.press("esc")
	}
	sc.press(":")
	sc.write("show one pane")
	sc.want("f7 │")
	sc.press("enter")
	if !sc.m.screen.IsZoomed {
		t.Error("no pane is zoomed")
	}
}

func TestGoToStep(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := open(t, includingPlan(t), w, h)
		sc.run(0, time.Second, "/usr/bin/tar")
		sc.press("'")
		sc.write("rel")
		return sc
	})
}

// TestGoToStepUnfolds: going to a step unfolds its groups, even in an included document that was not unfolded before.
func TestGoToStepUnfolds(t *testing.T) {
	for _, size := range [][2]int{{120, 40}, {60, 16}} {
		sc := open(t, includingPlan(t), size[0], size[1])
		sc.press("1", "g", "left", "ctrl+g")
		sc.wantNot("PLAYHEAD")
		sc.write("rllbck")
		sc.press("enter")
		sc.selects("1/release/Rollback")
		sc.want("◇ Rollback", "STEPS")
		sc.press("'")
		sc.write("zzz")
		sc.want("Nothing matches")
		sc.press("enter", "esc")
		sc.selects("1/release/Rollback")
	}
}

// TestGoToStepByMouse: in the list of steps, a click chooses and the wheel moves.
func TestGoToStepByMouse(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("1", "g", "'")
	box := sc.m.screen.Layout.PaneRects[layout.DialogPlace]
	sc.send(tea.MouseWheelMsg{X: box.X, Y: box.Y + 2, Button: tea.MouseWheelDown})
	sc.send(tea.MouseClickMsg{X: box.X + 2, Y: box.Y + 4, Button: tea.MouseLeft})
	sc.press("enter")
	sc.selects("2")
}

// BenchmarkGoTo types a digit into the list of 1,000 steps and deletes it. Each iteration presses two keys and draws a
// frame after each.
func BenchmarkGoTo(b *testing.B) {
	sc := long(b, 1000, 1000)
	sc.press("'")
	sc.write("step num")
	for i := 0; b.Loop(); i++ {
		sc.m.Update(terminal.KeyPress(fmt.Sprint(i % 10)))
		_ = sc.m.View()
		sc.m.Update(terminal.KeyPress("backspace"))
		_ = sc.m.View()
	}
}
