package tui

import (
	"playhead/tui/terminal"
	"strings"
	"testing"
)

// TestLongMessages: a long message takes as many lines as it needs, up to a limit.
func TestLongMessages(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 40}} {
		sc := open(t, release(t), size[0], size[1])
		sc.m.lastLine.say("The final output was saved as /home/somebody/with/a/long/name/and/folders/release.md, which you can open, or {quit} to leave the run as it is.")
		sc.m.isFrameStale = true
		lines := strings.Split(sc.frame(), "\n")
		said := strings.NewReplacer("│", " ", "╰", " ", "─", " ", "╯", " ").Replace(strings.Join(lines[len(lines)-4:], " "))
		said = strings.ReplaceAll(strings.Join(strings.Fields(said), " "), "- ", "-")
		if size[0] < 120 && !strings.Contains(strings.ReplaceAll(said, " ", ""), "whichyoucanopen,orpressqtoleavetherunasitis.") {
			t.Errorf("%d columns: it is cut:\n%s", size[0], sc.frame())
		}
		sc.m.lastLine.say(strings.Repeat("much to say ", 60))
		sc.m.isFrameStale = true
		sc.want("much to say", "…")
		sc.press("down")
		sc.wantNot("much to say")
	}
}

// TestOneHintForAnAction: an action that suits both the run's state and the pane has one hint.
func TestOneHintForAnAction(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	if got := sc.m.hints(sc.m.runView()).AvailableHints("values", "help", "values"); len(got) != 2 {
		t.Errorf("the hints are %v", got)
	}
}

// TestNoHintToRunToCurrentStep: if the run is paused at the selected step, no hint offers to run to that step.
func TestNoHintToRunToCurrentStep(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "## 1. One\n```sh\nmake\n```\n## 2. Two\nSure?\n## 3. Three\nReally?\n"), 120, 40)
	sc.press("space")
	sc.run(0, 0)
	sc.want("paused", "n step")
	sc.wantNot("run to here")
	sc.press("1", "down")
	sc.want(". run to here")
}

// TestHintsBeforeTheFirstEvent: a run that has begun has no current step until its session reports one.
func TestHintsBeforeTheFirstEvent(t *testing.T) {
	sc := open(t, release(t), 80, 24, func(c *Config) { c.IsTrusted = false })
	sc.press("esc", "down", "a")
	_, cmd := sc.m.Update(terminal.KeyPress("y"))
	for cmd != nil && sc.m.conn.session == nil {
		_, cmd = sc.m.Update(cmd())
	}
	if sc.m.conn.session == nil || sc.m.timeline.LiveTrack.CurrentRow != nil {
		t.Fatal("the run has not begun, or has a step")
	}
	sc.want("J jump to")
}
