package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestPreflightFindsAll plants problems of all kinds, also in a document that cannot run: one check finds each of them
// and says what to do.
func TestPreflightFindsAll(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	desk := mcp.NewServer(&mcp.Implementation{Name: "desk", Version: "1"}, nil)
	mcp.AddTool(desk, &mcp.Tool{Name: "search"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return nil, nil, nil
	})
	tools := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return desk }, nil))
	t.Cleanup(tools.Close)
	models := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, `{"object":"list","data":[{"id":"gpt-5"}]}`)
	}))
	t.Cleanup(models.Close)
	write(t, filepath.Join(dir, ".mcp.json"), `{"mcpServers": {
		"desk": {"url": "`+tools.URL+`"},
		"dead": {"command": "/no/such/program"},
		"closed": {"url": "https://tools.test/", "headers": {"Authorization": "${NO_SUCH_TOKEN}"}}}}`)
	write(t, filepath.Join(dir, "a.playbook.md"), "# A\n## Inputs\n- `who` (string): name\n"+
		"## STEP 1: One\n@tool(desk, serch, {})\n## STEP 2: Two\n@tool(dosk, search, {})\n## STEP 3: Three\n@tool(dead, x, {})\n"+
		"## STEP 4: Four\n@tool(closed, x, {})\n## STEP 5: Five\n@prompt(file:gone.md)\nGreet {{who}}.\n## STEP 6: Six\n@tool(local, Raed, {})\n")
	write(t, filepath.Join(dir, "b.runbook.md"), "# B\n## 1. Build\n```sh\nno-such-program\n```\n## 2. More\n- gone.runbook.md\n")
	agent := filepath.Join(dir, "greeting")
	if err := os.CopyFS(agent, os.DirFS("../../examples/greeting")); err != nil {
		t.Fatal(err)
	}
	registry := filepath.Join(agent, "steps_registry.json")
	write(t, registry, strings.Replace(readFile(t, registry), `"handoff" },`, `"handof" },`, 1))
	out, errs, status := runProcess(t, dir, nil, "check", "--connect", "--base-url", models.URL+"/v1", "--model", "gpt-6", "a.playbook.md", "b.runbook.md", "greeting")
	if status != exitUsage {
		t.Errorf("status %d: %s", status, errs)
	}
	for _, want := range []string{
		"a.playbook.md:3:1: error: the input who has no value; use --input who=…",
		"a.playbook.md:5:1: error: step 1 needs the tool desk/serch, which its server does not have; did you mean search?",
		`a.playbook.md:7:1: error: step 2 needs the tool dosk/search, but no .mcp.json describes the tool server "dosk"; did you mean desk?`,
		"not checked: step 3 needs the tool dead/x, but the tool server dead is not started until the document is trusted",
		"NO_SUCH_TOKEN, which is not set: set it",
		"gone.md cannot be read: there is no such file",
		`needs the model "gpt-6", which the server `,
		"a.playbook.md:16:1: error: step 6 needs the tool local/Raed, which Playhead does not provide; did you mean Read?",
		"b.runbook.md:1:1: error: b.runbook.md is not trusted to run its commands; read them, then use --trust",
		"b.runbook.md:3:1: warning: step 1 needs the program no-such-program",
		"step 2 needs the document gone.runbook.md, which cannot be run: there is no such file",
		"greeting.schema.json has no schema handof; name an existing schema",
		"need a person to approve the model's tool calls, but nobody can be asked",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	out, _, _ = runProcess(t, dir, nil, "check", "--connect", "--trust", "a.playbook.md")
	if want := `the tool server "dead" is not available: there is no program "/no/such/program"`; !strings.Contains(out, want) {
		t.Errorf("no %q in\n%s", want, out)
	}
}
