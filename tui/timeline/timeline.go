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
	LiveTrack  *track.Track    // the current state of the run
	ShownTrack *track.Track    // the moment that the screen shows: LiveTrack, unless an earlier one shows
	Events     []machine.Event // the events of the run, without those that a rewind left

	firstPlan         *plan.Plan
	snapshots         *track.Snapshots // the states of the run after each event
	earlierEventIndex int              // the event after which the screen shows the run, if ShownTrack is not LiveTrack
}

// New returns the timeline of a run without events. A history shows until the run continues, and then the
// session repeats it.
func New(p *plan.Plan, history []machine.Event) Timeline {
	t := Timeline{firstPlan: p}
	t.clear()
	t.LiveTrack.Fold(history...)
	if at := t.LiveTrack.CurrentRow; at != nil && at.Status == track.Running {
		t.LiveTrack.ShowWaiting(at) // nothing runs before the run continues
	}
	t.ShownTrack = t.LiveTrack
	return t
}

func (t *Timeline) clear() {
	t.Events, t.LiveTrack, t.snapshots = nil, track.New(t.firstPlan), track.NewSnapshots(track.New(t.firstPlan))
}

// Reset clears the timeline, because a session repeats all of its events.
func (t *Timeline) Reset() {
	t.clear()
	t.ShownTrack = t.LiveTrack
}

// HandleUpdate adds events of the run, or replaces all events after a rewind. If an earlier moment shows, it
// continues to show, except after a rewind.
func (t *Timeline) HandleUpdate(u engine.Update) {
	looksBack := t.ShowsEarlierMoment() && !u.IsRestarted
	if u.IsRestarted {
		t.clear()
	}
	t.Events = append(t.Events, u.Events...)
	t.LiveTrack.Fold(u.Events...)
	var waits *track.Row
	if q := u.Status.Question; q != nil {
		waits = t.LiveTrack.RowByLabel(q.Action.StepLabel)
	}
	t.LiveTrack.ShowWaiting(waits)
	if !looksBack {
		t.ShownTrack = t.LiveTrack
	}
}

// ShowsEarlierMoment reports whether an earlier moment shows.
func (t *Timeline) ShowsEarlierMoment() bool { return t.ShownTrack != t.LiveTrack }

// ShownEventIndex returns the index of the event after which the screen shows the run, -1 before the first one.
func (t *Timeline) ShownEventIndex() int {
	if t.ShowsEarlierMoment() {
		return t.earlierEventIndex
	}
	return len(t.Events) - 1
}

// ShowEvent shows the run after an event. After the last event, the screen follows the run again.
func (t *Timeline) ShowEvent(i int) {
	last := len(t.Events) - 1
	if i = max(0, i); i >= last {
		t.ShownTrack = t.LiveTrack
		return
	}
	if t.ShowsEarlierMoment() && t.earlierEventIndex == i {
		return
	}
	t.earlierEventIndex, t.ShownTrack = i, t.snapshots.At(t.Events, i+1)
}

// ShowCurrentState shows the current state of the run.
func (t *Timeline) ShowCurrentState() { t.ShownTrack = t.LiveTrack }

// ShownEvents returns the events up to the moment that shows.
func (t *Timeline) ShownEvents() []machine.Event {
	n := t.ShownEventIndex() + 1
	return t.Events[:n:n]
}
