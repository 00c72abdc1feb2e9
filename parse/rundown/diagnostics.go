package rundown

import "playhead/parse/plan"

// warnings are the codes of spec §4 that do not keep a document from running.
// Every other code is an error.
var warnings = map[string]bool{
	"ambiguous-format":    true,
	"ignored-construct":   true,
	"front-matter":        true,
	"front-matter-name":   true,
	"scenario-invalid":    true,
	"h1-late":             true,
	"heading-separator":   true,
	"leading-zero":        true,
	"numbered-name":       true,
	"transition-like":     true,
	"transition-repeated": true,
	"lazy-text":           true,
	"agg-trailing":        true,
	"named-unreachable":   true,
	"child-missing":       true,
	"child-invalid":       true,
	"runbook-suffix":      true,
	"fence-info":          true,
	"empty-command":       true,
	"command-literal":     true,
	"unclosed-fence":      true,
}

// reporter collects a document's diagnostics.
type reporter struct {
	file        string
	src         *source
	diagnostics []plan.Diagnostic
}

// finding is a diagnostic that has no place yet.
type finding struct{ code, message, suggestion string }

// add reports a finding at an offset of the source.
func (r *reporter) add(at int, f finding) {
	line, column := 1, 1
	if r.src != nil {
		line, column = r.src.place(at)
	}
	r.addAt(line, column, f)
}

// addAt reports a finding at a line and a column of the file.
func (r *reporter) addAt(line, column int, f finding) {
	severity := plan.Error
	if warnings[f.code] {
		severity = plan.Warning
	}
	r.diagnostics = append(r.diagnostics, plan.Diagnostic{
		File: r.file, Line: line, Column: column, Severity: severity,
		Code: Format + "/" + f.code, Message: f.message, Suggestion: f.suggestion,
	})
}

// sorted are the findings so far, by place.
func (r *reporter) sorted() []plan.Diagnostic {
	plan.SortDiagnostics(r.diagnostics)
	return r.diagnostics
}
