package control

import (
	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
)

// Position returns the row that the run is at: the one that a paused run is about to enter, else
// the one that it entered last, nil before the first.
func (r Run) Position() *track.Row {
	if next := r.Status.Next; r.Status.State == engine.Paused && next != nil {
		if row := r.Row(next.Step); row != nil {
			return row
		}
	}
	return r.Track.Current
}

// Row returns the row of a label, also of an instance that is about to begin, or nil.
func (r Run) Row(label string) *track.Row {
	if at := r.Next.At; at != nil && at.Label == label {
		return at
	}
	return r.Track.Row(label)
}

// Step returns the step that an action with these arguments is about, nil before the first.
func (r Run) Step(a Args) *track.Row {
	if a.Step != nil {
		return a.Step
	}
	return r.Track.Current
}

// Subject returns the label of the step that a decision is about: of a paused run, the one that
// is next.
func (r Run) Subject() string {
	if n := r.Status.Next; r.Status.State == engine.Paused && n != nil {
		return n.Step
	}
	return r.Track.Current.Label
}

// PausedAfter reports whether the run is paused after a step has come to its outcome and before
// the next begins: until then the outcome can be changed.
func (r Run) PausedAfter() bool {
	n, at := r.Status.Next, r.Track.Current
	if r.Status.State != engine.Paused || n == nil || at == nil {
		return false
	}
	_, enters := n.Body.(*machine.Entered)
	return enters && at.Status.IsOver()
}

// Underway returns what runs, as a sentence without a full stop.
func (r Run) Underway() string {
	step := r.Status.Running
	if row := r.Track.Row(step); row != nil && row.Newest() != nil {
		switch a := row.Newest(); {
		case a.Kind == "model" && !a.Done:
			return "The reply to step " + step + " is still coming"
		case a.Kind == "tool":
			return "The call of " + a.Server + "/" + a.Tool + " for step " + step + " still runs"
		}
	}
	return "The command of step " + step + " still runs"
}
