package runview

import (
	"slices"

	"playhead/engine/control"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// Rule is a clause of a step that a person can edit.
type Rule struct {
	Row    *track.Row
	Index  int // the index in the result of plan.Plan.Deciding for the step
	Clause plan.Clause
	Text   string
}

// Place returns the file and line of the rule, like plan.Clause.Place.
func (r Rule) Place() string { return r.Clause.Place(r.Row.Plan().SourceFile()) }

// Rules returns the rules of the selected step, of its branches, of the groups that contain it, and of the
// step that led to it.
func (r *Run) Rules() (out []Rule) {
	if r.Selected == nil {
		return nil
	}
	rows := append([]*track.Row{r.Selected}, branches(r.Selected)...)
	for row := r.Selected; row.Parent != nil; row = row.Parent {
		if row.Step != nil && row.Step.IsArm() {
			rows = append(rows, branches(row.Parent)...)
		}
	}
	if from := r.Selected.From; from != nil && r.Selected.EnteredBy != nil {
		rows = append(rows, from)
	}
	for _, row := range rows {
		if row.Step == nil {
			continue
		}
		for i, c := range row.Plan().Deciding(row.Step) {
			_, text, err := r.Rule(control.Args{Step: row, Clause: i}).Text(r.Plan)
			same := func(other Rule) bool { return other.Clause.Text == c.Text }
			if err == nil && !slices.ContainsFunc(out, same) {
				out = append(out, Rule{row, i, c, text})
			}
		}
	}
	return out
}

func branches(r *track.Row) (out []*track.Row) {
	for _, child := range r.Children {
		if child.Step != nil && child.Step.IsArm() {
			out = append(out, child)
		}
	}
	return out
}
