package control

import (
	"cmp"
	"fmt"

	"playhead/engine"
	"playhead/engine/track"
)

// The ways in which a run can continue with a changed document. To keep the old version, do
// nothing.
const (
	ReloadHere    = "here"    // continue at the current step, or at a step that is named
	ReloadRewind  = "rewind"  // rewind to the first changed step that has run
	ReloadRestart = "restart" // start again
)

var reloads = []string{ReloadHere, ReloadRewind, ReloadRestart}

func reload(s Session, r Run, a Args) error { return s.Reload(r.Saved, r.reloadChoice(a)) }

func (r Run) reloadChoice(a Args) engine.ReloadChoice {
	c := engine.ReloadChoice{Target: a.Target, Start: a.Text == ReloadRestart, Allow: a.Allow, Inputs: a.Values, Reason: a.Reason}
	if i := r.eventIndex(r.Saved.FirstChanged); a.Text == ReloadRewind && i > 0 {
		c.To = r.Events[i-1].Seq
	}
	return c
}

// ranBefore returns the row of a step that has run and that the changed document has under an ID, nil if
// there is none.
func (r Run) ranBefore(id string) *track.Row {
	d := r.Saved.Match.Of("")
	for _, row := range r.Track.AllRows() {
		if id != "" && row.Step != nil && row.Document() == "" && d.ID(row.Step.ID) == id && hasRun(row) {
			return row
		}
	}
	return nil
}

// reloadEffect returns how a changed document affects the run.
func reloadEffect(r Run, a Args) Effect {
	o := r.Saved
	e := Effect{Title: "Continue with the changed document?", Allows: o.Commands}
	e.Text = Sentence("Changed: " + cmp.Or(o.Match.Summary(), "nothing that affects the run") + ".")
	switch a.Text {
	case ReloadRewind:
		i := r.eventIndex(o.FirstChanged)
		e.Confirm, e.Title = true, fmt.Sprintf("Rewind to step %s and continue with the changed document?", o.FirstStep)
		e.StaysDone = r.staysDone(max(0, i))
		e.Text += nothingDone(e.StaysDone)
	case ReloadRestart:
		e.Confirm, e.Title, e.StaysDone = true, "Start again with the changed document?", r.staysDone(0)
		e.Text += nothingDone(e.StaysDone)
	default:
		if again := r.ranBefore(a.Target); again != nil {
			e.Confirm = true
			e.Text += Sentence(fmt.Sprintf(" Step %s has run, and runs again.", again.Label))
		}
		if now := r.interruptEffect(""); now.Confirm && (r.Status.State != engine.Over || a.Target == "" && !o.IsUnchanged()) {
			e.Confirm = true
			e.Text += " " + now.Text
		}
	}
	return e
}
