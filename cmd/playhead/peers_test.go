package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// peersDocument is a workflow of one step; its task tells the mock model which replies to give.
const peersDocument = "### 🔧 WORKFLOW STEP: Ask\n```\n%s\n```\n### 🛠️ TOOL: %s\n" +
	"### 📤 OUTPUTS:\n- the text → SAID\n### ✅ ASSERT:\n- it said hello\n"

// TestWorkflowPeers runs workflows against a model server and a tool server from outside this project (workflow.md
// §6–8).
func TestWorkflowPeers(t *testing.T) {
	t.Parallel()
	url, everything := peers(t)
	passed := `"output_variables":{"SAID":"Echo: hello"}`
	slow := []string{"--limit", "tool_call=200ms"}
	for _, tt := range []struct {
		task, tool string
		status     int
		want       []string // texts in the events, in this order
		servers    string   // empty: the usual tool server
		flags      []string
	}{
		{"PASSES", "echo", 0, []string{`"output":"Echo: hello"`, `"result":"pass"`, passed, `"result":"completed"`}, "", nil},
		{"REFUTES", "everything/echo", 1, []string{`"output":"Echo: hello"`, `workflow/assertion-failed`, `"result":"failed"`}, "", nil},
		{"MUTE", "echo", 0, []string{`"ask":"`, `workflow/tool-not-called`, `"result":"completed"`}, "", nil},
		{"GARBLED", "echo", 1, []string{`"ask":"`, `workflow/malformed-report`, `"result":"failed"`}, "", nil},
		{"WRONG", "echo", 1, []string{`"error":"the tool \"echo\" of the server \"everything\" re`, `"result":"failed"`}, "", nil},
		{"ELSE", "echo", 1, []string{`"error":"there is no tool \"fly\""`, `"result":"failed"`}, "", nil},
		{"PASSES", "nowhere", 1, []string{`workflow/unknown-tool`, `"result":"failed"`}, "", []string{"--skip-preflight"}},
		{"SLOW", "trigger-long-running-operation", 1, []string{`it did not answer within 200ms`, `"result":"failed"`}, "", slow},
		{"SLOW", "trigger-long-running-operation", 1, []string{`it ended with status 9`, `"result":"failed"`}, mortal(everything), nil},
	} {
		t.Run(tt.task+" "+tt.tool, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, filepath.Join(dir, ".mcp.json"), cmp.Or(tt.servers, everything))
			file := filepath.Join(dir, "a.md")
			write(t, file, fmt.Sprintf(peersDocument, tt.task, tt.tool))
			args := []string{"run", file, "--json", "--trust", "--base-url", url, "--model", "gpt-5", "--source", "openai"}
			out, errs, status := runProcess(t, dir, nil, append(args, tt.flags...)...)
			if status != tt.status {
				t.Errorf("status %d\n%s", status, errs)
			}
			rest := out
			for _, want := range tt.want {
				_, after, found := strings.Cut(rest, want)
				if !found {
					t.Fatalf("no %s in\n%s", want, out)
				}
				rest = after
			}
		})
	}
}

// TestPreflightPeers: check --connect against these servers finds no problem, or a missing model and a missing tool.
func TestPreflightPeers(t *testing.T) {
	t.Parallel()
	url, everything := peers(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, ".mcp.json"), everything)
	for _, tt := range []struct {
		tool, model string
		status      int
		want        []string
	}{
		{"echo", "gpt-4", 0, []string{`"diagnostics":[]`}},
		{"everything/ecko", "gpt-4p", 2, []string{
			`"severity":"warning","code":"preflight/model","message":"step 1 needs the model \"gpt-4p\"`, `"did you mean gpt-4o?"`,
			`"severity":"error","code":"preflight/tool","message":"step 1 needs the tool everything/ecko`, `"did you mean echo?"`,
		}},
	} {
		file := filepath.Join(dir, "a.md")
		write(t, file, fmt.Sprintf(peersDocument, "PASSES", tt.tool))
		out, errs, status := runProcess(t, dir, nil, "check", file, "--connect", "--json", "--trust", "--base-url", url, "--model", tt.model)
		if status != tt.status {
			t.Errorf("status %d\n%s", status, errs)
		}
		for _, want := range tt.want {
			if !strings.Contains(out, want) {
				t.Errorf("no %s in\n%s", want, out)
			}
		}
	}
}

// mortal returns the configuration with a tool server that is killed at the first tool call.
func mortal(servers string) string {
	const script = `d=$(mktemp -d); mkfifo $d/in; node "$0" stdio <$d/in & node=$!; exec 3>$d/in; rm -r $d; ` +
		`while IFS= read -r line; do printf '%s\n' "$line" >&3; ` +
		`case $line in *'"tools/call"'*) kill -9 $node; exit 9;; esac; done`
	quoted, _ := json.Marshal(script) // a string always encodes
	return strings.Replace(strings.Replace(servers, `"node"`, `"sh"`, 1), `[`, `["-c", `+string(quoted)+`, `, 1)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Model servers from outside this project, for the tests of workflows and of agents.
var (
	workflowModel = mock("testdata/aimock.json")
	agentModel    = mock("testdata/agent.aimock.json")
)

// mock returns a function that starts a model server once and returns its URL. A file of fixtures maps the last prompt
// to a reply, whatever came before it.
func mock(fixtures string) func() (url string, err error) {
	return sync.OnceValues(func() (string, error) {
		server := exec.Command("node", os.Getenv("AIMOCK"), "-p", "0", "-f", fixtures)
		out, err := server.StdoutPipe()
		if err == nil {
			err = server.Start()
		}
		if err != nil {
			return "", err
		}
		cleanUp(func() { _ = server.Process.Kill(); _ = server.Wait() }) // the error says that it was killed
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if url := regexp.MustCompile(`http://\S+`).FindString(lines.Text()); url != "" {
				go func() { _, _ = io.Copy(io.Discard, out) }() // what it logs must not fill the pipe
				return url + "/v1", nil
			}
		}
		return "", errors.New("the model server did not start")
	})
}

// peers returns the URL of the model server and the configuration of the tool server.
func peers(t *testing.T) (url, everything string) {
	t.Helper()
	script := os.Getenv("MCP_EVERYTHING")
	if os.Getenv("AIMOCK") == "" || script == "" {
		t.Skip("AIMOCK and MCP_EVERYTHING are not both set: the paths of dist/cli.js of npm's @copilotkit/aimock" +
			" and of dist/index.js of @modelcontextprotocol/server-everything")
	}
	url, err := workflowModel()
	if err != nil {
		t.Fatal(err)
	}
	quoted, _ := json.Marshal(script) // a path is a string and always encodes
	return url, fmt.Sprintf(`{"mcpServers": {"everything": {"command": "node", "args": [%s, "stdio"]}}}`, quoted)
}
