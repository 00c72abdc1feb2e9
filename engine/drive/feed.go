package drive

import (
	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// A Batch is what has happened in a run since the previous Batch, and the state after it.
type Batch struct {
	Events    []machine.Event `json:"events"`
	Restarted bool            `json:"restarted"` // the run was rewound, and Events has the whole current branch
	More      bool            `json:"more"`      // the next batch continues this one, and State is not updated yet
	State     State           `json:"state"`
}

// A Feed reports to one client what happens in a run. A slow client does not delay the run.
type Feed struct {
	driver  *Driver
	watcher *engine.Watcher
	plan    *plan.Plan // with which the run began
	track   *track.Track
	seq     int
	from    int
}

// Feed subscribes to the events after the one with number from. Call Stop to end the subscription.
func (d *Driver) Feed(from int) *Feed {
	return &Feed{driver: d, watcher: d.session.Watch(), plan: d.plan, track: track.New(d.plan), from: from}
}

// Changed returns a channel that receives when Take has something new.
func (f *Feed) Changed() <-chan struct{} { return f.watcher.Changed() }

// Stop ends the subscription.
func (f *Feed) Stop() { f.watcher.Stop() }

// Take returns what is new since the last call.
func (f *Feed) Take() Batch {
	u := f.watcher.Take()
	if u.Restarted {
		f.track = track.New(f.plan)
	}
	f.track.Fold(u.Events...)
	b := Batch{Restarted: u.Restarted, Events: []machine.Event{}}
	for _, e := range u.Events {
		f.seq = e.Seq
		if u.Restarted || e.Seq > f.from {
			b.Events = append(b.Events, e)
		}
	}
	b.State = stateOf(f.track, f.seq, u.Status)
	b.State.Untrusted = !f.driver.isTrusted()
	return b
}
