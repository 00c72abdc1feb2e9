package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/creack/pty"
)

// TestFront: without a document the program lists documents, examples and recent runs, and opens the selected one.
func TestFront(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("deploy.runbook.md", asking)
	size := pty.Winsize{Rows: 24, Cols: 100}
	x := openWith(t, size, dir, nil)
	x.sees("deploy.runbook.md")
	x.sees("example:release")
	x.types("deploy")
	x.sees("2 Sure?")
	x.types("\r")
	x.sees("Trust this document?")
	x.types("y")
	x.sees("Yes or no?")
	x.types("q")
	x.ends(exitAwaiting)

	x = openWith(t, size, dir, nil)
	x.sees("recent runs")
	x.sees("for yes or no")
	x.sees("? 2 Sure?")
	x.types("\r")
	x.sees("Yes or no?")
	x.types("p")
	x.sees("✓ COMPLETED")
	x.types("q")
	x.ends(0)

	x = openWith(t, size, dir, nil)
	x.sees("recent runs")
	x.types("\x1b")
	x.ends(0)

	write("other/a.runbook.md", asking)
	x = openWith(t, size, filepath.Join(dir, "other"), []string{"XDG_STATE_HOME=" + dir})
	x.sees("runs in other folders")
	x.types("\x1b[B") // the document of this folder comes first
	x.sees("../deploy.runbook.md")
	x.types("\x1b")
	x.ends(0)

	x = openWith(t, size, dir, nil, "--theme", "dusk")
	x.sees("recent runs")
	if err := x.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	x.gets("\x1b[?1049l") // leaves the alternate screen
	x.ends(exitSignalBase + int(syscall.SIGTERM))
}
