package runview

import (
	"cmp"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// Place is a line of a file of the document, from 1. The file is as its plan has it.
type Place struct {
	File string
	Line int
}

// PlaceOf returns where a row begins in its document. Without a row it is where the document begins.
func (r *Run) PlaceOf(row *track.Row) Place {
	switch {
	case row == nil:
		return Place{r.Shown.Plan.Path, 1}
	case row.Doc != nil && row.Doc.Plan != nil:
		return Place{row.Doc.Plan.Path, 1}
	case row.Step == nil:
		return r.PlaceOf(row.Parent)
	}
	return Place{row.Plan().Path, max(1, row.Step.Span.Line)}
}

// PlaceOfText returns where what a row does is written, which may be a file of its own, such as a
// prompt's.
func (r *Run) PlaceOfText(row *track.Row) Place {
	if i := row.Editable(); i >= 0 {
		if at := row.Step.Actions[i].Text; at.File != "" {
			return Place{at.File, max(1, at.Span.Line)}
		}
	}
	return r.PlaceOf(row)
}

// PlaceOfDecision returns where the route is written that a decision of a row took, else where the row
// begins.
func (r *Run) PlaceOfDecision(row *track.Row, d *machine.Decision) Place {
	if row == nil || row.Step == nil || d == nil || d.CandidateIndex == nil || *d.CandidateIndex >= len(d.Candidates) {
		return r.PlaceOf(row)
	}
	c := d.Candidates[*d.CandidateIndex]
	if c.Implicit {
		return r.PlaceOf(row)
	}
	return r.PlaceOfRoute(row, c.Line)
}

// PlaceOfRoute returns the line at which a route of a row is written, which is where the row begins if
// the document does not write it: that has line 0.
func (r *Run) PlaceOfRoute(row *track.Row, line int) Place {
	if line < 1 {
		return r.PlaceOf(row)
	}
	return Place{cmp.Or(row.Step.RoutesIn.File, row.Plan().Path), line}
}

// PlaceOfClause returns where a clause of a row is written.
func (r *Run) PlaceOfClause(row *track.Row, c plan.Clause) Place {
	return Place{cmp.Or(c.Text.File, row.Plan().Path), c.Text.Span.Line}
}

// PlaceOfEvent returns the line of the document that an event is about.
func (r *Run) PlaceOfEvent(e machine.Event) Place {
	row := r.Shown.Row(e.Step)
	switch b := e.Body.(type) {
	case *machine.Decision:
		return r.PlaceOfDecision(row, b)
	case *machine.Warned:
		if b.Line > 0 && row != nil {
			return Place{r.PlaceOf(row).File, b.Line}
		}
	}
	return r.PlaceOf(row)
}
