package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

const hosted = "# Backup check\n### 🔧 WORKFLOW STEP: Find the newest archive\n```\nList the archives of [HOST].\n```\n### 🛠️ TOOL: list_archives\n" +
	"### 📥 INPUTS:\n- HOST: Machine\n### 📤 OUTPUTS:\n- result.id → ARCHIVE_ID\n### ✅ ASSERT:\n- it is young\n" +
	"### 🔧 WORKFLOW STEP: Verify\n```\nRestore a sample of [ARCHIVE_ID].\n```\n### 🛠️ TOOL: verify_archive\n### 📥 INPUTS:\n- ARCHIVE_ID: Archive\n### ✅ ASSERT:\n- it is whole\n"

const released = "# Release\n## 1. Upload\n```sh\necho uploading; test -e ok || { touch ok; exit 1; }\n```\n- PASS: CONTINUE\n- FAIL: RETRY 1 GOTO Rollback\n" +
	"## 2. Approve\nDoes it read well?\n- YES: COMPLETE \"released\"\n- NO: GOTO Rollback\n## Rollback\n```sh\necho withdrawn\n```\n- PASS: STOP \"rolled back\"\n"

// mcpHost is an agent host with the client of the official SDK, and the server that it started.
type mcpHost struct {
	t       *testing.T
	cmd     *exec.Cmd
	session *mcp.ClientSession
}

// startHost starts playhead mcp in a folder, as a host does.
func startHost(t *testing.T, dir string, args ...string) *mcpHost {
	t.Helper()
	cmd := command(t, dir, append([]string{"mcp"}, args...)...)
	cmd.Stderr = os.Stderr
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test-host", Version: "1"}, nil).Connect(context.Background(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() }) // it may have been killed
	return &mcpHost{t, cmd, session}
}

// call calls a tool and returns its reply, or nil if the server has ended.
func (h *mcpHost) call(tool string, arguments map[string]any) map[string]any {
	h.t.Helper()
	r, err := h.session.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return nil
	}
	var reply map[string]any
	if err := json.Unmarshal([]byte(r.Content[0].(*mcp.TextContent).Text), &reply); err != nil {
		h.t.Fatal(err)
	}
	return reply
}

// says checks that a reply, as JSON, contains the texts.
func says(t *testing.T, reply map[string]any, texts ...string) {
	t.Helper()
	data, _ := json.Marshal(reply)
	for _, text := range texts {
		if !strings.Contains(string(data), text) {
			t.Errorf("no %s in %s", text, data)
		}
	}
}

// mcpFolder returns a folder with a workflow and a runbook.
func mcpFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "backup.md"), hosted)
	write(t, filepath.Join(dir, "release.runbook.md"), released)
	return dir
}

// watched follows a run with playhead watch --json; wait returns its events once that ends.
func watched(t *testing.T, dir, run string) (wait func() []machine.Event) {
	t.Helper()
	cmd := command(t, dir, "watch", run, "--json")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	if !lines.Scan() { // the watcher is connected
		t.Fatal("there is nothing to watch")
	}
	return func() (events []machine.Event) {
		for more := true; more; more = lines.Scan() {
			var e machine.Event
			if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
				t.Error(err)
			}
			events = append(events, e)
		}
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
		return events
	}
}

// stepsIn describes events briefly, a line each, with the client that caused them.
func stepsIn(events []machine.Event) string {
	var out strings.Builder
	for _, e := range events {
		var text string
		switch b := e.Body.(type) {
		case *machine.PlayheadToolCalled:
			text = b.Tool
		case *machine.StepFinished:
			text = e.Step + " " + string(b.Result)
		case *machine.Decision:
			text = e.Step + " → " + b.To
		case *machine.RunFinished:
			text = string(b.Result)
		case *machine.InputGiven:
			text = "answered " + b.Value
		default:
			continue
		}
		if e.Client != "" {
			text = "(" + strings.SplitN(e.Client, ", process", 2)[0] + ") " + text
		}
		out.WriteString(text + "\n")
	}
	return out.String()
}

// TestMCPWorkflow: a host runs a workflow with a failure, a retry and a false assertion over stdio, and a watcher sees
// the same events.
func TestMCPWorkflow(t *testing.T) {
	t.Parallel()
	dir := mcpFolder(t)
	h := startHost(t, dir)
	run := h.call("load_workflow", map[string]any{"file_path": "backup.md", "inputs": map[string]any{"HOST": "db1"}})["run"].(string)
	wait := watched(t, dir, run)
	says(t, h.call("execute_workflow_step", nil), `"step_number":0`, "List the archives of db1.")
	says(t, h.call("report_step_result", map[string]any{"step_number": 0, "status": "failed", "error_message": "no archive"}), `"error_message":"no archive"`)
	result := func(text string, passed bool) []any {
		return []any{map[string]any{"assertion": text, "passed": passed}}
	}
	report := map[string]any{"step_number": 0, "status": "passed", "assertion_results": result("it is young", false)}
	says(t, h.call("report_step_result", report), `"success":false`, "assertion failed: it is young")
	report["assertion_results"], report["output_variables"] = result("it is young", true), map[string]any{"ARCHIVE_ID": "a-91"}
	says(t, h.call("report_step_result", report), `"success":true`, `"next_step":1`, "Restore a sample of a-91.")
	says(t, h.call("report_step_result", map[string]any{"step_number": 1, "status": "passed", "assertion_results": result("it is whole", true)}), `"workflow_complete":true`)
	_ = h.session.Close()
	by := "(playhead mcp for test-host) "
	want := by + "execute_workflow_step\n" + by + "report_step_result\n1 fail\n1 → end\nfailed\n" +
		by + "1 → 1\n" + by + "answered fail\n1 fail\n1 → end\nfailed\n" +
		by + "1 → 1\n1 pass\n1 → 2\n" + by + "report_step_result\n2 pass\n2 → end\ncompleted\n"
	if got := stepsIn(wait()); got != want {
		t.Errorf("the watcher saw\n%s\nwant\n%s", got, want)
	}
	if got := stepsIn(runIn(t, dir).Events); got != want {
		t.Errorf("the journal has\n%s", got)
	}
}

// TestMCPRunbook: a runbook waits until a person trusts it in playhead attach, then runs to its rollback.
func TestMCPRunbook(t *testing.T) {
	t.Parallel()
	dir := mcpFolder(t)
	h := startHost(t, dir)
	r := h.call("start_run", map[string]any{"document": "release.runbook.md"})
	run := r["run"].(string)
	says(t, r, `"kind":"trust"`, "playhead attach "+run)
	says(t, h.call("act", map[string]any{"action": "continue"}), `"error_type":"not_trusted"`)
	person := openIn(t, pty.Winsize{Rows: 24, Cols: 100}, dir, "attach", run)
	person.sees("release.runbook.md would run what is listed above. Run it? [yes/no]")
	person.types("yes\n")
	person.sees("paused")
	wait := watched(t, dir, run)
	says(t, h.call("next_step", nil), `"state":"waiting"`, `"step":"2"`, "Does it read well?", `1 command exit 1\nuploading`)
	person.sees("Does it read well?")
	says(t, h.call("act", map[string]any{"action": "fail", "arguments": map[string]any{"reason": "a typo"}}), `"result":"stopped"`, `"message":"rolled back"`, "withdrawn")
	person.sees("rolled back")
	person.sees("calls act fail.")
	says(t, h.call("explain", map[string]any{"step": "1"}), "line 6 → 2 · pass")
	_ = h.session.Close()
	person.sees("The process that drove this run has ended")
	by := "(playhead mcp for test-host) "
	got := stepsIn(wait())
	if !strings.Contains(got, by+"next_step\n1 fail\n1 → 1\n1 pass\n1 → 2\n"+by+"act fail\n"+by+"answered no\n") ||
		!strings.HasSuffix(got, "2 fail\n2 → Rollback\nRollback pass\nRollback → end\nstopped\n") {
		t.Errorf("the watcher saw\n%s", got)
	}
}

// TestMCPKilled: whenever the server is killed, the next one continues the run, and each step is recorded once.
func TestMCPKilled(t *testing.T) {
	t.Parallel()
	dir := mcpFolder(t)
	load := map[string]any{"file_path": "backup.md", "inputs": map[string]any{"HOST": "db1"}, "resume": true}
	report := func(n int) map[string]any {
		return map[string]any{"step_number": n, "status": "passed", "output_variables": map[string]any{"ARCHIVE_ID": "a-91"},
			"assertion_results": []any{map[string]any{"assertion": "x", "passed": true}}}
	}
	run := ""
	isComplete := func() bool {
		events := runIn(t, dir).Events
		end, over := events[len(events)-1].Body.(*machine.RunFinished)
		return over && end.Result == plan.Completed
	}
	for round := 0; round == 0 || !isComplete(); round++ {
		h := startHost(t, dir)
		r := h.call("load_workflow", load)
		if r == nil || run != "" && r["run"] != run {
			t.Fatalf("round %d: %v, want run %s", round, r, run)
		}
		run = r["run"].(string)
		killed := time.AfterFunc(time.Duration(round*round)*time.Millisecond, func() { _ = h.cmd.Process.Kill() })
		for n := range 2 {
			h.call("report_step_result", report(n))
		}
		killed.Stop()
		_ = h.cmd.Process.Kill()
		_ = h.session.Close() // its error says that the server was killed
	}
	finished := map[string]int{}
	for _, e := range runIn(t, dir).Events {
		if _, is := e.Body.(*machine.StepFinished); is {
			finished[e.Step]++
		}
	}
	if fmt.Sprint(finished) != "map[1:1 2:1]" {
		t.Errorf("finished %v", finished)
	}
}

// TestMCPCommandKilled: when the server is killed during a command, the next server asks before it runs the command
// again.
func TestMCPCommandKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.runbook.md"), "## 1. Slow\n```sh\necho begun >> log; echo ready-$((40+2)); test -e fast || sleep 60\n```\n- PASS: COMPLETE\n- FAIL: STOP\n")
	h := startHost(t, dir, "--wait", "200ms")
	run := h.call("start_run", map[string]any{"document": "a.runbook.md"})["run"].(string)
	person := openIn(t, pty.Winsize{Rows: 24, Cols: 100}, dir, "attach", run)
	person.sees("Run it? [yes/no]")
	person.types("yes\n")
	person.sees("paused")
	says(t, h.call("next_step", nil), `"state":"running"`, "Call next_step to wait for it.")
	person.sees("ready-42")
	_ = h.cmd.Process.Kill()
	_ = h.session.Close()
	write(t, filepath.Join(dir, "fast"), "")
	h = startHost(t, dir)
	r := h.call("next_step", map[string]any{"run": run})
	says(t, r, `"kind":"resume"`, `"arguments":{"value":"rerun"}`)
	says(t, h.call("act", map[string]any{"action": "answer", "arguments": map[string]any{"value": "rerun"}}), `"result":"completed"`)
	if log := readFile(t, dir, "log"); log != "begun\nbegun\n" {
		t.Errorf("the command ran as %q", log)
	}
}
