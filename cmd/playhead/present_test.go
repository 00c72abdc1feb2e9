package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
)

// TestPresent: a person presents a run, leaves the presentation and returns to it in the middle of the run.
func TestPresent(t *testing.T) {
	t.Parallel()
	x := openAt(t, pty.Winsize{Rows: 24, Cols: 80}, "# Show\n"+asking, "--trust", "--present", "--step")
	x.sees("‖ paused")
	x.types("n")
	x.sees("pressed n")
	x.sees("why: from 1")
	if strings.Contains(x.text(), "╭") {
		t.Errorf("the presentation shows more than one pane:\n%s", x.text())
	}
	x.types("V")
	x.sees("STEPS")
	x.types("V")
	x.sees("You are presenting. Press V to stop presenting.")
	x.types("n")
	x.sees("waits for you")
	x.types("y")
	x.sees("pressed y: yes")
	x.sees("✓ COMPLETED")
	x.types("q")
	x.sees(`completed "sure enough" · run `)
	x.ends(exitOK)
}

// TestNotices: the terminal notifies a person who looks elsewhere and shows the progress of the run. The progress
// disappears however the program ends.
func TestNotices(t *testing.T) {
	t.Parallel()
	const doc = "## 1. Fine?\n- YES: CONTINUE\n- NO: STOP\n" + "## 2. Sure?\n- YES: COMPLETE \"sure\"\n- NO: STOP\n"
	config := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(config, []byte("notify: osc9\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	const cleared = "\x1b]9;4;0\x07"
	for name, leave := range map[string]func(x *terminal){
		"quit": func(x *terminal) { x.types("q") },
		"terminated": func(x *terminal) {
			if err := x.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			x := open(t, doc, "--trust", "--config", config)
			x.gets("\x1b[?1004h")
			x.gets("\x1b]9;4;4;0\x07")
			x.sees("waits for you")
			x.types("\x1b[Op")
			x.gets("\x1b]9;Playhead: 2 Sure? is waiting for you\x07")
			x.gets("\x1b]9;4;4;50\x07")
			leave(x)
			for range x.drawn {
			}
			if out := x.all(); strings.LastIndex(out, cleared) < strings.LastIndex(out, "\x1b]9;4;4") {
				t.Error("the terminal still shows the progress of the run")
			}
		})
	}
}

// TestPlainBell: plain mode rings the bell only with notify: bell.
func TestPlainBell(t *testing.T) {
	t.Parallel()
	for config, rings := range map[string]int{"notify: bell\n": 1, "notify: osc9\n": 0, "": 0} {
		file := filepath.Join(t.TempDir(), "config.yaml")
		if err := os.WriteFile(file, []byte(config), 0o644); err != nil {
			t.Fatal(err)
		}
		x := open(t, asking, "--plain", "--trust", "--config", file)
		x.sees("[yes/no/skip/…]")
		x.types("yes\n")
		x.ends(exitOK)
		if got := strings.Count(x.all(), "\a"); got != rings {
			t.Errorf("%q: the bell rings %d times", config, got)
		}
	}
}

// TestSecretInput: the value of a secret input shows nowhere on the screen.
func TestSecretInput(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.playbook.md"), "# Ask\n\n## INPUTS\n\n- `token` (string)\n\n## STEP 1: Say\n\nUse {{token}} now.\n")
	write(t, filepath.Join(dir, "replies.yaml"), "'1': used hunter2\n")
	x := openIn(t, pty.Winsize{Rows: 24, Cols: 80}, dir, "a.playbook.md", "--secret", "token", "--replies", "replies.yaml", "--present")
	x.sees("token (hidden, required)")
	x.types("hunter2")
	x.sees("› *******")
	x.types("\r")
	x.sees("✓ COMPLETED")
	x.types("q")
	x.ends(exitOK)
	if strings.Contains(x.all(), "hunter2") {
		t.Error("the secret shows")
	}
}

// TestSecretInputInLines: plain mode does not echo the value of a secret input, and ctrl+c quits there.
func TestSecretInputInLines(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.playbook.md"), "# Ask\n\n## INPUTS\n\n- `token` (string)\n\n## STEP 1: Say\n\nUse {{token}} now.\n")
	write(t, filepath.Join(dir, "replies.yaml"), "'1': used hunter2\n")
	x := openIn(t, pty.Winsize{Rows: 24, Cols: 80}, dir, "a.playbook.md", "--secret", "token", "--replies", "replies.yaml", "--plain")
	x.sees("token")
	x.types("hunter2\r")
	x.sees("used •••")
	x.ends(exitOK)
	if strings.Contains(x.all(), "hunter2") {
		t.Errorf("the secret shows:\n%s", x.all())
	}
	left := openIn(t, pty.Winsize{Rows: 24, Cols: 80}, dir, "a.playbook.md", "--secret", "token", "--replies", "replies.yaml", "--plain")
	left.sees("token")
	left.types("\x03")
	left.ends(exitInterrupted)
}
