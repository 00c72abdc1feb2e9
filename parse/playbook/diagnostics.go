package playbook

import (
	"cmp"
	"fmt"
	"slices"
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
	file        string
	text        []string // the lines, for columns
	near        place    // the place that was last asked for
	runes       int      // before it, in its line
	diagnostics []plan.Diagnostic
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
	r.diagnostics = append(r.diagnostics, plan.Diagnostic{
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
	plan.SortDiagnostics(r.diagnostics)
	return r.diagnostics
}

// leftOut are the codes of findings by which something that the document says does not
// happen: a question that nobody is asked, a branch that is never taken. A run says it
// again where that would have been.
var leftOut = []string{
	"condition-syntax", "branch-structure", "elicit-type", "elicit-arguments", "directive-repeat", "directive-syntax", "directive-like",
	"directive-outside", "heading-like", "tool-arguments", "unclosed-fence",
}

// warnings gives each step the findings about what is left out in its lines, or behind
// them.
func (d *document) warnings() {
	for _, f := range d.sorted() {
		code := f.Code[len(Format)+1:]
		if len(d.steps) == 0 || !slices.Contains(leftOut, code) {
			continue
		}
		s := d.stepBefore(f.Line)
		if s == nil {
			s = d.steps[0]
		}
		p := s.partAt(f.Line - 1)
		p.notes = append(p.notes, plan.Note{Code: f.Code, Message: fmt.Sprintf("line %d: %s; %s", f.Line, f.Message, f.Suggestion)})
	}
}

// partAt is the sub-step whose lines hold one, or else the step itself.
func (s *step) partAt(line int) *part {
	subs := s.parts[1:]
	n, _ := slices.BinarySearchFunc(subs, line+1, func(p *part, line int) int { return cmp.Compare(p.head, line) })
	if n > 0 && line <= subs[n-1].last {
		return subs[n-1]
	}
	return &s.part
}
