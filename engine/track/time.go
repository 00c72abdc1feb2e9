package track

import (
	"time"

	"playhead/engine/machine"
)

// A run has two clocks. Its start and its end are wall-clock times. Its duration is active time: it leaves out the time in
// which the run was left or over and, for a fork, the time between the event that it was forked from and its making.

// EndedAt returns when the run ended; for a run that has not ended, the time of its newest event.
func (t *Track) EndedAt() time.Time {
	if t.Finished != nil {
		return t.firstEndedAt
	}
	return t.LastEventTime
}

// Duration returns the active time of the run up to EndedAt.
func (t *Track) Duration() time.Duration { return t.ActiveTime(t.EndedAt()) }

// TimeSinceStart returns the time since the run started, including time in which it was not active.
func (t *Track) TimeSinceStart(now time.Time) time.Duration {
	if t.StartedAt.IsZero() {
		return 0
	}
	return max(0, now.Sub(t.StartedAt)) // clocks may be set back
}

// ActiveTime returns the active time of the run up to now, or up to its end if that was earlier.
func (t *Track) ActiveTime(now time.Time) time.Duration {
	if t.Finished != nil && now.After(t.firstEndedAt) {
		now = t.firstEndedAt
	}
	active := t.TimeSinceStart(now)
	for _, p := range t.inactivePeriods {
		active -= p.lengthBefore(now)
	}
	return max(0, active)
}

// inactivePeriod is a time in which the run was left or over, or between the event that a fork was forked from and its
// making.
type inactivePeriod struct{ from, until time.Time }

// lengthBefore returns how much of the period was before a time.
func (i inactivePeriod) lengthBefore(now time.Time) time.Duration {
	if now.Before(i.until) {
		i.until = now
	}
	return max(0, i.until.Sub(i.from))
}

// recordInactivePeriod records an inactive period at the event that ends it. A fork is inactive
// from the event that it was forked from until it was made. If a crash cut off an action, its end is recorded when the run is
// resumed, just before the resumed event.
func (t *Track) recordInactivePeriod(e machine.Event) {
	_, forked := e.Body.(*machine.RunForked)
	if e.KeepsRunOver() && !forked || e.Time.IsZero() {
		return
	}
	switch b := e.Body.(type) {
	case *machine.RunFinished:
		if t.Finished != nil { // the end is recorded a second time
			return
		}
	case *machine.ActionFinished:
		if b.IsCutOff() && b.DurationMS == nil {
			return
		}
	default:
		if _, resumed := b.(*machine.RunResumed); (resumed || forked || t.Finished != nil) && !t.lastActiveAt.IsZero() {
			t.inactivePeriods = append(t.inactivePeriods, inactivePeriod{t.lastActiveAt, e.Time})
		}
	}
	t.lastActiveAt = e.Time
}
