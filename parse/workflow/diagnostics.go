package workflow

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"playhead/parse/plan"
	"playhead/parse/source"
)

// errorTypeByCode has the error types in §5 other than validation, and severityByCode the severities other
// than warning.
var (
	errorTypeByCode = map[string]string{
		"file-not-found": "not_found", "unreadable": "internal", "no-steps": "empty_workflow",
		"missing-tool-spec": "missing_tool_spec", "missing-input": "variable_missing",
	}
	severityByCode = map[string]plan.Severity{
		"file-not-found": plan.Error, "unreadable": plan.Error, "too-large": plan.Error, "no-steps": plan.Error,
		"empty-name": plan.Error, "missing-description": plan.Error, "unclosed-block": plan.Error,
		"missing-tool-spec": plan.Error, "bad-tool-name": plan.Error, "missing-input": plan.Error,
	}
)

const validationErrorType = "validation"

// CompleteDiagnostic adds what only diagnostics of workflows have (§5): the error type, the file name in the
// message, and for an error its text. absent says that the file does not exist.
func CompleteDiagnostic(d *plan.Diagnostic, absent bool) {
	if absent {
		d.Code = Format + "/file-not-found"
	}
	name := strings.TrimPrefix(d.Code, Format+"/")
	if d.ErrorType = errorTypeByCode[name]; d.ErrorType == "" {
		d.ErrorType = validationErrorType
	}
	d.Message = d.File + ": " + d.Message
	if d.Severity == plan.Error {
		d.ErrorText = d.Message
	}
}

// reporter collects a document's diagnostics.
type reporter struct {
	source.DiagnosticCollector
	linesOnDisk       []string // as they are in the file, for columns
	lines             []string // as they are parsed: repaired if they are damaged
	repairPassCount   int      // the number of passes that repaired them; 0: they are not damaged
	cachedColumnsLine int      // the line of the last request for columns, from 1
	cachedColumns     []int    // the columns of that line, by byte
}

func newReporter(file string) reporter {
	return reporter{DiagnosticCollector: source.DiagnosticCollector{File: file, Format: Format, SeverityByCode: severityByCode, DefaultSeverity: plan.Warning}}
}

// finding is a diagnostic without a place.
type finding struct{ code, message, suggestion string }

// add reports a finding at its place. s is the step that it is about, nil for none.
func (r *reporter) add(at place, s *step, f finding) {
	if s != nil {
		f.message = s.String() + ": " + f.message
	}
	line, column := r.position(at)
	CompleteDiagnostic(r.Add(line, column, f.code, f.message, f.suggestion), false)
}

// String returns the step's name for messages.
func (s *step) String() string { return fmt.Sprintf("step %d %q", s.number+1, s.name) }

// position returns the line, and the column in characters, of a place in the file on disk. Both
// count from 1.
func (r *reporter) position(at place) (line, column int) {
	if at.Offset == 0 || at.Line >= len(r.lines) {
		return at.Line + 1, 1
	}
	if r.cachedColumnsLine != at.Line+1 {
		r.cachedColumnsLine, r.cachedColumns = at.Line+1, r.columnsOf(at.Line)
	}
	return at.Line + 1, r.cachedColumns[min(at.Offset, len(r.cachedColumns)-1)]
}

// columnsOf returns the columns of a line's bytes and of its end.
func (r *reporter) columnsOf(line int) []int {
	raw := r.linesOnDisk[line]
	columns := make([]int, 0, len(raw)+1)
	n := 0
	for _, c := range raw {
		n++
		for range utf8.RuneLen(c) {
			columns = append(columns, n)
		}
	}
	columns = append(columns, n+1)
	for range r.repairPassCount {
		raw, columns = repairEncodingOnce(raw, columns)
	}
	return columns
}

// Suggestions that several warnings of a run share.
const (
	adviceRetry      = "retry, or report manually"
	adviceReadDetail = "read the details, then accept or reject the step, or run it again"
	adviceCompare    = "compare the report with what the step declares"
	adviceCheckCalls = "check the step's tool calls"
	adviceSettings   = "check the model settings; retry"
)

// outcomeSourceNames maps the machine's sources of outcomes to those of the format: the model, a person or the
// engine (§2).
var outcomeSourceNames = map[string]string{"call": "engine", "turns": "engine", "prompt": "engine", "automatic": "engine", "answer": "person"}

// unavailableActionCode is the code for actions that the state of a run does not allow (§8).
const unavailableActionCode = Format + "/not-allowed"

// adviceByCode is the advice in §5 for the codes of a run.
var adviceByCode = map[string]plan.WarningAdvice{
	Format + "/missing-value":        {ErrorType: "variable_missing", Suggestion: "list it under OUTPUTS of an earlier step, pass --input NAME=value, or enter it", FailsStep: true},
	Format + "/unknown-tool":         {ErrorType: "not_found", Suggestion: "name a configured tool, or `server/tool`; check `.mcp.json`", FailsStep: true},
	Format + "/malformed-report":     {ErrorType: validationErrorType, Suggestion: adviceRetry, FailsStep: true},
	Format + "/no-report":            {ErrorType: validationErrorType, Suggestion: adviceRetry, FailsStep: true},
	Format + "/step-out-of-order":    {ErrorType: "step_out_of_order", Suggestion: "report the current step", FailsStep: true},
	Format + "/assertion-failed":     {ErrorType: "assertion_mismatch", Suggestion: adviceReadDetail, FailsStep: true},
	Format + "/assertion-unverified": {ErrorType: "assertion_mismatch", Suggestion: adviceReadDetail},
	Format + "/assertion-text":       {ErrorType: validationErrorType, Suggestion: adviceCompare},
	Format + "/output-missing":       {ErrorType: validationErrorType, Suggestion: adviceCompare},
	Format + "/undeclared-output":    {ErrorType: validationErrorType, Suggestion: adviceCompare},
	Format + "/tool-not-called":      {ErrorType: validationErrorType, Suggestion: adviceCheckCalls},
	Format + "/tool-order":           {ErrorType: validationErrorType, Suggestion: adviceCheckCalls},
	Format + "/unknown-placeholder":  {ErrorType: validationErrorType, Suggestion: "correct the name, or give it a value yourself"},
	Format + "/model-failed":         {ErrorType: "internal", Suggestion: adviceSettings, FailsStep: true},
	unavailableActionCode:            {ErrorType: "internal", FailsStep: true},
	Format + "/turn-limit":           {ErrorType: "internal", Suggestion: adviceSettings, FailsStep: true},
}
