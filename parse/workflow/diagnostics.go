package workflow

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"playhead/parse/plan"
	"playhead/parse/source"
)

// errorTypes are those of §5's table that are not validation, and severities those that are no warning.
var (
	errorTypes = map[string]string{
		"file-not-found": "not_found", "unreadable": "internal", "no-steps": "empty_workflow",
		"missing-tool-spec": "missing_tool_spec", "missing-input": "variable_missing",
	}
	severities = map[string]plan.Severity{
		"file-not-found": plan.Error, "unreadable": plan.Error, "too-large": plan.Error, "no-steps": plan.Error,
		"empty-name": plan.Error, "missing-description": plan.Error, "unclosed-block": plan.Error,
		"missing-tool-spec": plan.Error, "bad-tool-name": plan.Error, "missing-input": plan.Error,
	}
)

const validation = "validation"

// Complete gives a diagnostic what those of workflows have besides (§5): its error
// type and, if it is an error, the error's text. The message names the file. absent:
// the diagnostic says that there is no file.
func Complete(d *plan.Diagnostic, absent bool) {
	if absent {
		d.Code = Format + "/file-not-found"
	}
	name := strings.TrimPrefix(d.Code, Format+"/")
	if d.ErrorType = errorTypes[name]; d.ErrorType == "" {
		d.ErrorType = validation
	}
	d.Message = d.File + ": " + d.Message
	if d.Severity == plan.Error {
		d.ErrorText = d.Message
	}
}

// reporter collects a document's diagnostics.
type reporter struct {
	source.Findings
	raw     []string // the lines on disk, for columns
	text    []string // as they are read: repaired, if they are damaged
	passes  int      // what it took to repair them
	near    int      // the line that columns were last asked for, counted from 1
	columns []int    // its columns, by the bytes of its text
}

func newReporter(file string) reporter {
	return reporter{Findings: source.Findings{File: file, Format: Format, Severities: severities, Usual: plan.Warning}}
}

// finding is a diagnostic that has no place yet.
type finding struct{ code, message, suggestion string }

// add reports a finding at its place; step is the one it is about, nil for none.
func (r *reporter) add(at place, s *step, f finding) {
	if s != nil {
		f.message = s.String() + ": " + f.message
	}
	line, column := r.position(at)
	Complete(r.Add(line, column, f.code, f.message, f.suggestion), false)
}

// String names a step as messages do.
func (s *step) String() string { return fmt.Sprintf("step %d %q", s.number+1, s.name) }

// position is the line and the column, in characters of the file on disk, of a
// place; both count from 1.
func (r *reporter) position(at place) (line, column int) {
	if at.At == 0 || at.Line >= len(r.text) {
		return at.Line + 1, 1
	}
	if r.near != at.Line+1 {
		r.near, r.columns = at.Line+1, r.columnsOf(at.Line)
	}
	return at.Line + 1, r.columns[min(at.At, len(r.columns)-1)]
}

// columnsOf are the columns of a line's bytes, and of its end.
func (r *reporter) columnsOf(line int) []int {
	raw := r.raw[line]
	columns := make([]int, 0, len(raw)+1)
	n := 0
	for _, c := range raw {
		n++
		for range utf8.RuneLen(c) {
			columns = append(columns, n)
		}
	}
	columns = append(columns, n+1)
	for range r.passes {
		raw, columns = decodeAgain(raw, columns)
	}
	return columns
}

// What to do about several of the warnings of a run.
const (
	reportAnew = "retry, or report by hand"
	readDetail = "read the detail; decide, or retry"
	compareIt  = "compare with the declaration"
	lookAtCall = "look at the calls"
	settings   = "check the model settings; retry"
)

// sources: an outcome comes from the model, a person or the engine (§2).
var sources = map[string]string{"call": "engine", "turns": "engine", "prompt": "engine", "automatic": "engine", "answer": "person"}

// refused is the code of what the state of a run does not allow (§8).
const refused = Format + "/not-allowed"

// advice is what §5 says of the codes that a run has.
var advice = map[string]plan.Advice{
	Format + "/missing-value":        {ErrorType: "variable_missing", Suggestion: "output it in an earlier step, start with --input NAME=value, or enter it", Fails: true},
	Format + "/unknown-tool":         {ErrorType: "not_found", Suggestion: "name a configured tool, or `server/tool`; check `.mcp.json`", Fails: true},
	Format + "/malformed-report":     {ErrorType: validation, Suggestion: reportAnew, Fails: true},
	Format + "/no-report":            {ErrorType: validation, Suggestion: reportAnew, Fails: true},
	Format + "/step-out-of-order":    {ErrorType: "step_out_of_order", Suggestion: "report the current step", Fails: true},
	Format + "/assertion-failed":     {ErrorType: "assertion_mismatch", Suggestion: readDetail, Fails: true},
	Format + "/assertion-unverified": {ErrorType: "assertion_mismatch", Suggestion: readDetail},
	Format + "/assertion-text":       {ErrorType: validation, Suggestion: compareIt},
	Format + "/output-missing":       {ErrorType: validation, Suggestion: compareIt},
	Format + "/undeclared-output":    {ErrorType: validation, Suggestion: compareIt},
	Format + "/tool-not-called":      {ErrorType: validation, Suggestion: lookAtCall},
	Format + "/tool-order":           {ErrorType: validation, Suggestion: lookAtCall},
	Format + "/unknown-placeholder":  {ErrorType: validation, Suggestion: "correct the name, or supply it"},
	Format + "/model-failed":         {ErrorType: "internal", Suggestion: settings, Fails: true},
	refused:                          {ErrorType: "internal", Fails: true},
	Format + "/turn-limit":           {ErrorType: "internal", Suggestion: settings, Fails: true},
}
