package climpt

import (
	"playhead/parse/plan"
)

// Code is the prefix of the codes of both dialects' diagnostics.
const Code = "climpt/"

// Report collects the diagnostics of one loading.
type Report struct{ found []plan.Diagnostic }

// Error reports what keeps a registry from running. The code has no prefix.
func (r *Report) Error(at Place, code, message, suggestion string) {
	r.add(plan.Error, at, code, message, suggestion)
}

// Warn reports what is probably not meant so.
func (r *Report) Warn(at Place, code, message, suggestion string) {
	r.add(plan.Warning, at, code, message, suggestion)
}

// Info reports what a person should know.
func (r *Report) Info(at Place, code, message, suggestion string) {
	r.add(plan.Info, at, code, message, suggestion)
}

func (r *Report) add(s plan.Severity, at Place, code, message, suggestion string) {
	r.found = append(r.found, plan.Diagnostic{
		File: at.File, Line: max(at.Line, 1), Column: max(at.Column, 1), Pointer: at.Pointer,
		Severity: s, Code: Code + code, Message: message, Suggestion: suggestion,
	})
}

// Diagnostics are those so far.
func (r *Report) Diagnostics() []plan.Diagnostic { return r.found }
