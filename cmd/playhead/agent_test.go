package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/creack/pty"

	"playhead/engine/machine"
)

// agentPeer returns the folder of an agent with five steps in a small repository, and flags that name the mock model
// server aimock, whose replies repair the repository.
func agentPeer(t *testing.T) (dir string, flags []string) {
	t.Helper()
	if os.Getenv("AIMOCK") == "" {
		t.Skip("AIMOCK is not set: it is the path of dist/cli.js of the npm package @copilotkit/aimock")
	}
	url, err := agentModel()
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(t.TempDir(), "project")
	if err := os.CopyFS(dir, os.DirFS("testdata/agent")); err != nil {
		t.Fatal(err)
	}
	return dir, []string{"--cwd", dir, "--source", "openai", "--base-url", url, "--model", "gpt-4"}
}

func readFile(t *testing.T, path ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestAgentPeer: an agent reads a repository, edits two files and runs its tests; a validator fails once, the agent
// repairs the notes, and the run completes (agent-tools.md).
func TestAgentPeer(t *testing.T) {
	t.Parallel()
	dir, flags := agentPeer(t)
	agent := filepath.Join(dir, ".agent/fixer")
	_, errs, status := runProcess(t, dir, nil, append([]string{"run", agent, "--json"}, flags...)...)
	if status != 2 || !strings.Contains(errs, "Read, Glob, Grep, Write, Edit, Bash, TodoWrite\n    mode default: ") || !strings.Contains(errs, "mode verification: ") {
		t.Errorf("without trust: status %d\n%s", status, errs)
	}
	out, errs, status := runProcess(t, dir, nil, append([]string{"run", agent, "--json", "--trust"}, flags...)...)
	if status != 0 {
		t.Fatalf("status %d\n%s%s", status, errs, out)
	}
	for _, want := range []string{
		`"output":"Entries in the list: 2, completed: 0."`, `"output":"     1\techo helo"`, `"type":"file.changing"`, `"output":"greet.sh was changed."`,
		`"output":"passed",`, `"output":"NOTES.md was written."`, `noted failed (not-noted), retry 1/2`, `"output":"NOTES.md was changed."`, `"result":"completed"`,
	} {
		var found bool
		if _, out, found = strings.Cut(out, want); !found {
			t.Fatalf("no %s, in this order", want)
		}
	}
	if greet, notes := readFile(t, dir, "greet.sh"), readFile(t, dir, "NOTES.md"); greet != "echo hello\n" || notes != "greet.sh mended, done\n" {
		t.Errorf("%q %q", greet, notes)
	}
}

// TestAgentWaits: a headless run waits when nobody can approve a tool call, and continues when it is resumed.
func TestAgentWaits(t *testing.T) {
	t.Parallel()
	dir, flags := agentPeer(t)
	out, _, status := runProcess(t, dir, nil, append([]string{"run", filepath.Join(dir, ".agent/fixer"), "--json", "--trust", "--approve", "once"}, flags...)...)
	if status != 3 || !strings.Contains(out, `"kind":"approve","prompt":"Edit"`) || readFile(t, dir, "greet.sh") != "echo helo\n" {
		t.Fatalf("status %d\n%s", status, out)
	}
	run := regexp.MustCompile(`"run":"(\w+)"`).FindStringSubmatch(out)[1]
	out, errs, status := runProcess(t, dir, nil, "resume", run, "--json", "--trust", "--approve", "none")
	if status != 0 || strings.Contains(out, `"kind":"resume"`) || readFile(t, dir, "greet.sh") != "echo hello\n" {
		t.Errorf("status %d\n%s%s", status, errs, out)
	}
}

// agentScreen starts the agent's run with a person who approves calls: Edit in its second step, Bash in its third.
func agentScreen(t *testing.T, dir string, flags []string) *terminal {
	t.Helper()
	args := append([]string{"run", filepath.Join(dir, ".agent/fixer"), "--trust", "--approve", "once"}, flags...)
	x := openWith(t, pty.Winsize{Rows: 40, Cols: 120}, dir, nil, args...)
	x.sees("+echo hello")
	return x
}

// TestAgentAnswers: a person allows, refuses or edits the agent's calls, or writes their results.
func TestAgentAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edit, bash   string // the keys typed in the dialog of each call
		greet, notes string // the contents of the files at the end
		said         string // the result of the Bash call that the model gets
	}{
		"allowed":  {"y", "y", "echo hello\n", "greet.sh mended, done\n", "passed"},
		"refused":  {"n", "n", "echo helo\n", "greet.sh mended, done\n", "a person refused this call"},
		"edited":   {"e\x7f\x7f\x7fo\"}\x13", "y", "echo helloo\n", "greet.sh mended, done\n", "exit status 1"},
		"answered": {"HIt is mended.\x13", "HIt passes, I say.\x13", "echo helo\n", "greet.sh mended, done\n", "It passes, I say."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, flags := agentPeer(t)
			x := agentScreen(t, dir, flags)
			x.types(c.edit)
			x.sees("allow exactly this command")
			x.types(c.bash)
			x.sees("✓ completed")
			x.types("q")
			x.ends(exitOK)
			if greet, notes := readFile(t, dir, "greet.sh"), readFile(t, dir, "NOTES.md"); greet != c.greet || notes != c.notes {
				t.Errorf("%q %q", greet, notes)
			}
			if report := program(t, x.cmd, "export", runIn(t, dir).ID()); !strings.Contains(report, c.said) {
				t.Errorf("%q is not in\n%s", c.said, report)
			}
		})
	}
}

// TestAgentKilled: an agent killed in an approval dialog, or after it changed a file, continues when it is resumed and
// changes each file only as often as without the kill.
func TestAgentKilled(t *testing.T) {
	t.Parallel()
	dir, flags := agentPeer(t)
	x := agentScreen(t, dir, flags)
	for _, allowed := range []string{"", "+echo hello", "sh test.sh"} { // a text of the dialog in which it is killed
		if allowed == "sh test.sh" {
			x.types("y")
			x.sees(allowed)
			x.sees("refuse")
		}
		_ = x.cmd.Process.Kill()
		_ = x.cmd.Wait() // it was killed
		x = openIn(t, pty.Winsize{Rows: 40, Cols: 120}, dir, "resume", runIn(t, dir).ID(), "--approve", "once")
		x.sees("refuse")
	}
	x.types("y")
	x.sees("✓ completed")
	x.types("q")
	x.ends(exitOK)
	changes := map[string]int{}
	for _, e := range runIn(t, dir).Events {
		if b, is := e.Body.(*machine.FileChanging); is {
			changes[b.Path]++
		}
	}
	if greet := readFile(t, dir, "greet.sh"); greet != "echo hello\n" || changes["greet.sh"] != 1 || changes["NOTES.md"] != 2 {
		t.Errorf("%q, changes %v", greet, changes)
	}
}

// TestAgentRewound: a rewind leaves the files as they are, and restore puts them back.
func TestAgentRewound(t *testing.T) {
	t.Parallel()
	dir, flags := agentPeer(t)
	x := agentScreen(t, dir, flags)
	x.types("y")
	x.sees("allow exactly this command")
	x.types("y")
	x.sees("files  2 changed. Press Z to see how.")
	run, first := runIn(t, dir).ID(), 0
	for _, e := range runIn(t, dir).Events {
		if _, is := e.Body.(*machine.FileChanging); is && first == 0 {
			first = e.Seq
		}
	}
	if r, status := does(t, dir, "rewind", strconv.Itoa(first-3), "--run", run); status != exitOK || !r.State.IsIdle() {
		t.Fatalf("%d %+v", status, r)
	}
	x.loses("✓ completed")
	before := readFile(t, dir, "greet.sh") + readFile(t, dir, "NOTES.md")
	x.types("Z")
	x.sees("2 changed files")
	x.types("\x1b")
	if after := readFile(t, dir, "greet.sh") + readFile(t, dir, "NOTES.md"); after != before || !strings.Contains(after, "hello") {
		t.Errorf("%q, before %q", after, before)
	}
	if _, status := does(t, dir, "restore", "all", "--run", run); status != exitOK || readFile(t, dir, "greet.sh") != "echo helo\n" {
		t.Errorf("status %d, %q", status, readFile(t, dir, "greet.sh"))
	}
	if _, err := os.Stat(filepath.Join(dir, "NOTES.md")); !os.IsNotExist(err) {
		t.Error("a new file is still there")
	}
}
