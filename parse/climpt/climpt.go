// Package climpt is what both dialects of Climpt's registries share: reading JSON
// with places (json.go, value.go, fields.go), agent.json in both layouts (agent.go),
// telling the dialects apart (dialect.go), the folders that count and the files that
// were read (flow.go, tree.go), load options (options.go) and prompt files
// (prompt.go). A dialect is a package below this one: it takes a Flow and makes a
// Plan of it.
package climpt

import (
	"fmt"
	"slices"

	"playhead/parse/plan"
)

// Code is the prefix of the codes of both dialects' diagnostics.
const Code = "climpt/"

// Report collects the diagnostics of one loading.
type Report struct {
	diagnostics []plan.Diagnostic
	count       map[plan.Severity]int
}

// maxFound is how many diagnostics of each severity are kept: nobody reads more of them, and a
// file can be made of errors.
const maxFound = 5000

// Error reports what keeps a registry from running. The code has no prefix.
func (r *Report) Error(at Place, code, message, suggestion string) {
	r.add(plan.Diagnostic{Severity: plan.Error, Pointer: at.Pointer(), Code: code, Message: message, Suggestion: suggestion}, at)
}

// Warn reports what is probably not meant so.
func (r *Report) Warn(at Place, code, message, suggestion string) {
	r.add(plan.Diagnostic{Severity: plan.Warning, Pointer: at.Pointer(), Code: code, Message: message, Suggestion: suggestion}, at)
}

// Info reports what a person should know.
func (r *Report) Info(at Place, code, message, suggestion string) {
	r.add(plan.Diagnostic{Severity: plan.Info, Pointer: at.Pointer(), Code: code, Message: message, Suggestion: suggestion}, at)
}

// add puts a diagnostic at its place.
func (r *Report) add(d plan.Diagnostic, at Place) {
	if r.count == nil {
		r.count = map[plan.Severity]int{}
	}
	if r.count[d.Severity]++; r.count[d.Severity] > maxFound {
		return
	}
	d.File, d.Line, d.Column, d.Code = at.File, max(at.Line, 1), max(at.Column, 1), Code+d.Code
	r.diagnostics = append(r.diagnostics, d)
}

// Diagnostics are those so far, each once. Of a file whose JSON is broken that alone is
// said: what it lacks may stand behind the place.
func (r *Report) Diagnostics() []plan.Diagnostic {
	broken := map[string]bool{}
	for _, d := range r.diagnostics {
		broken[d.File] = broken[d.File] || d.Code == Code+"bad-json"
	}
	reported := make(map[plan.Diagnostic]bool, len(r.diagnostics))
	out := slices.DeleteFunc(slices.Clone(r.diagnostics), func(d plan.Diagnostic) bool {
		follows := broken[d.File] && d.Code != Code+"bad-json" && d.Code != Code+"duplicate-key"
		repeated := reported[d]
		reported[d] = true
		return follows || repeated
	})
	last := map[plan.Severity]int{}
	for i, d := range out {
		last[d.Severity] = i
	}
	for severity, i := range last {
		if more := r.count[severity] - maxFound; more > 0 {
			out[i].Message += fmt.Sprintf(" (and %d more of this severity)", more)
		}
	}
	return out
}
