package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// agentPeer is an agent of five steps in a small repository, and a model server that nobody here
// wrote with the replies that mend it.
func agentPeer(t *testing.T) (dir string, flags []string) {
	t.Helper()
	mock := os.Getenv("AIMOCK")
	if mock == "" {
		t.Skip("AIMOCK is not set: it is the path of dist/cli.js of the npm package @copilotkit/aimock")
	}
	ownState(t)
	server := exec.Command("node", mock, "-p", "0", "-f", "testdata/agent.aimock.json")
	out, err := server.StdoutPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() }) // it was killed
	url := ""
	for lines := bufio.NewScanner(out); url == "" && lines.Scan(); {
		url = regexp.MustCompile(`http://\S+`).FindString(lines.Text())
	}
	dir = filepath.Join(t.TempDir(), "project")
	if err := os.CopyFS(dir, os.DirFS("testdata/agent")); err != nil {
		t.Fatal(err)
	}
	return dir, []string{"--cwd", dir, "--source", "openai", "--base-url", url + "/v1", "--model", "gpt-5"}
}

func readFile(t *testing.T, path ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestAgentPeer: an agent reads a repository, edits two files, runs its tests, is sent back by a
// validator and closes (agent-tools.md).
func TestAgentPeer(t *testing.T) {
	dir, flags := agentPeer(t)
	agent := filepath.Join(dir, ".agent/fixer")
	_, errs, status := runApp(t, append([]string{"run", agent, "--json"}, flags...)...)
	if status != 2 || !strings.Contains(errs, "Read, Glob, Grep, Write, Edit, Bash, TodoWrite\n    mode default: ") || !strings.Contains(errs, "mode verification: ") {
		t.Errorf("without trust: status %d\n%s", status, errs)
	}
	out, errs, status := runApp(t, append([]string{"run", agent, "--json", "--trust"}, flags...)...)
	if status != 0 {
		t.Fatalf("status %d\n%s%s", status, errs, out)
	}
	for _, want := range []string{
		`"output":"The list has 2 entries, 0 of them completed."`, `"output":"     1\techo helo"`, `"type":"file.changing"`, `"output":"greet.sh is changed."`,
		`"output":"passed",`, `"output":"NOTES.md is written."`, `noted failed (not-noted), retry 1/2`, `"output":"NOTES.md is changed."`, `"result":"completed"`,
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

// TestAgentWaits: with nobody there to allow a call the run waits, and goes on when it is resumed.
func TestAgentWaits(t *testing.T) {
	dir, flags := agentPeer(t)
	out, _, status := runApp(t, append([]string{"run", filepath.Join(dir, ".agent/fixer"), "--json", "--trust", "--approve", "once"}, flags...)...)
	if status != 3 || !strings.Contains(out, `"kind":"approve","prompt":"Edit"`) || readFile(t, dir, "greet.sh") != "echo helo\n" {
		t.Fatalf("status %d\n%s", status, out)
	}
	run := regexp.MustCompile(`"run":"(\w+)"`).FindStringSubmatch(out)[1]
	out, errs, status := runApp(t, "resume", run, "--json", "--trust", "--approve", "none")
	if status != 0 || strings.Contains(out, `"kind":"resume"`) || readFile(t, dir, "greet.sh") != "echo hello\n" {
		t.Errorf("status %d\n%s%s", status, errs, out)
	}
}
