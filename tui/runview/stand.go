package runview

import (
	"playhead/engine/control"
	"playhead/engine/track"
	"playhead/tui/draw"
)

// Stand is the execution of a step that an intervention is about. The run may go on while the person
// still reads a question or writes a reason. The zero Stand is about none.
type Stand struct {
	row  *track.Row
	exec *track.Exec
}

// Stand returns the execution that the run is at.
func (r *Run) Stand() Stand { return standOf(&r.Run) }

func standOf(r *control.Run) Stand {
	if r.Track.Current == nil {
		return Stand{}
	}
	return Stand{r.Track.Current, r.Track.Current.Last()}
}

// Gone returns what to say if the run is not there any more, empty while it is.
func (s Stand) Gone(r *control.Run) string {
	if s.row == nil || s == standOf(r) {
		return ""
	}
	return "No change: the run has already moved past " + s.Step() + "."
}

// Anywhere reports whether it is about no execution.
func (s Stand) Anywhere() bool { return s.row == nil }

// Step returns the label of the step.
func (s Stand) Step() string { return draw.Clean(s.row.Label) }

// LooksBefore reports whether the step that a paused run has come from is selected: as long as the
// next has not begun, its outcome can be set anew.
func (r *Run) LooksBefore() bool { return r.PausedAfter() && r.Track.Current == r.Selected }

// Judged returns the label of the step that an outcome is set of: the one at hand, or the one before
// while that is selected.
func (r *Run) Judged() string {
	if r.LooksBefore() {
		return draw.Clean(r.Track.Current.Label)
	}
	return draw.Clean(r.Subject())
}

// Repeated returns the row that would run again: the selected one, or the one that the run has come
// from while what is selected is where the run is.
func (r *Run) Repeated() *track.Row {
	if r.Selected != nil && r.Selected != r.Position() {
		return r.Selected
	}
	return r.Track.Current
}
