package mcpserver

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"playhead/engine"
	"playhead/engine/drive"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/remote"
	"playhead/engine/service"
	"playhead/engine/setup"
	"playhead/parse/plan"
)

// limit is how long a call in these tests waits for a person who has paused the run.
const limit = 500 * time.Millisecond

// person is a person who has attached to a run.
type person struct {
	t      *testing.T
	client *service.Client
	view   *remote.Session
}

func attach(t *testing.T, run string) *person {
	t.Helper()
	folder := runFolder(t, run)
	c, err := service.Dial(folder, "a person")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })

	s, err := remote.AttachToRun(c, remote.JoinableRun{Folder: folder, FirstPlan: planOf(t, run)})
	if err != nil {
		t.Fatal(err)
	}
	return &person{t, c, s}
}

func (p *person) does(action string, arguments string) {
	p.t.Helper()
	for w := p.view.WatchFromStart(); ; {
		st, err := p.client.State()
		if err != nil {
			p.t.Fatal(err)
		}
		if st.IsIdle() {
			break
		}
		<-w.Changed()
		w.Take()
	}
	if _, err := p.client.Do(drive.ActionRequest{Action: action, Arguments: []byte(arguments)}); err != nil {
		p.t.Fatal(action, err)
	}
}

// TestPaused: while a person pauses the run, an agent's call waits, and after a limit it says so. A waiting call goes
// on as soon as the run continues.
func TestPaused(t *testing.T) {
	dir := folder(t, map[string]string{"backup.md": backup})
	a := connect(t, dir, "test-host")
	run := a.call("load_workflow", object("file_path", "backup.md", "inputs", object("HOST", "db1")))["run"].(string)
	p := attach(t, run)
	p.does("pause", "")
	a.waits(limit)
	report := object("step_number", 0, "status", "passed", "assertion_results", []any{passed("x")}, "output_variables", object("ARCHIVE_ID", "a-91"))
	for tool, arguments := range map[string]any{
		"execute_workflow_step": nil, "report_step_result": report, "next_step": nil, "act": object("action", "skip"), "reset_workflow": nil,
	} {
		r := a.call(tool, arguments)
		want(t, r, "success", false, "error_type", "paused", "error", "somebody else has paused the run (a person, process ", "suggestion", "playhead attach", "run", run)
	}
	want(t, a.call("run_state", nil), "success", true, "state", "waiting")
	want(t, a.call("get_workflow_state", nil), "current_step", 0)
	p.does("continue", "")
	a.waits(patience)
	want(t, a.call("report_step_result", report), "success", true, "next_step", 1)
}

// TestPausedMeanwhile: a report is recorded even if the run then pauses at a person's breakpoint, and the next step
// waits.
func TestPausedMeanwhile(t *testing.T) {
	dir := folder(t, map[string]string{"backup.md": backup})
	a := connect(t, dir, "test-host")
	run := a.call("load_workflow", object("file_path", "backup.md", "inputs", object("HOST", "db1")))["run"].(string)
	p := attach(t, run)
	p.does("break", `{"breakpoint": "2"}`)
	want(t, a.call("act", object("action", "break", "arguments", object("breakpoint", "1"))), "success", true) // the agent's breakpoint does not replace the person's
	a.waits(limit)
	r := a.call("report_step_result", object("step_number", 0, "status", "passed", "assertion_results", []any{passed("x")}, "output_variables", object("ARCHIVE_ID", "a-91")))
	want(t, r, "success", true, "warning", "somebody else has paused the run")
	p.does("continue", "")
	a.waits(patience)
	want(t, a.call("execute_workflow_step", nil), "step_number", 1)
}

// TestPausedOverRestart: a person's pause stays in force when another server drives the run.
func TestPausedOverRestart(t *testing.T) {
	dir := folder(t, map[string]string{"release.runbook.md": release, "ok": ""})
	trusted(t, "release.runbook.md")
	for _, pause := range []struct{ action, arguments string }{{"pause", ""}, {"rewind", `{"event": 2}`}} {
		a := connect(t, dir, "test-host")
		run := a.call("start_run", object("document", "release.runbook.md"))["run"].(string)
		attach(t, run).does(pause.action, pause.arguments)
		a.stop()
		b := connect(t, dir, "test-host")
		b.waits(limit)
		want(t, b.call("next_step", object("run", run)), "error_type", "paused", "error", "a person, process ")
		attach(t, run).does("continue", "")
		b.waits(patience)
		want(t, b.call("next_step", object("run", run)), "success", true, "state", "waiting", "step", "2")
		b.stop()
	}
}

// TestPauseRequested: while a command runs, an agent cannot replace the pause that a person has asked for.
func TestPauseRequested(t *testing.T) {
	dir := folder(t, map[string]string{"slow.runbook.md": "## 1. Wait\n~~~sh\nwhile [ ! -e go ]; do sleep 0.01; done\n~~~\n## 2. Ask\nReady?\n"})
	trusted(t, "slow.runbook.md")
	a := connect(t, dir, "test-host")
	a.waits(limit)
	run := a.call("start_run", object("document", "slow.runbook.md"))["run"].(string)
	if _, err := attach(t, run).client.Do(drive.ActionRequest{Action: "pause"}); err != nil {
		t.Fatal(err)
	}
	for action, arguments := range map[string]any{"continue": nil, "run-to": object("step", "2"), "pause": nil, "rerun": nil, "undo": nil, "rewind": object("event", 1)} {
		want(t, a.call("act", object("action", action, "arguments", arguments)), "error_type", "paused", "error", "somebody else has paused the run (a person, process ")
	}
	if err := os.WriteFile("go", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	want(t, a.call("next_step", nil), "error_type", "paused")
}

// TestPausedByAnotherAgent: an agent's pause holds the run for other agents until it continues the run, or its server
// has ended.
func TestPausedByAnotherAgent(t *testing.T) {
	dir := folder(t, map[string]string{"release.runbook.md": release, "ok": ""})
	trusted(t, "release.runbook.md")
	a, b := connect(t, dir, "first"), connect(t, dir, "second")
	run := a.call("start_run", object("document", "release.runbook.md"))["run"].(string)
	want(t, b.call("act", object("run", run, "action", "pause")), "success", true, "state", "waiting")
	a.waits(limit)
	for tool, arguments := range map[string]any{"next_step": nil, "act": object("action", "pass")} {
		want(t, a.call(tool, arguments), "error_type", "paused", "error", "somebody else has paused the run (playhead mcp for second, process ", "run", run)
	}
	want(t, b.call("act", object("action", "continue")), "success", true)
	a.waits(patience)
	want(t, a.call("next_step", nil), "success", true, "step", "2")
	want(t, b.call("act", object("action", "pause")), "success", true)

	ended := exec.Command("true")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	left := drive.State{State: engine.Paused, PausedBy: service.ClientName("playhead mcp for second", ended.Process.Pid)}
	if a.server.isPausedByOthers(a.server.lastLink, left) {
		t.Error("the pause of an ended server still holds the run")
	}
}

// TestMoved: after a person answers for the agent, or rewinds, the agent's next call changes nothing and says who acted
// on the run.
func TestMoved(t *testing.T) {
	dir := folder(t, map[string]string{"backup.md": backup, "release.runbook.md": release, "ok": ""})
	trusted(t, "release.runbook.md")
	a := connect(t, dir, "test-host")
	run := a.call("load_workflow", object("file_path", "backup.md", "inputs", object("HOST", "db1")))["run"].(string)
	p := attach(t, run)
	p.does("report", `{"report": {"status": "passed", "assertion_results": [{"assertion": "x", "passed": true}], "output_variables": {"ARCHIVE_ID": "a-7"}}}`)
	late := object("step_number", 0, "status", "passed", "assertion_results", []any{passed("x")})
	r := a.call("report_step_result", late)
	want(t, r, "success", false, "error_type", "moved", "error", "a person, process ")
	want(t, r, "moved", r["moved"])
	if len(strs(r["moved"])) == 0 || !strings.Contains(strs(r["moved"])[0], "step 1 model pass") {
		t.Errorf("moved is %v", r["moved"])
	}
	want(t, a.call("report_step_result", late), "error_type", "step_out_of_order")
	want(t, a.call("execute_workflow_step", nil), "step_number", 1)
	p.does("rewind", `{"event": 1}`)
	p.does("continue", "")
	r = a.call("execute_workflow_step", nil)
	want(t, r, "step_number", 0)
	if text := strings.Join(strs(r["moved"]), "\n"); !strings.Contains(text, "a person, process ") || !strings.Contains(text, "rewound to") {
		t.Errorf("moved is %v", r["moved"])
	}
	keys(t, a.call("execute_workflow_step", nil), "prompt", "step_number", "step_name", "total_steps")

	run = a.call("start_run", object("document", "release.runbook.md"))["run"].(string)
	attach(t, run).does("fail", "")
	r = a.call("act", object("action", "pass"))
	want(t, r, "success", false, "error_type", "moved", "error", "the call changed nothing, because others")
	want(t, a.call("next_step", nil), "state", "over", "result", "stopped")
}

// TestCalled: a person who watches the run sees each tool call as it happens, and no tool call counts as a change.
func TestCalled(t *testing.T) {
	dir := folder(t, map[string]string{"release.runbook.md": release, "ok": ""})
	trusted(t, "release.runbook.md")
	a := connect(t, dir, "claude-code")
	r := a.call("start_run", object("document", "release.runbook.md"))
	run, seq := r["run"].(string), r["seq"]
	p := attach(t, run)
	a.call("next_step", nil)
	a.call("explain", nil)
	a.call("run_state", nil)
	a.call("what_if", nil)
	want(t, a.call("act", object("action", "pass", "seq", seq)), "result", "completed")
	want(t, a.call("run_state", nil), "result", "completed")
	var seen []string
	for !strings.Contains(strings.Join(seen, " "), "run.finished") {
		w := p.view.WatchFromStart()
		<-w.Changed()
		seen = nil
		for _, e := range p.view.Events() {
			if b, called := e.Body.(*machine.PlayheadToolCalled); called {
				seen = append(seen, b.Tool)
				if !strings.HasPrefix(e.Client, "playhead mcp for claude-code, process ") {
					t.Errorf("the client is %q", e.Client)
				}
			} else if e.By == machine.ByPerson || e.Body.Type() == "run.finished" {
				seen = append(seen, e.Body.Type())
			}
		}
		w.Stop()
	}
	if got := strings.Join(seen, " "); got != "next_step explain run_state what_if act pass input.given run.finished" {
		t.Errorf("seen %s", got)
	}
}

func planOf(t *testing.T, run string) *plan.Plan {
	t.Helper()
	h, err := journal.DefaultStore().ReadHistory(run)
	if err != nil {
		t.Fatal(err)
	}
	p, err := setup.InitialPlan(h)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
