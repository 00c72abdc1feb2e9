// Package replay plays a recorded run with its own timing, for demonstrations and to see what happened.
// Nothing is executed and nothing is written: events and logs come from the run's folder.
//
// A Recording has the time at which each event is shown; it is pure. A Player moves through it at a
// speed, and gives watchers what a session would have given them.
package replay

import (
	"slices"
	"sort"
	"time"

	"playhead/engine/journal"
	"playhead/engine/logs"
	"playhead/engine/machine"
)

// Recording is a recorded run with the time at which each event is shown. Pauses between events are cut
// to a maximum, because nobody wants to wait while a person thought. Events that change the view are
// shown for at least minEventTime, so that a person can follow a very short run.
type Recording struct {
	Events       []machine.Event
	playTimes    []time.Duration // when each event is shown, since the first one
	elapsedTimes []time.Duration // when each event was recorded, since the first one; a clock that was set back counts as stopped
}

// minEventTime is the minimum time for which an event is shown, at the speed of 1.
const minEventTime = 150 * time.Millisecond

// NewRecording returns the recording of the events of one branch of a run (machine.LiveBranch). longest cuts
// pauses; 0 leaves them as they were.
func NewRecording(events []machine.Event, longest time.Duration) *Recording {
	t := &Recording{events, make([]time.Duration, len(events)), make([]time.Duration, len(events))}
	moment := minEventTime
	if longest > 0 {
		moment = min(moment, longest)
	}
	next := time.Duration(0) // the earliest time for the next change of the view
	for i, e := range events {
		if i > 0 {
			gap := max(0, e.Time.Sub(events[i-1].Time))
			t.elapsedTimes[i] = t.elapsedTimes[i-1] + gap
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
	case *machine.StepEntered, *machine.ActionFinished, *machine.InputNeeded, *machine.InputGiven, *machine.Decision, *machine.RunFinished:
		return true
	default:
		return false
	}
}

// playLength returns the playing time of the recording at the speed of 1.
func (r *Recording) playLength() time.Duration {
	if len(r.playTimes) == 0 {
		return 0
	}
	return r.playTimes[len(r.playTimes)-1]
}

// eventCountAtPlayTime returns how many events are visible at a position.
func (r *Recording) eventCountAtPlayTime(pos time.Duration) int {
	return sort.Search(len(r.playTimes), func(i int) bool { return r.playTimes[i] > pos })
}

// recordedTimeAt returns the time on the recorded clock at a position. In a pause that was cut, this clock runs
// faster.
func (r *Recording) recordedTimeAt(pos time.Duration) time.Time {
	n := r.eventCountAtPlayTime(pos)
	switch {
	case len(r.Events) == 0:
		return time.Time{}
	case n == 0:
		return r.Events[0].Time
	case n == len(r.Events):
		return r.Events[n-1].Time
	}
	last, next := r.Events[n-1].Time, r.Events[n].Time
	return last.Add(time.Duration(r.fractionBetween(n-1, n, pos) * float64(next.Sub(last))))
}

// roundedElapsed returns the time from the first event to the last visible one, rounded to 0.1 s, so that
// a jump to a displayed time leads to the same event.
func (r *Recording) roundedElapsed(visibleCount int) time.Duration {
	if visibleCount == 0 {
		return 0
	}
	return r.elapsedTimes[visibleCount-1].Round(100 * time.Millisecond)
}

// eventCountAtElapsed returns how many events had happened by a time since the first.
func (r *Recording) eventCountAtElapsed(since time.Duration) int {
	return sort.Search(len(r.Events), func(i int) bool { return r.roundedElapsed(i+1) > since })
}

// fractionBetween returns how much of the time between two events has passed at a position, from 0 to 1.
func (r *Recording) fractionBetween(from, to int, pos time.Duration) float64 {
	way := r.playTimes[to] - r.playTimes[from]
	if way <= 0 || pos >= r.playTimes[to] {
		return 1
	}
	return max(0, float64(pos-r.playTimes[from])/float64(way))
}

// nextStepEntry returns the index of the first entry of a step after an index, the number of events if there is none.
func (r *Recording) nextStepEntry(from int) int {
	for i := from + 1; i < len(r.Events); i++ {
		if entersStep(r.Events[i]) {
			return i
		}
	}
	return len(r.Events)
}

// previousStepEntry returns the index of the last entry of a step before an index, 0 if there is none.
func (r *Recording) previousStepEntry(from int) int {
	for i := from - 1; i >= 0; i-- {
		if entersStep(r.Events[i]) {
			return i
		}
	}
	return 0
}

func entersStep(e machine.Event) bool {
	_, ok := e.Body.(*machine.StepEntered)
	return ok
}

// entryOfStep returns the index of the next entry of a step or group after an index, else of its last entry,
// -1 if it is never entered.
func (r *Recording) entryOfStep(step string, from int) int {
	found := -1
	for i, e := range r.Events {
		if b, ok := e.Body.(*machine.StepEntered); !ok || e.Step != step && !beginsGroup(b, step) {
			continue
		}
		if found = i; i > from {
			break
		}
	}
	return found
}

// beginsGroup reports whether an entry begins an attempt of a group.
func beginsGroup(b *machine.StepEntered, group string) bool {
	return slices.ContainsFunc(b.OpenedGroups, func(o machine.OpenedGroup) bool { return o.Label == group })
}

// unfinishedAction returns the index of the action that the recording ends in, -1 if there is none.
// The run was cut off there, or continues elsewhere.
func (r *Recording) unfinishedAction() int {
	for i, e := range slices.Backward(r.Events) {
		if _, ok := e.Body.(*machine.ActionStarted); ok && r.actionEnd(i) < 0 {
			return i
		}
		if entersStep(e) {
			break
		}
	}
	return -1
}

// actionEnd returns the index of the event that ends what the event at an index started, or -1.
func (r *Recording) actionEnd(start int) int {
	at := r.Events[start]
	b := at.Body.(*machine.ActionStarted)
	for i := start + 1; i < len(r.Events); i++ {
		if done, ok := r.Events[i].Body.(*machine.ActionFinished); ok && r.Events[i].Step == at.Step && done.ActionIndex == b.ActionIndex {
			return i
		}
	}
	return -1
}

// unknownLogSize stands for the size of a log whose end was not recorded.
const unknownLogSize = -1

// logRef returns the reference to the log of an action, by the name of its file, and whether there is one.
func (r *Recording) logRef(file string) (machine.LogRef, bool) {
	for _, e := range r.Events {
		if b, ok := e.Body.(*machine.ActionFinished); ok && b.Log != nil && b.Log.File == file {
			return *b.Log, true
		}
	}
	at := r.unfinishedAction()
	return machine.LogRef{File: file, Bytes: unknownLogSize}, at >= 0 && journal.LogName(r.Events[at].Seq) == file
}

// growingLog is the log of an action that is running at the current position. The time of each line was
// not recorded, so the log grows evenly until the action ends.
type growingLog struct {
	startEventIndex, endEventIndex int // the events between which it grows
	logName                        string
	totalBytes                     int64
	log                            *logs.Log
}

// newGrowingLog returns the log of the action that an event started; nil if it printed nothing.
func (p *Player) newGrowingLog(start int) *growingLog {
	to := p.recording.actionEnd(start)
	if to < 0 {
		return nil
	}
	ref := p.recording.Events[to].Body.(*machine.ActionFinished).Log
	if ref == nil {
		return nil
	}
	log, err := logs.NewGrowingLogAt(p.logLocation(ref.File), ref.Offset)
	if err != nil {
		return nil // the log is gone; the pane says so when it is opened
	}
	return &growingLog{startEventIndex: start, endEventIndex: to, logName: ref.File, totalBytes: ref.Bytes, log: log}
}

// growTo shows a share of the log.
func (g *growingLog) growTo(share float64) {
	size, _ := g.log.Size()
	if n := int64(share*float64(g.totalBytes)) - size; n > 0 {
		_ = g.log.Grow(n) // if the file is too short, the rest stays missing
	}
}

// growToEnd completes the log. It does not wait, because a long log takes some time.
func (g *growingLog) growToEnd() {
	go func() {
		g.growTo(1)
		_ = g.log.Close()
	}()
}
