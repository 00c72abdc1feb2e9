package workflow

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"playhead/parse/plan"
)

func example(t *testing.T, given ...string) *plan.Plan {
	t.Helper()
	file, err := os.ReadFile("testdata/backup.md")
	if err != nil {
		t.Fatal(err)
	}
	return Parse("backup.md", file, Options{Flags: map[string][]string{"input": given}})
}

// TestExample parses the worked example (§10).
func TestExample(t *testing.T) {
	const warnings = "13:15 heading-note, 15:3 wrapped-item, 17:1 marker-missing, 18:1 fence-form, 19:58 unknown-placeholder, 21:1 marker-other, 22:1 list-form, 23:1 list-form"
	p := example(t, "HOST=db1")
	if got := told(p); got != warnings {
		t.Errorf("diagnostics: %s", got)
	}
	if p.Title != "Backup check" || len(p.Steps) != 2 || p.Steps[0].Title != "Locate" || p.Steps[1].Title != "Tell" {
		t.Errorf("title %q, %d sections", p.Title, len(p.Steps))
	}
	want := []stepPrompt{{
		StepNumber: 0, StepName: "Find the newest archive", Description: "List the archives of [HOST] and pick the newest.",
		Tools: []string{"list_archives"}, Inputs: []Input{{"HOST", "Machine whose backup is checked"}},
		Outputs:    []Output{{"result.archives[0].id", "ARCHIVE_ID"}, {"result.archives[0].sha256", "SHA256"}},
		Assertions: []string{"the newest archive of [HOST] is younger than 24 hours"},
	}, {
		StepNumber: 1, StepName: "Verify and announce", Description: "Restore a sample of [ARCHIVE_ID] and post the verdict to [CHANNEL].",
		Tools: []string{"verify_archive", "post_message"}, Inputs: []Input{{"ARCHIVE_ID", "Archive found before"}},
		Assertions: []string{"checksum equals [SHA256]", "the message was posted"},
	}}
	lines := []int{3, 17}
	for i, s := range steps(p) {
		if diff := cmp.Diff(want[i], messageOf(s)); diff != "" || s.Span.Line != lines[i] || *s.Number != i {
			t.Errorf("step %d, line %d: %s", *s.Number, s.Span.Line, diff)
		}
	}
	without := example(t)
	if got := told(without); got != "E 9:3 missing-input, "+warnings {
		t.Errorf("without HOST: %s", got)
	}
	checkError(t, without.Diagnostics[0])
}

// checkError checks that an error is also an ActionableError (§5).
func checkError(t *testing.T, d plan.Diagnostic) {
	t.Helper()
	data, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		`"error":"backup.md: step 1 \"Find the newest archive\": input HOST has no value"`,
		`"error_type":"variable_missing"`, `"suggestion":"list HOST under OUTPUTS of an earlier step, or pass --input HOST=value"`,
	} {
		if !strings.Contains(string(data), part) {
			t.Errorf("%s is not in %s", part, data)
		}
	}
	if text := d.String(); strings.Count(text, "backup.md") != 1 {
		t.Errorf("the file is named twice: %s", text)
	}
}

// TestExampleRun checks the table of §10: the prompts, and the outcomes of the reports.
func TestExampleRun(t *testing.T) {
	s := steps(example(t, "HOST=db1"))
	vars := map[string]any{"HOST": "db1"}
	const first = `## Workflow step 1: Find the newest archive

List the archives of db1 and pick the newest.

**Tool:** ` + "`list_archives`" + `

**Inputs:**
- HOST = ` + "`db1`" + ` (Machine whose backup is checked)

**Verify these 1 assertions when the work is done:**
  1. the newest archive of db1 is younger than 24 hours

**Values to report:**
- extract ` + "`result.archives[0].id`, report it as `ARCHIVE_ID`" + `
- extract ` + "`result.archives[0].sha256`, report it as `SHA256`" + `

**When finished, call ` + "`report_step_result`" + ` with:**
- ` + "`step_number`" + `: 0
- ` + "`status`" + `: "passed" or "failed"
- ` + "`assertion_results`" + `: 1 objects {assertion, passed, detail}, in the order above
- ` + "`output_variables`" + `: an object with ARCHIVE_ID, SHA256
- ` + "`error_message`" + `: the reason for a failure; "" when passed`
	if diff := cmp.Diff(first, render(t, modelOf(s[0]).Prompt, run{vars: vars})); diff != "" {
		t.Error(diff)
	}
	called := func(names ...string) run {
		r := run{vars: vars}
		for _, n := range names {
			r.calls = append(r.calls, plan.ToolCall{Name: n})
		}
		return r
	}
	v := judgeOf(s[0]).Judge(reply(`{"step_number":0,"status":"passed","assertion_results":[{"assertion":"the newest archive of db1 is younger than 24 hours","passed":true}],"output_variables":{"ARCHIVE_ID":"a-91","SHA256":"5f3c"}}`), called("list_archives"))
	if got := verdict(v); got != "pass ARCHIVE_ID=a-91 SHA256=5f3c" {
		t.Errorf("report 0: %s", got)
	}
	for _, a := range v.Assignments {
		vars[a.Name] = a.Value
	}
	second := render(t, modelOf(s[1]).Prompt, run{vars: vars})
	for _, part := range []string{
		"\n\nRestore a sample of a-91 and post the verdict to [CHANNEL].\n\n", "  1. checksum equals 5f3c\n", "[unknown-placeholder]",
		"**Tools, to be used in this order:**\n  1. `verify_archive`\n  2. `post_message`\n\n",
	} {
		if !strings.Contains(second, part) {
			t.Errorf("%q is not in %s", part, second)
		}
	}
	tools := called("verify_archive", "post_message")
	half := `{"step_number":1,"status":"passed","assertion_results":[{"assertion":"The message was posted.","passed":true}]}`
	if got := verdict(judgeOf(s[1]).Judge(reply(half), tools)); got != "held [assertion-unverified]" {
		t.Errorf("report 1: %s", got)
	}
	both := `{"step_number":1,"status":"passed","assertion_results":[{"assertion":"checksum equals 5f3c","passed":true},{"assertion":"the message was posted","passed":true}]}`
	if got := verdict(judgeOf(s[1]).Judge(reply(both), tools)); got != "pass" {
		t.Errorf("report 1 again: %s", got)
	}
}
