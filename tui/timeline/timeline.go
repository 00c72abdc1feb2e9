// Package timeline is the events of a run, and the moment of them that the screen shows. The run
// itself goes on meanwhile.
package timeline

import (
	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// Timeline is a run as events, and as folded up to two moments: now, and the one that shows.
type Timeline struct {
	Live   *track.Track    // the run as it is
	Shown  *track.Track    // what the screen shows: Live, unless the person looks at an earlier moment
	Events []machine.Event // of the branch that the run is on

	plan      *plan.Plan
	snapshots *track.Snapshots // after each of Events
	index     int              // the event up to which the screen shows the run, if Shown is not Live
}

// New returns the timeline of a run that has no events, but for those of its history: they show
// until the run goes on, and come again then.
func New(p *plan.Plan, history []machine.Event) Timeline {
	t := Timeline{plan: p}
	t.clear()
	t.Live.Fold(history...)
	if at := t.Live.Current; at != nil && at.Status == track.Running {
		t.Live.Await(at.Label) // nothing runs before the run goes on
	}
	t.Shown = t.Live
	return t
}

func (t *Timeline) clear() {
	t.Events, t.Live, t.snapshots = nil, track.New(t.plan), track.NewSnapshots(track.New(t.plan))
}

// Forget shows the run as if nothing had happened yet: a session tells all of its events.
func (t *Timeline) Forget() {
	t.clear()
	t.Shown = t.Live
}

// Take takes events over: more of the run, or all of another branch of it. Whoever looks at an
// earlier moment of the same branch goes on looking at it.
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

// Index returns the event that the screen shows the run after, -1 before the first one.
func (t *Timeline) Index() int {
	if t.ShowsEarlierMoment() {
		return t.index
	}
	return len(t.Events) - 1
}

// Go shows the run after an event. With the last one the screen follows the run again.
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

// GoToNow shows the run as it is.
func (t *Timeline) GoToNow() { t.Shown = t.Live }

// Until returns the events up to the moment that shows.
func (t *Timeline) Until() []machine.Event {
	n := t.Index() + 1
	return t.Events[:n:n]
}
