package playbook

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"

	"playhead/parse/plan"
	"playhead/parse/source"
)

// severityByCode has the severities in spec §8 other than warning. Likely mistakes that the spec accepts silently are Info; a
// run repeats those in ignoredPartCodes as warnings.
var severityByCode = map[string]plan.Severity{
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

	"directive-like":    plan.Info,
	"directive-outside": plan.Info,
	"heading-like":      plan.Info,
	"input-type":        plan.Info,
	"output-type":       plan.Info,
}

// reporter collects a document's diagnostics.
type reporter struct {
	source.DiagnosticCollector
	lines                []string // of the document
	lastPlace            place    // the place of the last request
	runesBeforeLastPlace int      // the number of characters before it in its line
}

func newReporter(file string) reporter {
	return reporter{DiagnosticCollector: source.DiagnosticCollector{File: file, Format: Format, SeverityByCode: severityByCode, DefaultSeverity: plan.Warning}}
}

// finding is a diagnostic without a place.
type finding struct{ code, message, suggestion string }

// add reports a finding at its place.
func (r *reporter) add(at place, f finding) {
	line, column := r.position(at)
	r.Add(line, column, f.code, f.message, f.suggestion)
}

// position returns the line, and the column in characters, of a place. Both count from 1. It is
// fast if requests within a line go from left to right.
func (r *reporter) position(at place) (line, column int) {
	if at.Offset == 0 || at.Line >= len(r.lines) {
		return at.Line + 1, 1
	}
	text := r.lines[at.Line]
	at.Offset = min(at.Offset, len(text))
	if at.Line != r.lastPlace.Line || at.Offset < r.lastPlace.Offset {
		r.lastPlace, r.runesBeforeLastPlace = place{Line: at.Line}, 0
	}
	r.runesBeforeLastPlace += utf8.RuneCountInString(text[r.lastPlace.Offset:at.Offset])
	r.lastPlace = at
	return at.Line + 1, r.runesBeforeLastPlace + 1
}

// ignoredPartCodes are the codes of findings that say that something in the document does not happen, such
// as a question that is not asked or a branch that is never taken. A run repeats the warning at
// that point.
var ignoredPartCodes = []string{
	"condition-syntax", "branch-structure", "elicit-type", "elicit-arguments", "directive-repeat", "directive-syntax", "directive-like",
	"directive-outside", "heading-like", "tool-arguments", "unclosed-fence",
}

// addWarningsToSteps adds the findings with ignoredPartCodes to the steps in whose lines they are. A finding before or
// between steps is added to the step before it, or to the first one.
func (d *document) addWarningsToSteps() {
	for _, f := range d.Sorted() {
		code := f.Code[len(Format)+1:]
		if len(d.steps) == 0 || !slices.Contains(ignoredPartCodes, code) {
			continue
		}
		s := d.stepBefore(f.Line)
		if s == nil {
			s = d.steps[0]
		}
		p := s.partAt(f.Line - 1)
		p.runWarnings = append(p.runWarnings, plan.RunWarning{Code: f.Code, Line: f.Line, Message: fmt.Sprintf("line %d: %s; %s", f.Line, f.Message, f.Suggestion)})
	}
}

// partAt returns the substep that contains a line, or else the step itself.
func (s *step) partAt(line int) *stepPart {
	subs := s.parts[1:]
	n, _ := slices.BinarySearchFunc(subs, line+1, func(p *stepPart, line int) int { return cmp.Compare(p.firstLine, line) })
	if n > 0 && line <= subs[n-1].lastLine {
		return subs[n-1]
	}
	return &s.stepPart
}
