package question

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/draw"
)

// missingValueTexts returns for which of the values that a step needs the run has visited a step that sets
// them, and what that step reported instead, such as "1 Find did not report ARCHIVE. It reported ARCHIVE_ID
// = a-91 instead."
func missingValueTexts(t *track.Track, fields []plan.Field) (out []string) {
	var rows []*track.Row
	namesByRow := map[*track.Row][]string{}
	for _, f := range fields {
		r := rowThatSets(t, f.Name)
		if r == nil {
			continue
		}
		if namesByRow[r] == nil {
			rows = append(rows, r)
		}
		namesByRow[r] = append(namesByRow[r], draw.CleanLine(f.Name))
	}
	for _, r := range rows {
		text := draw.StepName(r) + " did not report " + strings.Join(namesByRow[r], ", ") + "."
		if r.Outcome != nil && len(r.Outcome.UndeclaredValues) > 0 {
			text += " It reported " + assignmentsText(r.Outcome.UndeclaredValues) + " instead."
		}
		out = append(out, text)
	}
	return out
}

// rowThatSets returns the last visited step that declares a variable as its output, nil if there is none.
func rowThatSets(t *track.Track, name string) *track.Row {
	for r := range t.EnteredRows() {
		if r.Step == nil {
			continue
		}
		for _, a := range r.Step.Actions {
			if sets, ok := a.Judge.(plan.VariableSetter); ok && slices.Contains(sets.Sets(), name) {
				return r
			}
		}
	}
	return nil
}

// maxValueWidth limits the width of a value in a sentence, in cells.
const maxValueWidth = 40

// assignmentsText returns values with their names, on one line.
func assignmentsText(all []plan.Assignment) string {
	var out []string
	for _, a := range all[:min(len(all), plan.MaxListedItems)] {
		out = append(out, draw.CleanLine(a.Name)+" = "+ansi.Truncate(draw.CleanLine(plan.VisibleText(plan.ValueText(a.Value))), maxValueWidth, "…"))
	}
	if len(all) > plan.MaxListedItems {
		out = append(out, "…")
	}
	return strings.Join(out, ", ")
}
