package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
)

const longDocument = "## 1. Wait\n```sh\necho begun; cat /dev/zero >/dev/null\n```\n"

// start runs the program on a document whose command does not end, and returns once the command has started.
func start(t *testing.T, args ...string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.runbook.md"), []byte(longDocument), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := command(t, dir, append([]string{"run", "a.runbook.md", "--trust", "--headless"}, args...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() && lines.Text() != "begun" {
	}
	return cmd, lines
}

// TestSignals: a signal during a command ends the run with the right status and result.
func TestSignals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		signal syscall.Signal
		status int
		result string // in the list of runs
	}{
		{"interrupt", syscall.SIGINT, exitInterrupted, "cancelled"},
		{"terminate", syscall.SIGTERM, exitSignalBase + 15, "interrupted"},
		{"hang up", syscall.SIGHUP, exitSignalBase + 1, "interrupted"},
		{"quit, without a stack trace", syscall.SIGQUIT, exitSignalBase + 3, "interrupted"},
		{"abort", syscall.SIGABRT, exitSignalBase + 6, "interrupted"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd, lines := start(t)
			if err := cmd.Process.Signal(c.signal); err != nil {
				t.Fatal(err)
			}
			for lines.Scan() {
			}
			_ = cmd.Wait()
			if got := cmd.ProcessState.ExitCode(); got != c.status {
				t.Errorf("status %d, want %d", got, c.status)
			}
			runs := program(t, cmd, "runs")
			if !strings.Contains(runs, c.result) {
				t.Errorf("the run is not %s:\n%s", c.result, runs)
			}
			resumed(t, cmd, strings.Fields(runs)[6])
		})
	}
}

// TestKilled resumes a run whose process was killed: Playhead asks about the interrupted command and never runs it
// again by itself.
func TestKilled(t *testing.T) {
	t.Parallel()
	cmd, lines := start(t)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() {
	}
	_ = cmd.Wait()
	run := strings.Fields(program(t, cmd, "runs"))[6]
	if report := program(t, cmd, "export", run); !strings.Contains(report, "\nbegun\n") {
		t.Errorf("the report lacks the output of the command:\n%s", report)
	}
	resumed(t, cmd, run)
}

// resumed resumes the run: without an answer it waits, with one it completes.
func resumed(t *testing.T, first *exec.Cmd, run string) {
	t.Helper()
	if out := program(t, first, "resume", run, "--headless", "--trust"); !strings.Contains(out, "waits at 1") || !strings.Contains(out, " (interrupted)\n") {
		t.Errorf("resume does not wait:\n%s", out)
	}
	if out := program(t, first, "resume", run, "--headless", "--trust", "--answer", "1=pass"); !strings.Contains(out, "completed") {
		t.Errorf("resume does not end:\n%s", out)
	}
}

// program runs a command line of the program in the folder and environment of the first command.
func program(t *testing.T, first *exec.Cmd, args ...string) string {
	t.Helper()
	cmd := exec.Command(quickProgram(t), args...)
	cmd.Dir, cmd.Env = first.Dir, first.Env
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestSuspend: a person suspends the program to the shell and returns to the run. Stopped from outside, the program
// also takes the terminal back when it continues.
func TestSuspend(t *testing.T) {
	t.Parallel()
	const away, back = "\x1b[?1049l", "\x1b[?1049h"
	for name, stop := range map[string]func(x *terminal, pid int){
		"by its key": func(x *terminal, _ int) { x.types("\x1a") },
		"from outside": func(x *terminal, pid int) {
			if err := syscall.Kill(pid, syscall.SIGTSTP); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, filepath.Join(dir, "a.runbook.md"), asking)
			program, err := filepath.Abs(os.Args[0])
			if err != nil {
				t.Fatal(err)
			}
			link := filepath.Join(t.TempDir(), "playhead")
			if err := os.Symlink(program, link); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(dir, "job.sh"), "sh -c 'echo $$ >pid; exec "+link+" a.runbook.md --trust'\necho the shell; read x; fg >/dev/null; echo ended $?\n")
			x := openCommand(t, pty.Winsize{Rows: 24, Cols: 80}, dir, exec.Command("sh", "-m", "job.sh"))
			x.sees("Yes or no?")
			pid, err := os.ReadFile(filepath.Join(dir, "pid"))
			if err != nil {
				t.Fatal(err)
			}
			n, err := strconv.Atoi(strings.TrimSpace(string(pid)))
			if err != nil {
				t.Fatal(err)
			}
			stop(x, n)
			x.gets("the shell")
			if left := strings.Contains(x.all(), away); left != (name == "by its key") {
				t.Errorf("the terminal was given back: %v", left)
			}
			x.types("\n")
			x.waits(func() string { _, after, _ := strings.Cut(x.all(), "the shell"); return after }, back)
			x.waits(func() string { return x.all()[strings.LastIndex(x.all(), back):] }, "Yes or no?")
			if err := syscall.Kill(n, syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			x.gets("ended 143")
			x.ends(0)
		})
	}
}
