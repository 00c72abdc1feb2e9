package runview

import (
	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/tui/draw"
)

// Attempt is the attempt of a step that an intervention changes. The run may move on while the person reads a
// question or writes a note. The zero Attempt stands for no attempt.
type Attempt struct {
	row          *track.Row
	trackAttempt *track.Attempt
}

// CurrentAttempt returns the attempt that the run is at.
func (r *Run) CurrentAttempt() Attempt { return currentAttemptOf(&r.RunView) }

func currentAttemptOf(r *control.RunView) Attempt {
	if r.Track.CurrentRow == nil {
		return Attempt{}
	}
	return Attempt{r.Track.CurrentRow, r.Track.CurrentRow.NewestStepAttempt()}
}

// MovedPastText returns a sentence if the run has moved past the attempt, else "".
func (attempt Attempt) MovedPastText(r *control.RunView) string {
	if attempt.row == nil || attempt == currentAttemptOf(r) {
		return ""
	}
	return "No change: the run has already moved past " + attempt.StepLabel() + "."
}

// IsZero reports whether the attempt is zero: the intervention does not depend on where the run is.
func (attempt Attempt) IsZero() bool { return attempt.row == nil }

// StepLabel returns the label of the step.
func (attempt Attempt) StepLabel() string { return draw.CleanLine(attempt.row.Label) }

// IsStepBeforePauseSelected reports whether the step before the pause is selected. Its outcome can be
// overridden until the next step begins.
func (r *Run) IsStepBeforePauseSelected() bool {
	return r.IsPausedBetweenSteps() && r.Track.CurrentRow == r.SelectedRow
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
