package runview

import (
	"slices"

	"playhead/engine/control"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// Rule is a clause of a step that a person can edit.
type Rule struct {
	Row         *track.Row
	ClauseIndex int // the index among the clauses that the Plan lists for the step
	Clause      plan.Clause
	Text        string
}

// PlaceText returns the file and line of the rule, as plan.Clause does.
func (r Rule) PlaceText() string { return r.Clause.PlaceText(r.Row.Plan().SourceFile()) }

// EditableRules returns the rules of the selected step, of its branches, of the groups that contain it, and
// of the step that led to it.
func (r *Run) EditableRules() (out []Rule) {
	if r.SelectedRow == nil {
		return nil
	}
	rows := append([]*track.Row{r.SelectedRow}, branchRows(r.SelectedRow)...)
	for row := r.SelectedRow; row.Parent != nil; row = row.Parent {
		if row.Step != nil && row.Step.IsArm() {
			rows = append(rows, branchRows(row.Parent)...)
		}
	}
	if from := r.SelectedRow.EnteredFrom; from != nil && r.SelectedRow.EnteredBy != nil {
		rows = append(rows, from)
	}
	for _, row := range rows {
		if row.Step == nil {
			continue
		}
		for i, c := range row.Plan().ClausesOf(row.Step) {
			_, text, err := r.ClauseRef(control.Args{Row: row, ClauseIndex: i}).Text(r.Plan)
			same := func(other Rule) bool { return other.Clause.Location == c.Location }
			if err == nil && !slices.ContainsFunc(out, same) {
				out = append(out, Rule{row, i, c, text})
			}
		}
	}
	return out
}

func branchRows(r *track.Row) (out []*track.Row) {
	for _, child := range r.Children {
		if child.Step != nil && child.Step.IsArm() {
			out = append(out, child)
		}
	}
	return out
}
