package source

import "playhead/parse/plan"

// Findings collects the diagnostics of one document.
type Findings struct {
	File       string
	Format     string                   // the prefix of the codes
	Severities map[string]plan.Severity // of codes, without the prefix
	Usual      plan.Severity            // of all other codes

	diagnostics []plan.Diagnostic
}

// Add reports a finding at a line and a column, counted from 1. The code has no prefix. It returns
// the diagnostic, which can be completed until the next one is added.
func (f *Findings) Add(line, column int, code, message, suggestion string) *plan.Diagnostic {
	severity, has := f.Severities[code]
	if !has {
		severity = f.Usual
	}
	f.diagnostics = append(f.diagnostics, plan.Diagnostic{
		File: f.File, Line: line, Column: column, Severity: severity,
		Code: f.Format + "/" + code, Message: message, Suggestion: suggestion,
	})
	return &f.diagnostics[len(f.diagnostics)-1]
}

// Sorted returns the findings so far, by place.
func (f *Findings) Sorted() []plan.Diagnostic {
	plan.SortDiagnostics(f.diagnostics)
	return f.diagnostics
}
