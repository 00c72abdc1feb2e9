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
	return "Nothing was done: the run has left " + s.Step() + " meanwhile."
}

// Anywhere reports whether it is about no execution.
func (s Stand) Anywhere() bool { return s.row == nil }

// Step returns the label of the step.
func (s Stand) Step() string { return draw.Clean(s.row.Label) }
