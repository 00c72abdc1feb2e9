package mcpserver

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestWrongArguments: each tool refuses arguments that are missing, wrong or hostile with a reply that says what to do,
// and the run does not change.
func TestWrongArguments(t *testing.T) {
	dir := folder(t, map[string]string{"backup.md": backup, "release.runbook.md": release, "ok": "", "broken.md": "### 🔧 WORKFLOW STEP: \n", "notes.txt": "no document"})
	outside := filepath.Join(filepath.Dir(dir), "outside.md")
	if err := os.WriteFile(outside, []byte(backup), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link.md")); err != nil {
		t.Fatal(err)
	}
	trusted(t, "release.runbook.md")
	a := connect(t, dir, "test-host")
	for _, tool := range []string{"execute_workflow_step", "report_step_result", "get_workflow_state", "reset_workflow"} {
		want(t, a.call(tool, nil), "success", false, "error_type", "no_workflow_loaded", "service", "playhead", "suggestion", "load_workflow")
	}
	for _, tool := range []string{"next_step", "run_state", "explain", "what_if"} {
		want(t, a.call(tool, nil), "error_type", "not_found", "suggestion", "start_run")
	}
	a.call("load_workflow", object("file_path", "backup.md", "inputs", object("HOST", "db1")))
	before := a.call("get_workflow_state", nil)
	huge := strings.Repeat("x", 300<<10)
	for _, tt := range []struct {
		tool      string
		arguments any
		kind      string
		message   string
	}{
		{"load_workflow", nil, "not_found", "the path of the document is missing"},
		{"load_workflow", object("file_path", 7), "validation", "file_path has the wrong type: number"},
		{"load_workflow", object("file_path", "backup.md", "inputs", "HOST=db1"), "validation", "inputs has the wrong type: string"},
		{"load_workflow", object("file_path", "backup.md", "path", "x"), "validation", `unknown field "path"`},
		{"load_workflow", object("file_path", "nothing.md"), "not_found", "there is no file nothing.md"},
		{"load_workflow", object("file_path", "../outside.md"), "validation", "is outside"},
		{"load_workflow", object("file_path", "../nothing.md"), "validation", "is outside"},
		{"load_workflow", object("file_path", "/etc/passwd"), "validation", "is outside"},
		{"load_workflow", object("file_path", "link.md"), "validation", "is outside"},
		{"load_workflow", object("file_path", "backup.md\x00"), "validation", "not a file path"},
		{"load_workflow", object("file_path", huge), "validation", "not a file path"},
		{"load_workflow", object("file_path", "backup.md"), "variable_missing", "HOST has no value"},
		{"load_workflow", object("file_path", "backup.md", "inputs", object("A=B", "x", "HOST", "y")), "validation", ""},
		{"load_workflow", object("file_path", "release.runbook.md"), "empty_workflow", "its format is rundown"},
		{"load_workflow", object("file_path", "broken.md"), "validation", ""},
		{"load_workflow", object("file_path", "notes.txt"), "empty_workflow", "no step heading"},
		{"load_workflow", object("file_path", "."), "internal", "this is a folder"},
		{"execute_workflow_step", object("step_number", 0), "validation", `unknown field "step_number"`},
		{"report_step_result", nil, "validation", "malformed"},
		{"report_step_result", object("status", "passed"), "validation", "step_number: it is missing, but must be the integer 0"},
		{"report_step_result", object("step_number", "0", "status", "passed"), "validation", `step_number: it is "0", but must be the integer 0`},
		{"report_step_result", object("step_number", 1, "status", "passed"), "step_out_of_order", "it is 1, but must be 0"},
		{"report_step_result", object("step_number", -1, "status", "passed"), "step_out_of_order", "it is -1, but must be 0"},
		{"report_step_result", object("step_number", 1e300, "status", "passed"), "", ""},
		{"report_step_result", object("step_number", 0, "status", "done"), "validation", `status: it is "done", but must be "passed" or "failed"`},
		{"report_step_result", object("step_number", 0), "validation", "status"},
		{"report_step_result", object("step_number", 0, "status", "passed", "assertion_results", "all"), "validation", `assertion_results: it is "all", but must be an array`},
		{"report_step_result", object("step_number", 0, "status", "passed", "assertion_results", []any{object("passed", true)}), "validation", "assertion_results[0].assertion"},
		{"report_step_result", object("step_number", 0, "status", "passed", "output_variables", []any{1}), "validation", "output_variables: it is [1], but must be an object"},
		{"report_step_result", object("step_number", 0, "status", "passed", "error_message", 7), "validation", "error_message: it is 7, but must be a string"},
		{"report_step_result", object("step_number", 0, "status", "passed", "output_variables", object("ARCHIVE_ID", huge)), "validation", "larger than 256 KiB"},
		{"get_workflow_state", object("run", "x"), "validation", `unknown field "run"`},
		{"reset_workflow", object("to", 3), "validation", `unknown field "to"`},
		{"get_workflow_template", object("task_description", 7), "validation", "task_description has the wrong type: number"},
		{"list_documents", object("folder", "/"), "validation", `unknown field "folder"`},
		{"check_document", nil, "not_found", "the path of the document is missing"},
		{"check_document", object("document", "../outside.md"), "validation", "is outside"},
		{"check_document", object("document", "example:nothing"), "validation", "there is no example of that name"},
		{"start_run", object("document", "/etc/passwd"), "validation", "is outside"},
		{"start_run", object("document", "release.runbook.md", "trust", true), "validation", `unknown field "trust"`},
		{"start_run", object("document", "release.runbook.md", "inputs", object("nothing", "x")), "validation", `has no input "nothing"`},
		{"start_run", object("document", "backup.md"), "variable_missing", "HOST has no value"},
		{"run_state", object("run", "../../etc"), "not_found", ""},
		{"run_state", object("run", "zzzz"), "not_found", "zzzz"},
		{"run_state", object("run", huge), "not_found", ""},
		{"next_step", object("run", true), "validation", "run has the wrong type: bool"},
		{"act", nil, "validation", `there is no action ""`},
		{"act", object("action", "rm -rf"), "validation", `there is no action "rm -rf"`},
		{"act", object("action", "take-control"), "internal", ""},
		{"act", object("action", "pass"), "internal", "asks for text or a choice"},
		{"act", object("action", "skip", "arguments", object("nothing", 1)), "internal", `skip has no argument "nothing"`},
		{"act", object("action", "skip", "arguments", "now"), "validation", "arguments has the wrong type: string"},
		{"act", object("action", "skip", "seq", 1), "moved", "the run has changed"},
		{"act", object("action", "skip", "seq", 99999), "moved", "the run has changed"},
		{"act", object("action", "rewind", "arguments", object("event", 99999)), "internal", "is not the number of an event of this run"},
		{"act", object("action", "rewind", "arguments", object("event", -1)), "internal", "is not the number of an event of this run"},
		{"act", object("action", "jump", "arguments", object("step", "9")), "internal", `there is no step "9"`},
		{"act", object("action", "edit", "arguments", object("step", "1", "text", "x")), "internal", "Only a person at a terminal"},
		{"act", object("action", "approvals", "arguments", object("option", "none")), "internal", "Only a person at a terminal"},
		{"act", object("action", "reply", "arguments", object("text", huge+huge+huge+huge)), "internal", "too long"},
		{"act", object("action", "report", "arguments", object("report", 7)), "internal", "a report must be a JSON object"},
		{"explain", object("step", "9"), "not_found", `there is no step "9"`},
		{"explain", object("step", "1"), "internal", "no decision has been made"},
		{"what_if", object("step", "9"), "not_found", `there is no step "9"`},
		{"what_if", []any{1}, "validation", "the arguments must be an object"},
	} {
		r := a.call(tt.tool, tt.arguments)
		name, _ := tt.arguments.(map[string]any)
		if r["success"] != false || tt.kind != "" && r["error_type"] != tt.kind || !strings.Contains(r["error"].(string), tt.message) || r["suggestion"] == "" {
			t.Errorf("%s %.80v: %.300v", tt.tool, name, r)
		}
	}
	after := a.call("get_workflow_state", nil)
	want(t, after, "run", before["run"], "current_step", 0, "variables", before["variables"], "step_outcomes", object())
}

// TestTwoHosts: two hosts share a run. Each is told what the other one did, and only one drives the run; when its
// server ends, the other one continues.
func TestTwoHosts(t *testing.T) {
	dir := folder(t, map[string]string{"backup.md": backup})
	a, b := connect(t, dir, "first"), connect(t, dir, "second")
	load := object("file_path", "backup.md", "inputs", object("HOST", "db1"), "resume", true)
	run := a.call("load_workflow", load)["run"]
	r := b.call("load_workflow", load)
	want(t, r, "resumed", true, "run", run)
	report := object("step_number", 0, "status", "passed", "assertion_results", []any{passed("x")}, "output_variables", object("ARCHIVE_ID", "a-91"))
	want(t, b.call("report_step_result", report), "success", true, "next_step", 1)
	r = a.call("report_step_result", report)
	want(t, r, "success", false, "error_type", "moved", "error", "playhead mcp for second, process ")
	want(t, a.call("execute_workflow_step", nil), "step_number", 1)
	a.stop()
	want(t, b.call("execute_workflow_step", nil), "step_number", 1)
	report = object("step_number", 1, "status", "passed", "assertion_results", []any{passed("checksum is right"), passed("the message was posted")})
	want(t, b.call("report_step_result", report), "workflow_complete", true)
}

// TestAtOnce: simultaneous calls act one after the other, and a report is recorded only once.
func TestAtOnce(t *testing.T) {
	dir := folder(t, map[string]string{"backup.md": backup})
	a := connect(t, dir, "test-host")
	a.call("load_workflow", object("file_path", "backup.md", "inputs", object("HOST", "db1")))
	report := object("step_number", 0, "status", "passed", "assertion_results", []any{passed("x")}, "output_variables", object("ARCHIVE_ID", "a-91"))
	var wg sync.WaitGroup
	replies := make(chan *sdk.CallToolResult, 8)
	for range cap(replies) {
		wg.Go(func() {
			if r, err := a.session.CallTool(t.Context(), &sdk.CallToolParams{Name: "report_step_result", Arguments: report}); err == nil {
				replies <- r
			}
		})
	}
	wg.Wait()
	close(replies)
	taken := 0
	for r := range replies {
		if !r.IsError {
			taken++
		}
	}
	if taken != 1 {
		t.Errorf("%d reports were accepted", taken)
	}
	want(t, a.call("get_workflow_state", nil), "completed_steps", []int{0}, "current_step", 1)
}

// TestFolder: a run that was started in another folder is refused.
func TestFolder(t *testing.T) {
	dir := folder(t, map[string]string{"backup.md": backup, "below/backup.md": backup})
	a := connect(t, dir, "test-host")
	run := a.call("load_workflow", object("file_path", "backup.md", "inputs", object("HOST", "db1")))["run"]
	t.Chdir(filepath.Join(dir, "below"))
	b := connect(t, filepath.Join(dir, "below"), "test-host")
	want(t, b.call("run_state", object("run", run)), "error_type", "validation", "error", "was not started in")
	want(t, b.call("list_documents", nil), "open_runs", []any{})
}
