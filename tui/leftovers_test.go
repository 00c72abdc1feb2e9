package tui

import (
	"testing"
	"time"

	"playhead/engine/shell"
)

// TestLeftovers: the summary names leftover processes, and ends them after a confirmation.
func TestLeftovers(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "## 1. One\n```sh\nmake\n```\n"), 120, 40)
	left := []shell.Leftover{{PID: 1 << 30, Command: "an agent {pass}"}} // no process has this number
	sc.m.runEnd.findLeftoverProcesses = func() []shell.Leftover { return left }
	sc.press("X")
	sc.want("Leftover processes are known only when the run is over.")
	sc.run(0, time.Second)
	sc.want("left   an agent {pass} (1073741824): still running. Press X to end it.", "X end leftover processes")
	sc.press("X")
	sc.want("End leftover processes?")
	sc.press("n")
	sc.want("still running")
	sc.press("X")
	left = nil
	sc.press("y")
	sc.want("Ended: an agent")
	sc.wantNot("still running")
}
