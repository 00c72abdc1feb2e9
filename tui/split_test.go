package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"playhead/tui/layout"
)

func TestBordersMove(t *testing.T) {
	sc := openAtQuestion(t, 120, 40)
	sc.press("esc", "1", "k")
	was := sc.m.screen.Layout
	sc.press("ctrl+right", "ctrl+right", "ctrl+down")
	if now := sc.m.screen.Layout; now.StepsWidth != was.StepsWidth+4 || now.PaneRects[layout.TextPane].H != was.PaneRects[layout.TextPane].H+1 {
		t.Errorf("steps %d → %d, text %d → %d", was.StepsWidth, now.StepsWidth, was.PaneRects[layout.TextPane].H, now.PaneRects[layout.TextPane].H)
	}
	for range 100 {
		sc.press("ctrl+left", "ctrl+up")
	}
	if now := sc.m.screen.Layout; now.StepsWidth != layout.MinStepsWidth || now.PaneRects[layout.TextPane].H != layout.MinTextLines {
		t.Errorf("at the end the steps have %d columns, the text %d lines", now.StepsWidth, now.PaneRects[layout.TextPane].H)
	}
	sc.frame()
	for range 200 {
		sc.press("ctrl+right", "ctrl+down")
	}
	if now := sc.m.screen.Layout; now.RightWidth != layout.MinRightWidth || now.PaneRects[layout.OutputPane].H < layout.MinOutputHeight-1 {
		t.Errorf("at the other end the right has %d columns, the output %d lines", now.RightWidth, now.PaneRects[layout.OutputPane].H)
	}
	sc.frame()
	sc.press("=")
	if now := sc.m.screen.Layout; now.StepsWidth != was.StepsWidth || now.PaneRects != was.PaneRects {
		t.Errorf("= gives %+v, want %+v", now, was)
	}
}

// TestTheBorderOfWhy: the border above WHY moves while WHY has the focus, and returns to its place after the window was
// smaller for a while.
func TestTheBorderOfWhy(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("4")
	was := sc.m.screen.Layout.PaneRects[layout.WhyPane].H
	sc.press("ctrl+up", "ctrl+up", "ctrl+up")
	if now := sc.m.screen.Layout.PaneRects[layout.WhyPane].H; now != was+3 {
		t.Errorf("WHY has %d lines, had %d", now, was)
	}
	sc.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	sc.want("WHY")
	sc.send(tea.WindowSizeMsg{Width: 120, Height: 40})
	if now := sc.m.screen.Layout.PaneRects[layout.WhyPane].H; now != was+3 {
		t.Errorf("after the window has its size again, WHY has %d lines", now)
	}
}

func TestBordersAreDragged(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	drag := func(x, y, toX, toY int) {
		sc.send(tea.MouseClickMsg{Button: tea.MouseLeft, X: x, Y: y})
		sc.send(tea.MouseMotionMsg{Button: tea.MouseLeft, X: toX, Y: toY})
		sc.send(tea.MouseReleaseMsg{Button: tea.MouseLeft, X: toX, Y: toY})
	}
	drag(sc.m.screen.Layout.StepsWidth+1, 10, 60, 11)
	if sc.m.screen.Layout.StepsWidth != 59 {
		t.Errorf("the border is at %d", sc.m.screen.Layout.StepsWidth+1)
	}
	drag(80, sc.m.screen.Layout.PaneRects[layout.OutputPane].Y-1, 80, 20)
	if y := sc.m.screen.Layout.PaneRects[layout.OutputPane].Y - 1; y != 20 {
		t.Errorf("the output begins at %d", y)
	}
	drag(80, sc.m.screen.Layout.PaneRects[layout.WhyPane].Y-1, 80, 30)
	if y := sc.m.screen.Layout.PaneRects[layout.WhyPane].Y - 1; y != 30 {
		t.Errorf("WHY begins at %d", y)
	}
	sc.send(tea.MouseMotionMsg{Button: tea.MouseLeft, X: 20, Y: 5})
	if sc.m.screen.Layout.StepsWidth != 59 {
		t.Error("a border moves although it is no longer dragged")
	}
	sc.frame()
}

func TestPanesAreHidden(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("1", "-")
	sc.wantNot("STEPS")
	sc.want("The pane is hidden. Press 1 to show it, or press = to reset all panes.")
	sc.press("2", "-")
	sc.wantNot("Everything that the later steps call")
	sc.press("4", "-", "-")
	sc.wantNot("WHY")
	sc.want("This is the only pane.")
	sc.press("tab")
	if sc.m.screen.Focus != layout.OutputPane {
		t.Errorf("tab leads to pane %d", sc.m.screen.Focus)
	}
	sc.press("4")
	sc.want("WHY")
	sc.press("1")
	sc.want("STEPS")
	sc.press("=")
	sc.want("STEPS", "Everything that the later steps call", "WHY")
	sc.press("V", "-")
	sc.want("You are presenting one pane. Press V to stop presenting.")
}

// TestFramesWithoutPanes: whichever panes are hidden and whatever the size is, every line is as wide as the screen, and
// a dialog has a place.
func TestFramesWithoutPanes(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {200, 60}} {
		sc := open(t, release(t), size[0], size[1])
		for hidden := range 15 {
			sc.m.screen.Split.HiddenPanes = nil
			for i, name := range []string{"steps", "text", "output", "why"} {
				if hidden&(1<<i) != 0 {
					sc.m.screen.Split.HiddenPanes = append(sc.m.screen.Split.HiddenPanes, name)
				}
			}
			sc.press("tab")
			sc.frame()
			sc.press("P")
			sc.want("Override step")
			sc.press("esc", "?")
			sc.want("KEYS")
			sc.press("esc")
			sc.frame()
		}
	}
}

func TestWithoutSteps(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		return open(t, release(t), w, h, func(c *Config) { c.Split = layout.Split{HiddenPanes: []string{"steps"}} })
	})
}

func TestWideText(t *testing.T) {
	sc := open(t, release(t), 120, 40, func(c *Config) {
		c.Split = layout.Split{StepsShare: 200, TextShare: 600, WhyShare: 100, HiddenPanes: []string{"output"}}
	})
	golden.RequireEqual(t, sc.frame())
}

func TestSplitValidated(t *testing.T) {
	got := layout.Split{StepsShare: -5, TextShare: 7000, WhyShare: 300, HiddenPanes: []string{"why", "x", "text", "steps", "output"}}.WithoutInvalidValues()
	if got.StepsShare != 0 || got.TextShare != 0 || got.WhyShare != 300 || strings.Join(got.HiddenPanes, " ") != "steps text output" {
		t.Errorf("%+v", got)
	}
}
