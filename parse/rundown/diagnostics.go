package rundown

import (
	"playhead/parse/plan"
	"playhead/parse/source"
)

// warnings are the codes of spec §4 that do not keep a document from running.
// Every other code is an error.
var warnings = map[string]plan.Severity{
	"ambiguous-format":    plan.Warning,
	"ignored-construct":   plan.Warning,
	"front-matter":        plan.Warning,
	"front-matter-name":   plan.Warning,
	"scenario-invalid":    plan.Warning,
	"h1-late":             plan.Warning,
	"heading-separator":   plan.Warning,
	"leading-zero":        plan.Warning,
	"numbered-name":       plan.Warning,
	"transition-like":     plan.Warning,
	"transition-repeated": plan.Warning,
	"lazy-text":           plan.Warning,
	"agg-trailing":        plan.Warning,
	"named-unreachable":   plan.Warning,
	"child-missing":       plan.Warning,
	"child-invalid":       plan.Warning,
	"runbook-suffix":      plan.Warning,
	"fence-info":          plan.Warning,
	"empty-command":       plan.Warning,
	"command-literal":     plan.Warning,
	"unclosed-fence":      plan.Warning,
}

// reporter collects a document's diagnostics.
type reporter struct {
	source.Findings
	src *textLines
}

func newReporter(file string) reporter {
	return reporter{Findings: source.Findings{File: file, Format: Format, Severities: warnings, Usual: plan.Error}}
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
	r.Add(line, column, f.code, f.message, f.suggestion)
}
