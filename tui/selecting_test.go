package tui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/layout"
)

// drags drags the mouse over a pane, from a column and line of it to another.
func (sc *testScreen) drags(p layout.PaneID, x, y, toX, toY int) {
	box := sc.m.screen.Layout.PaneRects[p]
	sc.send(tea.MouseClickMsg{Button: tea.MouseLeft, X: box.X + x, Y: box.Y + y})
	sc.send(tea.MouseMotionMsg{Button: tea.MouseLeft, X: box.X + toX, Y: box.Y + toY})
}

func TestSelectByMouse(t *testing.T) {
	for _, c := range []struct {
		name             string
		x, y, toX, toY   int
		want, shown, say string
	}{
		{"in a line", 4, 0, 6, 0, "two", "two", "Copied \"two\"."},
		{"backwards", 6, 0, 4, 0, "two", "two", "Copied \"two\"."},
		{"over lines", 8, 0, 2, 2, "three\n完了 done\nlas", "完了 done", "Copied 3 lines of the output."},
		{"half of a wide character", 1, 1, 2, 1, "完了", "完了", "Copied \"完了\"."},
		{"out of the pane", 8, 0, -50, -20, "one two t", "one two t", "Copied \"one two t\"."},
		{"below what there is", 0, 2, 0, 30, "last", "last", "Copied \"last\"."},
	} {
		t.Run(c.name, func(t *testing.T) {
			sc, clipped := openWithClipboard(t, "\x1b[31mone two\x1b[0m three", "完了 done", "last")
			sc.drags(layout.OutputPane, c.x, c.y, c.toX, c.toY)
			if !strings.Contains(sc.m.View().Content, sc.m.drawContext.Caret.Paint(c.shown)) {
				t.Errorf("%q is not highlighted:\n%s", c.shown, sc.frame())
			}
			sc.send(tea.MouseReleaseMsg{})
			if *clipped != c.want {
				t.Errorf("copied %q, want %q", *clipped, c.want)
			}
			sc.want(c.say)
			if strings.Contains(sc.m.View().Content, sc.m.drawContext.Caret.Paint(c.shown)) {
				t.Error("the selection is still highlighted")
			}
		})
	}
}

// TestSelectInEveryPane: text can be selected in every pane, and a click alone copies nothing.
func TestSelectInEveryPane(t *testing.T) {
	for p := layout.StepsPane; p <= layout.WhyPane; p++ {
		sc, clipped := openWithClipboard(t, "printed")
		sc.drags(p, 0, 0, 9, 0)
		sc.send(tea.MouseReleaseMsg{})
		if strings.TrimSpace(*clipped) == "" {
			t.Errorf("nothing copied from the %s:\n%s", layout.PaneKinds[p].Name, sc.frame())
		}
		*clipped = ""
		sc.drags(p, 3, 0, 3, 0)
		sc.send(tea.MouseReleaseMsg{})
		if *clipped != "" {
			t.Errorf("a click copied %q", *clipped)
		}
	}
}

// TestDoubleClick: a double click opens a step. Two slow clicks and clicks at two places do not.
func TestDoubleClick(t *testing.T) {
	sc, _ := openWithClipboard(t, "printed")
	click := func(y int, after time.Duration) {
		sc.clock = sc.clock.Add(after)
		sc.send(tea.MouseClickMsg{Button: tea.MouseLeft, X: 12, Y: y})
		sc.send(tea.MouseReleaseMsg{})
	}
	click(3, 0)
	click(4, 100*time.Millisecond)
	click(4, time.Second)
	if sc.m.screen.Focus != layout.StepsPane {
		t.Fatal("single clicks have opened the step")
	}
	click(4, 100*time.Millisecond)
	if sc.m.screen.Focus != layout.OutputPane {
		t.Error("a double click has not opened the step")
	}
}

// TestSelectGonePane: if a pane is hidden during a drag, its selection is dropped.
func TestSelectGonePane(t *testing.T) {
	for p := layout.StepsPane; p <= layout.WhyPane; p++ {
		for _, moves := range []bool{false, true} {
			sc, clipped := openWithClipboard(t, "printed")
			sc.drags(p, 0, 0, 9, 0)
			sc.send(tea.WindowSizeMsg{Width: 20, Height: 5})
			if moves {
				sc.send(tea.MouseMotionMsg{Button: tea.MouseLeft, X: 5, Y: 3})
			}
			sc.send(tea.MouseReleaseMsg{})
			if *clipped != "" {
				t.Errorf("%s: copied %q", layout.PaneKinds[p].Name, *clipped)
			}
		}
	}
}
