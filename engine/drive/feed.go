package drive

import (
	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// An EventBatch is what has happened in a run since the previous one, and the state after it.
type EventBatch struct {
	Events         []machine.Event `json:"events"`
	HasWholeBranch bool            `json:"restarted"` // the run was rewound, and Events has the whole current branch
	HasMore        bool            `json:"more"`      // the next batch continues this one, and State is not updated yet
	State          State           `json:"state"`
}

// An EventFeed reports to one client what happens in a run. A slow client does not delay the run.
type EventFeed struct {
	driver    *Driver
	watcher   *engine.Watcher
	firstPlan *plan.Plan // the plan with which the run began
	track     *track.Track
	lastSeq   int // the number of the last event that TakeBatch has read
	afterSeq  int // only events after this one are reported
}

// NewFeed subscribes to the events after the one with number from. Call Stop to end the subscription.
func (d *Driver) NewFeed(from int) *EventFeed {
	return &EventFeed{driver: d, watcher: d.session.WatchFromStart(), firstPlan: d.firstPlan, track: track.New(d.firstPlan), afterSeq: from}
}

// Changed returns a channel that receives when TakeBatch has something new.
func (f *EventFeed) Changed() <-chan struct{} { return f.watcher.Changed() }

// Stop ends the subscription.
func (f *EventFeed) Stop() { f.watcher.Stop() }

// TakeBatch returns the events since the last call and the current state.
func (f *EventFeed) TakeBatch() EventBatch {
	u := f.watcher.Take()
	if u.IsRestarted {
		f.track = track.New(f.firstPlan)
	}
	f.track.Fold(u.Events...)
	b := EventBatch{HasWholeBranch: u.IsRestarted, Events: []machine.Event{}}
	for _, e := range u.Events {
		f.lastSeq = e.Seq
		if u.IsRestarted || e.Seq > f.afterSeq {
			b.Events = append(b.Events, e)
		}
	}
	b.State = newState(f.track, f.lastSeq, u.Status)
	b.State.NeedsTrust = !f.driver.isTrusted()
	return b
}
