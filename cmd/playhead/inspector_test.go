package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// inspector returns two ways to call tools with MCP's own inspector, in a folder: once starts a server for each call,
// connect keeps one connection for all calls.
func inspector(t *testing.T, dir string) (once func(args ...string) map[string]any, connect func() (call func(args ...string) map[string]any)) {
	t.Helper()
	launcher := os.Getenv("MCP_INSPECTOR")
	if launcher == "" {
		t.Skip("MCP_INSPECTOR is not set: it is the path of clients/launcher/build/index.js of the npm package @modelcontextprotocol/inspector")
	}
	program := quickProgram(t)
	state := "XDG_STATE_HOME=" + dir // MCP hosts pass few variables to a server
	environ := append(command(t, dir).Env, "HOME="+t.TempDir(), "MCP_INSPECTOR_SECRET_STORE=memory")
	node := func(script string, args ...string) []byte {
		t.Helper()
		cmd := exec.Command("node", append([]string{script}, args...)...)
		cmd.Dir, cmd.Env = dir, environ
		out, _ := cmd.Output() // an error of a tool also makes the inspector fail
		return out
	}
	reply := func(out []byte) map[string]any {
		t.Helper()
		var result struct {
			Content []struct{ Text string }
		}
		var r map[string]any
		if err := json.Unmarshal(out, &result); err != nil || len(result.Content) == 0 || json.Unmarshal([]byte(result.Content[0].Text), &r) != nil {
			t.Fatalf("%v in %s", err, out)
		}
		return r
	}
	once = func(args ...string) map[string]any {
		t.Helper()
		return reply(node(launcher, append([]string{"--cli", program, "mcp", "-e", state, "--method", "tools/call", "--tool-name"}, args...)...))
	}
	connect = func() func(args ...string) map[string]any {
		t.Helper()
		keeper := filepath.Join(filepath.Dir(launcher), "../../mcpdo/build/mcp-bin.js")
		for _, set := range regexp.MustCompile(`export (\w+)='([^']*)'`).FindAllSubmatch(node(keeper, "private"), -1) {
			environ = append(environ, string(set[1])+"="+string(set[2]))
		}
		node(keeper, "--connection", "here", "connect", "-e", state, "--", program, "mcp")
		t.Cleanup(func() { node(keeper, "daemon", "stop") })
		return func(args ...string) map[string]any {
			t.Helper()
			return reply(node(keeper, append([]string{"--connection", "here", "--format", "json", "tools/call"}, args...)...))
		}
	}
	return once, connect
}

// TestInspectorWorkflow: the inspector runs a workflow with a failure, a retry and a false assertion over one
// connection.
func TestInspectorWorkflow(t *testing.T) {
	t.Parallel()
	dir := mcpFolder(t)
	_, connect := inspector(t, dir)
	call := connect()
	says(t, call("execute_workflow_step"), `"error_type":"no_workflow_loaded"`)
	run := call("load_workflow", "file_path:=backup.md", `inputs:={"HOST":"db1"}`)["run"].(string)
	says(t, call("execute_workflow_step"), "List the archives of db1.")
	says(t, call("report_step_result", "step_number:=0", "status:=failed", "error_message:=none"), `"error_message":"none"`)
	says(t, call("report_step_result", "step_number:=0", "status:=passed", `assertion_results:=[{"assertion":"it is young","passed":false}]`), "assertion failed: it is young")
	says(t, call("report_step_result", "step_number:=0", "status:=passed", `assertion_results:=[{"assertion":"it is young","passed":true}]`,
		`output_variables:={"ARCHIVE_ID":"a-91"}`), `"next_step":1`)
	says(t, call("report_step_result", "step_number:=1", "status:=passed", `assertion_results:=[{"assertion":"it is whole","passed":true}]`), `"workflow_complete":true`)
	says(t, call("reset_workflow"), `"current_step":0`)
	says(t, call("act", "action:=stop"), `"result":"stopped"`)
	if got := stepsIn(runIn(t, dir).Events); runIn(t, dir).ID() != run || !strings.Contains(got, "answered fail\n1 fail\n") || !strings.HasSuffix(got, "stopped\n") {
		t.Errorf("the journal has\n%s", got)
	}
}

// TestInspectorRunbook: the inspector starts a server for each call and runs a runbook to its rollback. Each server
// continues the run of the previous one.
func TestInspectorRunbook(t *testing.T) {
	t.Parallel()
	dir := mcpFolder(t)
	call, _ := inspector(t, dir)
	trust := exec.Command(os.Args[0])
	trust.Args, trust.Dir, trust.Env = []string{"trust", "release.runbook.md"}, dir, command(t, dir).Env
	if err := trust.Run(); err != nil {
		t.Fatal(err)
	}
	r := call("start_run", "--tool-arg", "document=release.runbook.md")
	says(t, r, `"state":"waiting"`, `"step":"2"`)
	run := `run="` + r["run"].(string) + `"` // quoted, because an id can look like a number
	says(t, call("explain", "--tool-arg", run, "step=1"), "line 6 → 2")
	says(t, call("what_if", "--tool-arg", run, "step=1", "name=outcome", "value=fail"), "line 7")
	says(t, call("act", "--tool-arg", run, "action=fail"), `"result":"stopped"`, "rolled back", "withdrawn")
	if got := stepsIn(runIn(t, dir).Events); !strings.Contains(got, "Rollback pass") || !strings.Contains(got, ") what_if\n") {
		t.Errorf("the journal has\n%s", got)
	}
}
