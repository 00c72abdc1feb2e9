package main

import (
	"testing"

	"github.com/creack/pty"
)

// TestFindAnything: the real binary finds a text in the steps, a step by some of its letters and an action by its name,
// on a small and a large screen.
func TestFindAnything(t *testing.T) {
	t.Parallel()
	const document = "## 1. Say\n```sh\necho something said\n```\n## 2. Sure?\n- YES: COMPLETE \"sure enough\"\n- NO: GOTO Rollback\n## Rollback\n```sh\n./withdraw\n```\n"
	for _, size := range []pty.Winsize{{Rows: 16, Cols: 60}, {Rows: 40, Cols: 120}} {
		x := openAt(t, size, document, "--trust")
		x.sees("waits for you")
		x.types("\x1b")
		x.sees("The run is waiting.")
		x.types("1g/withd")
		x.sees("/withd  1 of 1")
		x.types("\r")
		x.sees("esc clear search")
		x.types("\x1b")
		x.losesSight("esc clear search")
		x.types("'sy")
		x.sees("1 found")
		x.types("\r")
		x.losesSight("GO TO A STEP")
		x.types("\x10zoo")
		x.sees("show one pane, or all")
		x.types("\x15reasoning")
		x.sees("No reasoning was recorded here")
		x.types("\x15nswer")
		x.sees("answer the open question")
		x.types("\r")
		x.sees("y yes")
		x.types("y")
		x.sees("✓ completed")
		x.types("q")
		x.ends(exitOK)
	}
}
