package plan

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Severity says how much a diagnostic matters.
type Severity string

// Only an Error keeps a document from running.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

// Diagnostic is a finding at a place in a document, in the shape of `check --json` (docs/json.md).
// Lines and columns count from 1, columns in runes.
type Diagnostic struct {
	File       string   `json:"file"`
	Line       int      `json:"line"`
	Column     int      `json:"column"`
	Severity   Severity `json:"severity"`
	Code       string   `json:"code"`
	Message    string   `json:"message"`
	Suggestion string   `json:"suggestion,omitempty"`
	Pointer    string   `json:"pointer,omitempty"`    // JSON pointer, in JSON documents
	ErrorText  string   `json:"error,omitempty"`      // in workflows
	ErrorType  string   `json:"error_type,omitempty"` // in workflows
}

// MessageWithoutFile returns the message without the file name that some messages begin with.
func (d Diagnostic) MessageWithoutFile() string { return strings.TrimPrefix(d.Message, d.File+": ") }

// String returns the line that `playhead check` prints.
func (d Diagnostic) String() string {
	return fmt.Sprintf("%s:%d:%d: %s", d.File, d.Line, d.Column, d.textWithoutPlace())
}

// StringWithoutLine returns String without line and column, for a document that could not be read.
func (d Diagnostic) StringWithoutLine() string { return d.File + ": " + d.textWithoutPlace() }

func (d Diagnostic) textWithoutPlace() string {
	text := d.MessageWithoutFile()
	if d.Suggestion != "" {
		text += "; " + d.Suggestion
	}
	return fmt.Sprintf("%s: %s [%s]", d.Severity, text, d.Code)
}

// SortDiagnostics sorts stably by file, line, column and code.
func SortDiagnostics(ds []Diagnostic) {
	slices.SortStableFunc(ds, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Code, b.Code))
	})
}

// WorstSeverity returns the highest severity, or "" for no diagnostics.
func WorstSeverity(ds []Diagnostic) Severity {
	worst := Severity("")
	for _, d := range ds {
		switch {
		case d.Severity == Error:
			return Error
		case d.Severity == Warning, worst == "":
			worst = d.Severity
		}
	}
	return worst
}

// IsInMainFile reports whether a diagnostic is about the document itself, not about a file that it
// includes or takes a prompt from.
func (p *Plan) IsInMainFile(d Diagnostic) bool {
	for _, f := range p.Files {
		if f.Path == d.File {
			return bytes.Equal(f.Source, p.Source)
		}
	}
	return len(p.Files) > 0 || d.File == p.Path
}

// HasText reports whether a file of the document could be read.
func (p *Plan) HasText() bool { return len(p.Source) > 0 || len(p.Files) > 0 }

// Runnable reports whether the document may run: it has no diagnostic of severity Error.
func (p *Plan) Runnable() bool { return WorstSeverity(p.Diagnostics) != Error }
