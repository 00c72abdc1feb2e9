package workflow

import (
	"strings"
	"testing"
)

// TestStarterDocument: the template has no diagnostics.
func TestStarterDocument(t *testing.T) {
	p := Parse("template.md", []byte(StarterDocument), Options{Flags: map[string][]string{"input": {"HOST=db1"}}})
	if len(p.Diagnostics) > 0 {
		t.Error(p.Diagnostics)
	}
}

// TestCheckReport: the message names the wrong field, and a wrong step number comes first (§7).
func TestCheckReport(t *testing.T) {
	for _, tt := range []struct{ arguments, kind, message string }{
		{`{"step_number": 1, "status": "passed", "assertion_results": null, "output_variables": null}`, "", ""},
		{`{"step_number": 1.0, "status": "failed", "error_message": "no"}`, "", ""},
		{`{"step_number": 0, "status": "done"}`, "step_out_of_order", "the report is not for the current step: step_number: it is 0, but must be 1 (steps are counted from 0)"},
		{`{"step_number": 1, "status": "done"}`, validationErrorType, `the report is malformed: status: it is "done", but must be "passed" or "failed"`},
		{`{"step_number": 1, "status": "` + strings.Repeat("x", 99) + `"}`, validationErrorType, `the report is malformed: status: it is "` + strings.Repeat("x", 40) + `…", but must be "passed" or "failed"`},
		{`{"step_number": 1, "status": ["passed"]}`, validationErrorType, `the report is malformed: status: it is ["passed"], but must be "passed" or "failed"`},
		{`{"step_number": 1, "status": "passed", "error_message": 7}`, validationErrorType, "the report is malformed: error_message: it is 7, but must be a string"},
		{`{"step_number": "1", "status": "passed"}`, validationErrorType, "the report is malformed: step_number: it is \"1\", but must be the integer 1"},
		{`{"step_number": 1, "status": "passed", "assertion_results": [{"assertion": "x"}]}`, validationErrorType, "the report is malformed: assertion_results[0].passed: it is missing, but must be true or false"},
		{``, validationErrorType, "the report is malformed: call: its arguments are not a JSON object"},
	} {
		_, problem := CheckReport([]byte(tt.arguments), 1)
		switch {
		case problem == nil && tt.kind != "":
			t.Errorf("%s: no problem", tt.arguments)
		case problem != nil && (problem.Type != tt.kind || problem.Message != tt.message):
			t.Errorf("%s: %+v", tt.arguments, problem)
		}
	}
}
