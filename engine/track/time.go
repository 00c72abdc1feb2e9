package track

import (
	"cmp"
	"slices"
	"time"

	"playhead/engine/machine"
)

// A run has two clocks. Its start and its end are wall-clock times. Its duration is active time: it leaves out the time in
// which no process drove the run or in which it was over and, for a fork, the time between the event that it was forked
// from and the fork.

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
	return max(0, active-t.inactivity.lengthBefore(now))
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

// inactivity folds the periods in which a run was not active.
type inactivity struct {
	periods      []inactivePeriod
	lastActiveAt time.Time // of the newest event that shows the run active
	isRunOver    bool      // also if the run only waits for a person
}

// lengthBefore returns how much of the periods was before a time.
func (i *inactivity) lengthBefore(now time.Time) time.Duration {
	var sum time.Duration
	for _, p := range i.periods {
		sum += p.lengthBefore(now)
	}
	return sum
}

// fold records an inactive period at the event that ends it. A fork is inactive from the event that it was forked from
// until it was made. A rewind says itself how long the run was inactive in the part that it leaves. If a crash cut off
// an action, its end is recorded when the run is resumed, just before the resumed event.
func (i *inactivity) fold(e machine.Event) {
	wasOver := i.isRunOver
	if !e.KeepsRunOver() {
		_, i.isRunOver = e.Body.(*machine.RunFinished)
	}
	if e.Time.IsZero() {
		return
	}
	from := e.Time
	switch b := e.Body.(type) {
	case *machine.RunRewound:
		if b.InactiveMS == 0 {
			return
		}
		from = e.Time.Add(-time.Duration(b.InactiveMS) * time.Millisecond)
	case *machine.RunForked, *machine.RunResumed:
		from = cmp.Or(i.lastActiveAt, e.Time)
	case *machine.RunFinished:
		if wasOver { // the end is recorded a second time
			return
		}
	case *machine.ActionFinished:
		if b.IsCutOff() && b.DurationMS == nil {
			return
		}
	default:
		if e.KeepsRunOver() {
			return
		}
		if wasOver {
			from = cmp.Or(i.lastActiveAt, e.Time)
		}
	}
	if !from.Equal(e.Time) {
		i.periods = append(i.periods, inactivePeriod{from, e.Time})
	}
	i.lastActiveAt = e.Time
}

// AbandonedInactiveTime returns how long a run was inactive in the part of its journal that a rewind leaves. The rewind is
// not in the journal yet: it is its next event.
func AbandonedInactiveTime(rewind machine.Event, journal []machine.Event) time.Duration {
	var beforeRewind, afterRewind inactivity
	for _, e := range machine.BranchWithRewinds(journal) {
		beforeRewind.fold(e)
	}
	for _, e := range machine.BranchWithRewinds(append(slices.Clip(journal), rewind)) {
		afterRewind.fold(e)
	}
	beforeRewind.fold(machine.Event{Time: rewind.Time, Body: &machine.StepEntered{}}) // if the run is over, it is active again
	return max(0, beforeRewind.lengthBefore(rewind.Time)-afterRewind.lengthBefore(rewind.Time))
}
