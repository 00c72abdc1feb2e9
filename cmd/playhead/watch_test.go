package main

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestWatch: --watch checks or tests again whenever the document, a newly included document or the scenarios change.
func TestWatch(t *testing.T) {
	t.Parallel()
	const good, bad = "## 1. One\n- PASS: COMPLETE\n\nSay one.\n", "## 1. One\n- PASS: GOTO 9\n\nSay one.\n"
	const including = "## 1. One\n- child.runbook.md\n"
	const passes, fails = "ok:\n  answers: {1: pass}\n  result: completed\n", "bad:\n  answers: {1: pass}\n  result: stopped\n"
	for _, c := range []struct {
		command string
		rounds  [][3]string // a file, its new content, and the line that it leads to
	}{
		{"check", [][3]string{
			{"a.runbook.md", bad, "1 file: 1 error"},
			{"a.runbook.md", good, "1 file: no problems"},
			{"a.runbook.md", including, "1 file: 1 warning"},
			{"child.runbook.md", good, "1 file: no problems"},
			{"child.runbook.md", bad, "1 file: 1 warning"},
		}},
		{"test", [][3]string{
			{"a.scenarios.yaml", passes + fails, "2 scenarios: 1 passed"},
			{"a.scenarios.yaml", passes, "1 scenario: 1 passed"},
		}},
	} {
		t.Run(c.command, func(t *testing.T) {
			dir := t.TempDir()
			write := func(name, text string) {
				// Many editors save a file by renaming a new one.
				temporary := filepath.Join(dir, "new")
				if err := os.WriteFile(temporary, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
				if err := os.Rename(temporary, filepath.Join(dir, name)); err != nil {
					t.Fatal(err)
				}
			}
			write("a.runbook.md", good)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // the output ends at the timeout
			defer cancel()
			cmd := exec.CommandContext(ctx, os.Args[0])
			cmd.Args = []string{"playhead", c.command, "--watch", "a.runbook.md"}
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "XDG_STATE_HOME="+t.TempDir())
			errors, err := cmd.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(errors)
			until := func(want string) {
				var seen strings.Builder
				for lines.Scan() {
					seen.WriteString(lines.Text() + "\n")
					if strings.HasPrefix(lines.Text(), want) {
						return
					}
				}
				t.Fatalf("no line %q in:\n%s", want, seen.String())
			}
			if c.command == "check" {
				until("1 file: no problems")
			} else {
				until("0 scenarios")
			}
			for _, round := range c.rounds {
				write(round[0], round[1])
				until("── ")
				if !strings.Contains(lines.Text(), round[0]+" changed") {
					t.Errorf("after %s changed: %s", round[0], lines.Text())
				}
				until(round[2])
			}
			if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			if got := cmd.ProcessState.ExitCode(); got != exitInterrupted {
				t.Errorf("status %d", got)
			}
		})
	}
}
