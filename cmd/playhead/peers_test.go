package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// peersDocument is a workflow of one step; its task says which replies the model gives.
const peersDocument = "### 🔧 WORKFLOW STEP: Ask\n```\n%s\n```\n### 🛠️ TOOL: %s\n" +
	"### 📤 OUTPUTS:\n- the text → SAID\n### ✅ ASSERT:\n- it said hello\n"

// TestWorkflowPeers runs workflows against a model server and a tool server that nobody
// here wrote (workflow.md §6–8).
func TestWorkflowPeers(t *testing.T) {
	url, everything := peers(t)
	passed := `"output_variables":{"SAID":"Echo: hello"}`
	for _, tt := range []struct {
		task, tool string
		status     int
		want       []string // in the events, in this order
	}{
		{"PASSES", "echo", 0, []string{`"output":"Echo: hello"`, `"result":"pass"`, passed, `"result":"completed"`}},
		{"REFUTES", "everything/echo", 1, []string{`"output":"Echo: hello"`, `workflow/assertion-failed`, `"result":"failed"`}},
		{"MUTE", "echo", 0, []string{`"ask":"`, `workflow/tool-not-called`, `"result":"completed"`}},
		{"GARBLED", "echo", 1, []string{`"ask":"`, `workflow/malformed-report`, `"result":"failed"`}},
		{"WRONG", "echo", 1, []string{`"error":"the tool \"echo\" of the server \"everything\" re`, `"result":"failed"`}},
		{"ELSE", "echo", 1, []string{`"error":"there is no function \"fly\""`, `"result":"failed"`}},
		{"PASSES", "nowhere", 1, []string{`workflow/unknown-tool`, `"result":"failed"`}},
	} {
		t.Run(tt.task+" "+tt.tool, func(t *testing.T) {
			ownState(t)
			dir := t.TempDir()
			write(t, filepath.Join(dir, ".mcp.json"), everything)
			file := filepath.Join(dir, "a.md")
			write(t, file, fmt.Sprintf(peersDocument, tt.task, tt.tool))
			out, errs, status := runApp(t, "run", file, "--json", "--trust", "--base-url", url, "--model", "gpt-5", "--source", "openai")
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

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// peers starts the model server, and describes the tool server.
func peers(t *testing.T) (url, everything string) {
	mock, script := os.Getenv("AIMOCK"), os.Getenv("MCP_EVERYTHING")
	if mock == "" || script == "" {
		t.Skip("AIMOCK and MCP_EVERYTHING are not both set: the paths of dist/cli.js of npm's @copilotkit/aimock" +
			" and of dist/index.js of @modelcontextprotocol/server-everything")
	}
	server := exec.Command("node", mock, "-p", "0", "-f", "testdata/aimock.json")
	out, err := server.StdoutPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() }) // it was killed
	quoted, _ := json.Marshal(script)                                  // a path is a text
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if url := regexp.MustCompile(`http://\S+`).FindString(lines.Text()); url != "" {
			return url + "/v1", fmt.Sprintf(`{"mcpServers": {"everything": {"command": "node", "args": [%s, "stdio"]}}}`, quoted)
		}
	}
	t.Fatal("the server did not start")
	return "", ""
}
