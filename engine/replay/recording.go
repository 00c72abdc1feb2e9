// Package replay plays a recorded run with its own timing, for demonstrations and for
// looking at what happened. Nothing is executed and nothing is written: events and logs
// come from the run's folder.
//
// A Recording knows when each event shows; it is pure. A Player moves along it, at a speed,
// and shows watchers what a session would have shown them.
package replay

import (
	"slices"
	"sort"
	"time"

	"playhead/engine/journal"
	"playhead/engine/logs"
	"playhead/engine/machine"
)

// Recording is a recorded run and when each of its events shows. Pauses between events are
// cut to the longest: nobody wants to see how long a person thought. What a person is to
// see stays for a moment, so that a run that took an instant can be followed.
type Recording struct {
	Events        []machine.Event
	playTimes     []time.Duration // of each, from the first one on
	recordedTimes []time.Duration // since the first one as it was recorded; a clock that is set back stands still
}

// MinEventTime is how long each event shows at least, at the speed of 1.
const MinEventTime = 150 * time.Millisecond

// NewRecording returns the recording of the events of one branch of a run (machine.Chain). longest cuts
// pauses; 0 leaves them as they were.
func NewRecording(events []machine.Event, longest time.Duration) *Recording {
	t := &Recording{events, make([]time.Duration, len(events)), make([]time.Duration, len(events))}
	moment := MinEventTime
	if longest > 0 {
		moment = min(moment, longest)
	}
	next := time.Duration(0) // when the sight before has stayed long enough
	for i, e := range events {
		if i > 0 {
			gap := max(0, e.Time.Sub(events[i-1].Time))
			t.recordedTimes[i] = t.recordedTimes[i-1] + gap
			if longest > 0 {
				gap = min(gap, longest)
			}
			t.playTimes[i] = t.playTimes[i-1] + gap
		}
		if changesView(e) {
			t.playTimes[i] = max(t.playTimes[i], next)
			next = t.playTimes[i] + moment
		}
	}
	return t
}

// changesView reports whether an event changes what a person looks at: another step, the end of an
// action, a question, an answer, a decision, the end of the run. Other events are shown together with
// the one before.
func changesView(e machine.Event) bool {
	switch e.Body.(type) {
	case *machine.Entered, *machine.ActionFinished, *machine.InputNeeded, *machine.InputGiven, *machine.Decision, *machine.Finished:
		return true
	default:
		return false
	}
}

// Length returns how long the recording plays at the speed of 1.
func (t *Recording) Length() time.Duration {
	if len(t.playTimes) == 0 {
		return 0
	}
	return t.playTimes[len(t.playTimes)-1]
}

// EventCountAt returns how many events show at a position.
func (t *Recording) EventCountAt(pos time.Duration) int {
	return sort.Search(len(t.playTimes), func(i int) bool { return t.playTimes[i] > pos })
}

// Time returns the recorded clock at a position; it runs faster in a pause that was cut.
func (t *Recording) Time(pos time.Duration) time.Time {
	n := t.EventCountAt(pos)
	switch {
	case len(t.Events) == 0:
		return time.Time{}
	case n == 0:
		return t.Events[0].Time
	case n == len(t.Events):
		return t.Events[n-1].Time
	}
	last, next := t.Events[n-1].Time, t.Events[n].Time
	return last.Add(time.Duration(t.share(n-1, n, pos) * float64(next.Sub(last))))
}

// recordedTime returns when the last shown event was recorded, after the first, to 0.1 s, so that
// jumping to a displayed time comes back to it.
func (t *Recording) recordedTime(shown int) time.Duration {
	if shown == 0 {
		return 0
	}
	return t.recordedTimes[shown-1].Round(100 * time.Millisecond)
}

// eventsUntil returns how many events had happened by a time since the first.
func (t *Recording) eventsUntil(since time.Duration) int {
	return sort.Search(len(t.Events), func(i int) bool { return t.recordedTime(i+1) > since })
}

// share returns how much of the way between two events has passed, 0 to 1.
func (t *Recording) share(from, to int, pos time.Duration) float64 {
	way := t.playTimes[to] - t.playTimes[from]
	if way <= 0 || pos >= t.playTimes[to] {
		return 1
	}
	return max(0, float64(pos-t.playTimes[from])/float64(way))
}

// entry returns the index of the n-th step entered after (n > 0) or before (n < 0) an event's
// index; the ends of the recording where there are fewer.
func (t *Recording) entry(from, n int) int {
	step := 1
	if n < 0 {
		step = -1
	}
	for i := from + step; i >= 0 && i < len(t.Events); i += step {
		if _, ok := t.Events[i].Body.(*machine.Entered); !ok {
			continue
		}
		if n -= step; n == 0 {
			return i
		}
	}
	if step < 0 {
		return 0
	}
	return len(t.Events)
}

// entered returns where a step or group is entered next after an index, else where it was
// before; -1 if it never is.
func (t *Recording) entered(step string, from int) int {
	found := -1
	for i, e := range t.Events {
		if b, ok := e.Body.(*machine.Entered); !ok || e.Step != step && !beginsGroup(b, step) {
			continue
		}
		if found = i; i > from {
			break
		}
	}
	return found
}

// beginsGroup reports whether a group's visit begins with an entry.
func beginsGroup(b *machine.Entered, group string) bool {
	return slices.ContainsFunc(b.Opened, func(o machine.OpenedGroup) bool { return o.Step == group })
}

// unfinishedAction returns the index of the action that the recording ends in, -1 if there is none.
// The run was cut off there, or continues elsewhere.
func (t *Recording) unfinishedAction() int {
	for i, e := range slices.Backward(t.Events) {
		if _, ok := e.Body.(*machine.ActionStarted); ok && t.finish(i) < 0 {
			return i
		}
		if _, ok := e.Body.(*machine.Entered); ok {
			break
		}
	}
	return -1
}

// finish returns the index of the event that ends what the event at an index started, or -1.
func (t *Recording) finish(start int) int {
	at := t.Events[start]
	b := at.Body.(*machine.ActionStarted)
	for i := start + 1; i < len(t.Events); i++ {
		if done, ok := t.Events[i].Body.(*machine.ActionFinished); ok && t.Events[i].Step == at.Step && done.Action == b.Action {
			return i
		}
	}
	return -1
}

// unknownSize is the size of a log whose end was not recorded.
const unknownSize = -1

// logRef returns where the log of an action is, by the name of its file.
func (t *Recording) logRef(file string) (machine.LogRef, bool) {
	for _, e := range t.Events {
		if b, ok := e.Body.(*machine.ActionFinished); ok && b.Log != nil && b.Log.File == file {
			return *b.Log, true
		}
	}
	at := t.unfinishedAction()
	return machine.LogRef{File: file, Bytes: unknownSize}, at >= 0 && journal.LogName(t.Events[at].Seq) == file
}

// growingLog is the log of an action under way, which shows more of itself as the action goes on.
// When which line came was not recorded, so they come evenly.
type growingLog struct {
	from, to int // the events between which it grows
	file     string
	size     int64
	shown    int64
	log      *logs.Log
}

// newGrowingLog returns the log of the action that an event started; nil if it printed nothing.
func (p *Player) newGrowingLog(start int) *growingLog {
	to := p.recording.finish(start)
	if to < 0 {
		return nil
	}
	ref := p.recording.Events[to].Body.(*machine.ActionFinished).Log
	if ref == nil {
		return nil
	}
	log, err := logs.GrowingAt(p.logFile(ref.File), ref.Offset)
	if err != nil {
		return nil // what is gone cannot grow: the pane says so when it is opened
	}
	return &growingLog{from: start, to: to, file: ref.File, size: ref.Bytes, log: log}
}

// growTo shows a share of the log.
func (r *growingLog) growTo(share float64) {
	if n := int64(share*float64(r.size)) - r.shown; n > 0 {
		_ = r.log.Grow(n) // what is missing stays missing
		r.shown += n
	}
}

// growToEnd lets the log have all it has to have. Of a long one that takes a while, which nobody
// waits for.
func (r *growingLog) growToEnd() {
	go func() {
		r.growTo(1)
		_ = r.log.Close()
	}()
}
