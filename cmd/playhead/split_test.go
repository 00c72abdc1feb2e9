package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/creack/pty"
)

// TestScreenIsDividedAsItWasLeft: a moved border and a hidden pane are kept for the next start, and a damaged layout
// file gives the default layout.
func TestScreenIsDividedAsItWasLeft(t *testing.T) {
	t.Parallel()
	size := pty.Winsize{Rows: 24, Cols: 100}
	x := openAt(t, size, asking, "--trust")
	x.sees("waits for you")
	x.types("\x1b")
	x.sees("The run is waiting.")
	x.types("\x1b[1;5C\x1b[1;5C") // ctrl+right
	x.sees("│ STEPS                   1/2 done │")
	x.types("3-")
	x.sees("Press 3 to show it")
	x.types("q")
	x.ends(exitAwaiting)

	dir := x.cmd.Dir
	file := filepath.Join(dir, "playhead", "layout.json")
	if got, _ := os.ReadFile(file); string(got) != "{\"tree\":340,\"hidden\":[\"output\"]}\n" {
		t.Errorf("the file has %q", got)
	}
	x = openIn(t, size, dir, "a.runbook.md", "--trust")
	x.sees("│ STEPS                   1/2 done │")
	x.sees("waits for you")
	x.types("\x1b")
	x.sees("The run is waiting.")
	x.types("q")
	x.ends(exitAwaiting)

	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	x = openIn(t, size, dir, "a.runbook.md")
	x.sees("Using the default layout")
	x.types("q")
	x.ends(exitUsage)
}
