package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/creack/pty"
)

const shelled = "## 1. Build\n```sh\necho building; test -e built\n```\n- PASS: COMPLETE\n- FAIL: RETRY 1\n"

// noting writes a shell that records its folder and variables and waits for enter. It returns the variable for that
// shell and a function that returns the record.
func noting(t *testing.T, dir string) (shell []string, noted func() string) {
	t.Helper()
	path := filepath.Join(dir, "noting")
	script := "#!/bin/sh\n{ pwd; env | grep ^PLAYHEAD_ | sort; } > noted\ntouch built\necho in a shell, attempt $PLAYHEAD_ATTEMPT\nread line\nexit 3\n"
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return []string{"SHELL=" + path}, func() string {
		text, err := os.ReadFile(filepath.Join(dir, "noted"))
		if err != nil {
			t.Fatal(err)
		}
		return regexp.MustCompile(`PLAYHEAD_RUN_ID=\S+`).ReplaceAllString(strings.Replace(string(text), dir, "DIR", 1), "PLAYHEAD_RUN_ID=RUN")
	}
}

// TestShellOnScreen opens a shell at a paused and at a failed step, in the folder of its command, and runs the step
// again.
func TestShellOnScreen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	shell, noted := noting(t, dir)
	write(t, filepath.Join(dir, "a.runbook.md"), shelled)
	x := openRace(t, pty.Winsize{Rows: 24, Cols: 80}, dir, shell, "a.runbook.md", "--break", "1")
	x.sees("trust")
	x.types("!")
	x.sees("! does nothing here.")
	x.types("y")
	x.sees("‖ paused")
	x.types("!")
	x.sees("Shell at step 1 Build. The step's command:")
	x.sees("in a shell")
	if got, want := noted(), "DIR\nPLAYHEAD_ATTEMPT=0\nPLAYHEAD_INSTANCE=\nPLAYHEAD_RUN_ID=RUN\nPLAYHEAD_STEP=1\n"; got != want {
		t.Errorf("before the step the shell noted\n%s", got)
	}
	x.types("\r")
	x.sees("STEPS")
	if err := os.Remove(filepath.Join(dir, "built")); err != nil {
		t.Fatal(err)
	}
	x.types("n")
	x.sees("before attempt 2 of 2 · failed")
	x.sees("‖ paused") // a shell opens only while the run is paused
	x.types("!")
	x.sees("The step's last command:")
	x.sees("  echo building; test -e built")
	x.sees("Exit the shell to return to Playhead.")
	x.sees("in a shell, attempt 1")
	if got := noted(); !strings.Contains(got, "PLAYHEAD_ATTEMPT=1\n") {
		t.Errorf("before the retry the shell noted\n%s", got)
	}
	x.types("\r")
	x.sees("STEPS")
	x.types("t")
	x.sees("shell opened")
	x.types("tr")
	x.sees("Run step 1 again?")
	x.types("y")
	x.sees("✓ completed")
	x.sees("esc look around")
	x.types("\x1b")
	x.loses("esc look around")
	x.types("V")
	x.loses("STEPS")
	x.types("!")
	x.sees("Open a shell while presenting?")
	x.types("n")
	x.loses("Open a shell while presenting?")
	x.types("q")
	x.ends(exitOK)
	run := strings.Fields(program(t, x.cmd, "runs"))[6]
	if report := program(t, x.cmd, "export", run); !strings.Contains(report, "a shell was opened") {
		t.Errorf("the report does not say that a shell was opened:\n%s", report)
	}
	x = openRace(t, pty.Winsize{Rows: 24, Cols: 80}, dir, nil, "replay", run)
	x.sees("STEPS")
	x.types("!")
	x.sees("This is a replay")
	x.types("q")
	x.ends(exitOK)
}

// TestShellInLines opens a shell in plain mode.
func TestShellInLines(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	shell, noted := noting(t, dir)
	write(t, filepath.Join(dir, "a.runbook.md"), shelled)
	x := openWith(t, pty.Winsize{Rows: 24, Cols: 80}, dir, shell, "a.runbook.md", "--plain", "--trust", "--step")
	x.says("paused before 1")
	x.tells(":shell", "Shell at step 1 Build. The step's command:", "  echo building; test -e built", "in a shell")
	x.tells("", "[1] shell opened")
	if got := noted(); !strings.HasPrefix(got, "DIR\n") || !strings.Contains(got, "PLAYHEAD_STEP=1\n") {
		t.Errorf("the shell noted\n%s", got)
	}
	x.tells(":timeline", "[1] shell opened, by a person")
	x.tells(":continue", "completed")
	x.ends(exitOK)
}
