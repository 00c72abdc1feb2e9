package steps

import (
	"playhead/engine/machine"
	"playhead/engine/track"
)

// Upcoming is the instance of a step that a paused run is about to enter.
type Upcoming struct {
	track.Upcoming
	count int // of the track's events, when it was foreseen
}

// foresee keeps what is upcoming in line with the event that a paused run comes to next, nil if it is not paused.
func (t *Pane) foresee(tr *track.Track, n *machine.Event) {
	old := t.upcoming
	switch {
	case n == nil:
		t.upcoming = Upcoming{}
	case old.At == nil || old.At.Label != n.Step || old.count != tr.Count:
		t.upcoming = Upcoming{tr.Upcoming(*n), tr.Count}
	}
	if t.upcoming.At != old.At {
		t.shape = -1
	}
}
