package runview

import (
	"playhead/engine/control"
	"playhead/engine/track"
	"playhead/tui/draw"
)

// Visit is the visit to a step that an intervention changes. The run may move on while the person reads a
// question or writes a reason. The zero Visit stands for no visit.
type Visit struct {
	row  *track.Row
	exec *track.Visit
}

// CurrentVisit returns the visit that the run is at.
func (r *Run) CurrentVisit() Visit { return visitOf(&r.Run) }

func visitOf(r *control.Run) Visit {
	if r.Track.Current == nil {
		return Visit{}
	}
	return Visit{r.Track.Current, r.Track.Current.LastVisit()}
}

// MovedPast returns a sentence if the run has moved past the visit, else "".
func (s Visit) MovedPast(r *control.Run) string {
	if s.row == nil || s == visitOf(r) {
		return ""
	}
	return "No change: the run has already moved past " + s.Step() + "."
}

// Anywhere reports whether the visit is zero: the intervention does not depend on where the run is.
func (s Visit) Anywhere() bool { return s.row == nil }

// Step returns the label of the step.
func (s Visit) Step() string { return draw.Clean(s.row.Label) }

// LooksBefore reports whether the step before the pause is selected. Its outcome can be overridden until
// the next step begins.
func (r *Run) LooksBefore() bool { return r.IsPausedAfter() && r.Track.Current == r.Selected }

// OutcomeStep returns the label of the step whose outcome a person can set: the current one, or the step
// before a pause while that is selected.
func (r *Run) OutcomeStep() string {
	if r.LooksBefore() {
		return draw.Clean(r.Track.Current.Label)
	}
	return draw.Clean(r.Subject())
}

// StepToRerun returns the row that "rerun" runs again: the selected one or, if the run is about to enter
// that, the step before it.
func (r *Run) StepToRerun() *track.Row {
	if r.Selected != nil && r.Selected != r.Position() {
		return r.Selected
	}
	return r.Track.Current
}
