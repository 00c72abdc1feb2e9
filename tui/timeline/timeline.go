// Package timeline has the events of a run and the moment that the screen shows. The run continues while an
// earlier moment shows.
package timeline

import (
	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// Timeline is a run as its events, and as tracks of two moments: the current one, and the one that shows.
type Timeline struct {
	Live   *track.Track    // the current state of the run
	Shown  *track.Track    // the moment that the screen shows: Live, unless an earlier one shows
	Events []machine.Event // the events of the run, without those that a rewind left

	plan      *plan.Plan
	snapshots *track.Snapshots // the states of the run after each event
	index     int              // the event after which the screen shows the run, if Shown is not Live
}

// New returns the timeline of a run without events. A history shows until the run continues, and then the
// session repeats it.
func New(p *plan.Plan, history []machine.Event) Timeline {
	t := Timeline{plan: p}
	t.clear()
	t.Live.Fold(history...)
	if at := t.Live.Current; at != nil && at.Status == track.Running {
		t.Live.Await(at.Label) // nothing runs before the run continues
	}
	t.Shown = t.Live
	return t
}

func (t *Timeline) clear() {
	t.Events, t.Live, t.snapshots = nil, track.New(t.plan), track.NewSnapshots(track.New(t.plan))
}

// Forget clears the timeline, because a session repeats all of its events.
func (t *Timeline) Forget() {
	t.clear()
	t.Shown = t.Live
}

// Take adds events of the run, or replaces all events after a rewind. If an earlier moment shows, it
// continues to show, except after a rewind.
func (t *Timeline) Take(u engine.Update) {
	looksBack := t.ShowsEarlierMoment() && !u.Restarted
	if u.Restarted {
		t.clear()
	}
	t.Events = append(t.Events, u.Events...)
	t.Live.Fold(u.Events...)
	waits := ""
	if q := u.Status.Question; q != nil {
		waits = q.Action.Step
	}
	t.Live.Await(waits)
	if !looksBack {
		t.Shown = t.Live
	}
}

// ShowsEarlierMoment reports whether an earlier moment shows.
func (t *Timeline) ShowsEarlierMoment() bool { return t.Shown != t.Live }

// Index returns the index of the event after which the screen shows the run, -1 before the first one.
func (t *Timeline) Index() int {
	if t.ShowsEarlierMoment() {
		return t.index
	}
	return len(t.Events) - 1
}

// Go shows the run after an event. After the last event, the screen follows the run again.
func (t *Timeline) Go(i int) {
	last := len(t.Events) - 1
	if i = max(0, i); i >= last {
		t.Shown = t.Live
		return
	}
	if t.ShowsEarlierMoment() && t.index == i {
		return
	}
	t.index, t.Shown = i, t.snapshots.At(t.Events, i+1)
}

// GoToNow shows the current state of the run.
func (t *Timeline) GoToNow() { t.Shown = t.Live }

// Until returns the events up to the moment that shows.
func (t *Timeline) Until() []machine.Event {
	n := t.Index() + 1
	return t.Events[:n:n]
}
