package runview

import (
	"slices"

	"playhead/engine/control"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// EditableRule is a rule of a step that a person can edit.
type EditableRule struct {
	plan.Rule
	Row       *track.Row
	RuleIndex int // the index among the rules that the Plan lists for the step
	Text      string
}

// PlaceText returns the file and line of the rule, as plan.Rule does.
func (r EditableRule) PlaceText() string { return r.Rule.PlaceText(r.Row.Plan().SourcePath()) }

// EditableRules returns the rules of the selected step, of its branches, of the groups that contain it, and
// of the step that led to it.
func (r *Run) EditableRules() (out []EditableRule) {
	if r.SelectedRow == nil {
		return nil
	}
	rows := append([]*track.Row{r.SelectedRow}, armRows(r.SelectedRow)...)
	for row := r.SelectedRow; row.Parent != nil; row = row.Parent {
		if row.Step != nil && row.Step.IsArm() {
			rows = append(rows, armRows(row.Parent)...)
		}
	}
	if from := r.SelectedRow.EnteredFrom; from != nil && r.SelectedRow.EntryDecision != nil {
		rows = append(rows, from)
	}
	for _, row := range rows {
		if row.Step == nil {
			continue
		}
		for i, c := range row.Plan().RulesOf(row.Step) {
			_, text, err := r.RuleRef(control.Args{Row: row, RuleIndex: i}).Text(r.Plan)
			same := func(other EditableRule) bool { return other.Location == c.Location }
			if err == nil && !slices.ContainsFunc(out, same) {
				out = append(out, EditableRule{c, row, i, text})
			}
		}
	}
	return out
}

// armRows returns the arms below a row.
func armRows(r *track.Row) (out []*track.Row) {
	for _, child := range r.Children {
		if child.Step != nil && child.Step.IsArm() {
			out = append(out, child)
		}
	}
	return out
}
