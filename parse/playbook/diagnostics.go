package playbook

import (
	"unicode/utf8"

	"playhead/parse/plan"
)

// severities are those of spec §8 that are not warnings.
var severities = map[string]plan.Severity{
	"no-title":         plan.Error,
	"no-steps":         plan.Error,
	"empty":            plan.Error,
	"too-large":        plan.Error,
	"encoding":         plan.Error,
	"duplicate-input":  plan.Error,
	"implicit-substep": plan.Info,
	"input-default":    plan.Info,
	"unused-input":     plan.Info,
	"unused-output":    plan.Info,
}

// reporter collects a document's diagnostics.
type reporter struct {
	file  string
	text  []string // the lines, for columns
	near  place    // the place that was last asked for
	runes int      // before it, in its line
	found []plan.Diagnostic
}

// finding is a diagnostic that has no place yet.
type finding struct{ code, message, suggestion string }

// add reports a finding at its place.
func (r *reporter) add(at place, f finding) {
	severity := severities[f.code]
	if severity == "" {
		severity = plan.Warning
	}
	line, column := r.position(at)
	r.found = append(r.found, plan.Diagnostic{
		File: r.file, Line: line, Column: column, Severity: severity,
		Code: Format + "/" + f.code, Message: f.message, Suggestion: f.suggestion,
	})
}

// position is the line and the column, in runes, of a place; both count from 1.
// Questions about one line mostly go from left to right.
func (r *reporter) position(at place) (line, column int) {
	if at.at == 0 || at.line >= len(r.text) {
		return at.line + 1, 1
	}
	text := r.text[at.line]
	at.at = min(at.at, len(text))
	if at.line != r.near.line || at.at < r.near.at {
		r.near, r.runes = place{line: at.line}, 0
	}
	r.runes += utf8.RuneCountInString(text[r.near.at:at.at])
	r.near = at
	return at.line + 1, r.runes + 1
}

// sorted are the findings so far, by place.
func (r *reporter) sorted() []plan.Diagnostic {
	plan.SortDiagnostics(r.found)
	return r.found
}
