package tui

import (
	"testing"
	"time"
)

const twoCommands = "## 1. One\n```sh\nmake\n```\n\n## 2. Two\n```sh\nmake\n```\n"

// TestPendingPause: a requested pause shows until the run pauses, and both keys that continue a run cancel it.
func TestPendingPause(t *testing.T) {
	for _, key := range []string{"space", "c"} {
		sc := open(t, load(t, "a.runbook.md", twoCommands), 80, 24)
		sc.wantNot("pausing")
		sc.press("space")
		sc.want("pausing 00:00", "The run pauses before the next step. Press c to cancel the pause.")
		sc.press("j")
		sc.want("pausing 00:00", "space cancel pause  ctrl+c interrupt  3 output")
		sc.press(key)
		sc.want("running 00:00", "The run no longer pauses before the next step.")
		sc.press("j")
		sc.want("space pause")
		sc.press("c")
		sc.want("The run is already running.")
		sc.run(0, 0, "done")
		sc.want("running", "1/2 done")
	}
	sc := open(t, load(t, "a.runbook.md", twoCommands), 80, 24)
	sc.press("space")
	sc.run(0, 0, "done")
	sc.want("‖ paused", "1/2 done")
}

// TestPendingPauseAtAQuestion: a requested pause also shows, and can be cancelled, while a question is open.
func TestPendingPauseAtAQuestion(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "## 1. Sure?\n- YES: CONTINUE\n- NO: STOP\n\n## 2. Two\n```sh\nmake\n```\n"), 80, 24)
	sc.press("esc", "space")
	sc.want("waits for you · then pauses", "The run pauses before the next step.")
	sc.press("space")
	sc.want("─ waits for you ╮", "The run no longer pauses before the next step.")
}

// TestFailIsHinted: where there is room, a paused run names the key that fails the next step.
func TestFailIsHinted(t *testing.T) {
	doc := "# S\n## 1. One\n```sh\nmake\n```\n## 2. Two\n```sh\nmake\n```\n"
	sc := open(t, load(t, "s.runbook.md", doc), 120, 40)
	sc.press("space")
	sc.run(0, time.Second, "ok")
	sc.want("p pass 2 → completed", "f fail 2 → stopped")
}
