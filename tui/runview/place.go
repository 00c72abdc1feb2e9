package runview

import (
	"cmp"
	"slices"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// DocumentPlace is a line of a file of the document, from 1. The file has the name that its plan has.
type DocumentPlace struct {
	File string
	Line int
}

// PlaceOfRow returns the place where a row begins. Without a row it returns the beginning of the document.
func (r *Run) PlaceOfRow(row *track.Row) DocumentPlace {
	switch {
	case row == nil:
		return DocumentPlace{r.ShownTrack.Plan.SourcePath(), 1}
	case row.IncludedDocument != nil && row.IncludedDocument.Plan != nil:
		return DocumentPlace{row.IncludedDocument.Plan.SourcePath(), 1}
	case row.Step == nil:
		return r.PlaceOfRow(row.Parent)
	}
	return PlaceOfRoute(row.Plan(), row.Step, 0)
}

// PlaceOfText returns the place of a row's text, which may be in a file of its own, such as that of a
// prompt.
func (r *Run) PlaceOfText(row *track.Row) DocumentPlace {
	if i := row.EditableActionIndex(); i >= 0 {
		if at := row.Step.Actions[i].TextLocation; at.File != "" {
			return DocumentPlace{at.File, max(1, at.Span.Line)}
		}
	}
	return r.PlaceOfRow(row)
}

// PlaceOfDecision returns the place of the route that a decision took, else that of the row.
func (r *Run) PlaceOfDecision(row *track.Row, d *machine.Decision) DocumentPlace {
	c := d.TakenCandidate()
	if row == nil || row.Step == nil || c == nil || c.Implicit {
		return r.PlaceOfRow(row)
	}
	return PlaceOfRoute(row.Plan(), row.Step, c.Line)
}

// PlaceOfRoute returns the place of a route of a step. A line of 0 means that the route is not written;
// then it returns the place of the step.
func PlaceOfRoute(doc *plan.Plan, step *plan.Step, line int) DocumentPlace {
	return DocumentPlace{cmp.Or(step.RoutesLocation.File, doc.SourcePath()), max(1, cmp.Or(line, step.Span.Line))}
}

// PlaceOfRule returns the place of a rule of a row.
func (r *Run) PlaceOfRule(row *track.Row, c plan.Rule) DocumentPlace {
	return DocumentPlace{cmp.Or(c.Location.File, row.Plan().SourcePath()), c.Location.Span.Line}
}

// PlaceOfFirstError returns the place of the first error among diagnostics.
func (r *Run) PlaceOfFirstError(all []plan.Diagnostic) DocumentPlace {
	i := max(0, slices.IndexFunc(all, func(d plan.Diagnostic) bool { return d.Severity == plan.Error }))
	if i >= len(all) {
		return r.PlaceOfRow(nil)
	}
	return DocumentPlace{cmp.Or(all[i].File, r.ShownTrack.Plan.SourcePath()), max(1, all[i].Line)}
}

// PlaceOfEvent returns the place in the document that an event concerns.
func (r *Run) PlaceOfEvent(e machine.Event) DocumentPlace {
	row := r.ShownTrack.RowOfEvent(e)
	switch b := e.Body.(type) {
	case *machine.Decision:
		return r.PlaceOfDecision(row, b)
	case *machine.WarningRecorded:
		if b.Line > 0 && row != nil {
			return DocumentPlace{r.PlaceOfRow(row).File, b.Line}
		}
	}
	return r.PlaceOfRow(row)
}
