package main

import (
	"strings"
	"testing"

	"github.com/creack/pty"
)

// TestPresent shows a run to others, leaves that and comes back to it in the middle.
func TestPresent(t *testing.T) {
	x := openAt(t, pty.Winsize{Rows: 24, Cols: 80}, "# Show\n"+asking, "--trust", "--present", "--step")
	x.sees("‖ paused")
	x.types("n")
	x.sees("n  one step")
	x.sees("why: from 1")
	if strings.Contains(x.text(), "╭") {
		t.Errorf("there is more than one pane:\n%s", x.text())
	}
	x.types("V")
	x.sees("STEPS")
	x.types("V")
	x.sees("Presenting: V ends it.")
	x.types("n")
	x.sees("waits for you")
	x.types("p")
	x.sees("p  yes")
	x.sees("✓ completed")
	x.types("q")
	x.sees(`completed "sure enough" · run `)
	x.ends(exitOK)
}
