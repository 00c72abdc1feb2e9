package mcpserver

import (
	"strings"
	"testing"
	"time"
)

const backup = "# Backup check\n## Locate\n### 🔧 WORKFLOW STEP: Find the newest archive\n```\nList the archives of [HOST] and pick the newest.\n```\n" +
	"### 🛠️ TOOL: list_archives\n### 📥 INPUTS:\n- HOST: Machine whose backup is checked\n### 📤 OUTPUTS:\n- result.id → ARCHIVE_ID\n" +
	"### ✅ ASSERT:\n- the newest archive of [HOST] is younger than 24 hours\n## Tell\n### 🔧 WORKFLOW STEP: Verify and announce\n```\nRestore a sample of [ARCHIVE_ID].\n```\n" +
	"### 🛠️ TOOLS:\n- verify_archive\n- post_message\n### 📥 INPUTS:\n- ARCHIVE_ID: Archive found before\n### ✅ ASSERT:\n- checksum is right\n- the message was posted\n"

const patience = time.Minute

func passed(text string) map[string]any {
	return object("assertion", text, "passed", true, "detail", "")
}

// TestWorkflow: an agent walks through a workflow with a failure, a retry and a false assertion (workflow-mcp.md).
func TestWorkflow(t *testing.T) {
	dir := folder(t, map[string]string{"backup.md": backup})
	a := connect(t, dir, "test-host")
	want(t, a.call("execute_workflow_step", nil), "success", false, "error_type", "no_workflow_loaded", "suggestion", "load_workflow")

	r := a.call("load_workflow", object("file_path", "backup.md", "inputs", object("HOST", "db1")))
	want(t, r, "success", true, "step_count", 2)
	want(t, r["first_step"].(map[string]any), "name", "Find the newest archive",
		"description", "List the archives of [HOST] and pick the newest.", "tool_names", []string{"list_archives"})

	r = a.call("execute_workflow_step", nil)
	keys(t, r, "prompt", "step_number", "step_name", "total_steps")
	want(t, r, "step_number", 0, "step_name", "Find the newest archive", "total_steps", 2)
	for _, part := range []string{
		"step 1: Find the newest archive\n\nList the archives of db1", "\n\n**Tool:** `list_archives`\n\n", "`db1` (Machine whose backup is checked)",
		"1. the newest archive of db1 is younger", "extract `result.id`, report it as `ARCHIVE_ID`", "call `report_step_result`", "`step_number`: 0",
	} {
		if !strings.Contains(r["prompt"].(string), part) {
			t.Errorf("no %q in the prompt\n%s", part, r["prompt"])
		}
	}

	young := "the newest archive of db1 is younger than 24 hours"
	r = a.call("report_step_result", object("step_number", 0, "status", "failed", "error_message", "no archive", "warning", nil))
	keys(t, r, "success", "step_number", "status", "error_message", "warning")
	want(t, r, "success", false, "step_number", 0, "status", "failed", "error_message", "no archive", "warning", nil)
	again := a.call("execute_workflow_step", nil)
	want(t, again, "step_number", 0, "prompt", "List the archives of db1")
	want(t, a.call("get_workflow_state", nil), "is_failed", true, "failed_steps", []int{0}, "current_step", 0, "is_complete", false)

	r = a.call("report_step_result", object("step_number", 0, "status", "passed", "assertion_results", []any{passed(young)},
		"output_variables", object("ARCHIVE_ID", "a-91", "EXTRA", 7)))
	keys(t, r, "success", "step_number", "prompt", "next_step", "warning")
	want(t, r, "success", true, "step_number", 0, "next_step", 1, "prompt", "Restore a sample of a-91.", "warning", "EXTRA was reported")
	if !strings.Contains(r["prompt"].(string), "  1. `verify_archive`\n  2. `post_message`") {
		t.Errorf("the tools are not numbered in\n%s", r["prompt"])
	}

	false_ := object("assertion", "checksum is right", "passed", false, "detail", "it is 5f3d")
	r = a.call("report_step_result", object("step_number", 1, "status", "passed", "assertion_results", []any{false_, passed("the message was posted")}))
	keys(t, r, "success", "step_number", "status", "error_message", "warning")
	want(t, r, "success", false, "status", "failed", "error_message", "checksum is right (it is 5f3d)", "warning", nil)

	want(t, a.call("report_step_result", object("step_number", 0, "status", "passed")), "error_type", "step_out_of_order", "success", false)
	r = a.call("report_step_result", object("step_number", 1, "status", "passed", "assertion_results", []any{passed("the message was posted")}))
	keys(t, r, "success", "step_number", "workflow_complete", "warning")
	want(t, r, "success", true, "workflow_complete", true, "warning", "no result for the assertion: checksum is right")

	r = a.call("get_workflow_state", nil)
	want(t, r, "is_complete", true, "is_failed", false, "completed_steps", []int{0, 1}, "failed_steps", []int{}, "current_step", 2, "file_path", "backup.md",
		"variables", object("HOST", "db1", "ARCHIVE_ID", "a-91"))
	outcome := r["step_outcomes"].(map[string]any)["0"].(map[string]any)
	keys(t, outcome, "status", "assertion_results", "output_variables", "error_message")
	want(t, outcome, "status", "passed", "output_variables", object("ARCHIVE_ID", "a-91", "EXTRA", 7), "assertion_results", []any{passed(young)})
	want(t, a.call("report_step_result", object("step_number", 1, "status", "passed")), "success", false, "error", "complete")
	want(t, a.call("execute_workflow_step", nil), "success", false, "error", "complete")

	r = a.call("reset_workflow", nil)
	keys(t, r, "success", "current_step", "total_steps")
	want(t, r, "success", true, "current_step", 0, "total_steps", 2)
	want(t, a.call("execute_workflow_step", nil), "step_number", 0, "prompt", "of db1")
	want(t, a.call("get_workflow_state", nil), "variables", object("HOST", "db1"), "step_outcomes", object())
}

// TestJumpedWorkflow: a workflow whose run has ended is not complete if a step never ran (workflow.md §2).
func TestJumpedWorkflow(t *testing.T) {
	dir := folder(t, map[string]string{"backup.md": backup})
	a := connect(t, dir, "test-host")
	want(t, a.call("load_workflow", object("file_path", "backup.md", "inputs", object("HOST", "db1", "ARCHIVE_ID", "a-91"))), "success", true)
	want(t, a.call("act", object("action", "jump", "arguments", object("step", "2"))), "success", true)
	a.call("report_step_result", object("step_number", 1, "status", "passed", "assertion_results", []any{passed("checksum is right"), passed("the message was posted")}))
	want(t, a.call("get_workflow_state", nil), "is_complete", false, "completed_steps", []int{1})
}

// TestChosenFormat: load_workflow reads any file as a workflow, because its caller has chosen the format (workflow.md §1),
// but not a document of another format.
func TestChosenFormat(t *testing.T) {
	dir := folder(t, map[string]string{"backup.txt": backup, "hi.md": "# hi\n", "a.playbook.md": "# P\n## STEP 1: A\nx\n"})
	a := connect(t, dir, "test-host")
	want(t, a.call("load_workflow", object("file_path", "backup.txt", "inputs", object("HOST", "db1"))), "success", true, "step_count", 2)
	want(t, a.call("load_workflow", object("file_path", "hi.md")), "success", false, "error_type", "empty_workflow")
	want(t, a.call("load_workflow", object("file_path", "a.playbook.md")), "success", false, "error_type", "empty_workflow", "suggestion", "start_run")
}
