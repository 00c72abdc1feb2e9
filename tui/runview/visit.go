package runview

import (
	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/tui/draw"
)

// Visit is the visit to a step that an intervention changes. The run may move on while the person reads a
// question or writes a note. The zero Visit stands for no visit.
type Visit struct {
	row        *track.Row
	trackVisit *track.Visit
}

// CurrentVisit returns the visit that the run is at.
func (r *Run) CurrentVisit() Visit { return currentVisitOf(&r.RunView) }

func currentVisitOf(r *control.RunView) Visit {
	if r.Track.CurrentRow == nil {
		return Visit{}
	}
	return Visit{r.Track.CurrentRow, r.Track.CurrentRow.LastVisit()}
}

// MovedPastText returns a sentence if the run has moved past the visit, else "".
func (v Visit) MovedPastText(r *control.RunView) string {
	if v.row == nil || v == currentVisitOf(r) {
		return ""
	}
	return "No change: the run has already moved past " + v.StepLabel() + "."
}

// IsZero reports whether the visit is zero: the intervention does not depend on where the run is.
func (v Visit) IsZero() bool { return v.row == nil }

// StepLabel returns the label of the step.
func (v Visit) StepLabel() string { return draw.CleanLine(v.row.Label) }

// IsStepBeforePauseSelected reports whether the step before the pause is selected. Its outcome can be
// overridden until the next step begins.
func (r *Run) IsStepBeforePauseSelected() bool {
	return r.IsPausedAfterStep() && r.Track.CurrentRow == r.SelectedRow
}

// FailedStepBeforePause returns the step that has just failed in a paused run, nil if none has.
func (r *Run) FailedStepBeforePause() *track.Row {
	if r.Status.State != engine.Paused {
		return nil
	}
	last := r.Track.DecidedRow
	if next := r.Status.NextEvent; next != nil {
		if _, routes := next.Body.(*machine.Decision); routes {
			last = r.Track.CurrentRow
		}
	}
	if last == nil || last.Status != track.Failed {
		return nil
	}
	return last
}

// OutcomeStepLabel returns the label of the step whose outcome a person can set: the current one, or the step
// before a pause while that is selected.
func (r *Run) OutcomeStepLabel() string {
	if r.IsStepBeforePauseSelected() {
		return draw.CleanLine(r.Track.CurrentRow.Label)
	}
	return draw.CleanLine(r.OverriddenStepLabel())
}

// RowToRerun returns the row that "rerun" runs again: the selected one or, if the run is about to enter
// that, the step before it.
func (r *Run) RowToRerun() *track.Row {
	if r.SelectedRow != nil && r.SelectedRow != r.PositionRow() {
		return r.SelectedRow
	}
	return r.Track.CurrentRow
}
