package replay

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"playhead/engine"
	"playhead/engine/logs"
	"playhead/engine/machine"
)

// ErrReadOnly is the error of every method that would change the run.
var ErrReadOnly = errors.New("this is a replay: nothing is executed, and nothing can be changed")

// The slowest and the fastest speed: how many seconds of the recording pass in one second.
const (
	MinSpeed = 0.25
	MaxSpeed = 16
)

// logGrowInterval is the interval at which a growing log gets more lines.
const logGrowInterval = 50 * time.Millisecond

// Player plays a recording to its watchers. Its methods may be called from any goroutine.
type Player struct {
	recording   *Recording
	logLocation func(name string) logs.FileLocation

	mu               sync.Mutex
	visibleCount     int           // how many events are visible
	positionAtAnchor time.Duration // the playing time at the time anchor
	anchorTime       time.Time
	speed            float64
	isPlaying        bool
	playsInstantly   bool // Continue shows its destination immediately
	pauseIndex       int  // the index of the event to pause before; -1: none
	growingLog       *growingLog
	logByName        map[string]*logs.Log
	watchers         engine.Watchers
	changed          chan struct{}
	closed           chan struct{} // closed by Close
	closeOnce        sync.Once
}

// New returns a player at the start of the recording. logLocation returns the location of a log by its name in events.
func New(r *Recording, logLocation func(name string) logs.FileLocation) *Player {
	return &Player{
		recording: r, logLocation: logLocation, speed: 1, pauseIndex: -1, anchorTime: time.Now(),
		logByName: map[string]*logs.Log{}, changed: make(chan struct{}, 1), closed: make(chan struct{}),
	}
}

// Run plays until ctx ends or Close is called. It does not return at the end of the recording, because
// a person may go back from there.
func (p *Player) Run(ctx context.Context) (engine.Ending, error) {
	for {
		rest, isPlaying := p.showDueEvents()
		var due <-chan time.Time
		if isPlaying {
			due = time.After(rest)
		}
		select {
		case <-ctx.Done():
			return engine.Ending{}, nil
		case <-p.closed:
			return engine.Ending{}, nil
		case <-p.changed:
		case <-due:
		}
	}
}

// Close ends the playing.
func (p *Player) Close() { p.closeOnce.Do(func() { close(p.closed) }) }

// Now returns the time on the clock of the recorded run.
func (p *Player) Now() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.recording.recordedTimeAt(p.playPosition())
}

// RecordedLength returns how long the recorded run took, by its own clock.
func (p *Player) RecordedLength() time.Duration {
	if n := len(p.recording.elapsedTimes); n > 0 {
		return p.recording.elapsedTimes[n-1]
	}
	return 0
}

// Speed returns how many seconds of the recording pass in one second.
func (p *Player) Speed() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.speed
}

// CheckSpeed returns an error unless the speed is from MinSpeed to MaxSpeed.
func CheckSpeed(speed float64) error {
	if !(MinSpeed <= speed && speed <= MaxSpeed) { // this also refuses NaN
		return fmt.Errorf("a speed is a number from %g to %g, not %g", MinSpeed, float64(MaxSpeed), speed)
	}
	return nil
}

// SetSpeed sets the speed. The error is that of CheckSpeed.
func (p *Player) SetSpeed(speed float64) error {
	if err := CheckSpeed(speed); err != nil {
		return err
	}
	p.changePlayback(func() { p.speed = speed })
	return nil
}

// PlayInstantly makes Continue show its destination immediately instead of playing to it, for output that
// nobody watches.
func (p *Player) PlayInstantly() { p.changePlayback(func() { p.playsInstantly = true }) }

// ScaleSpeed doubles the speed so many times, or halves it if times is negative, within MinSpeed and MaxSpeed.
func (p *Player) ScaleSpeed(times int) {
	p.changePlayback(func() { p.speed = max(MinSpeed, min(math.Ldexp(p.speed, times), MaxSpeed)) })
}

// Continue continues to play: to the next entry of the step to, if it is not empty, else to the end if mode
// is engine.Continue, else one step.
func (p *Player) Continue(mode engine.Mode, to string) error {
	var err error
	p.changePlayback(func() {
		p.pauseIndex = -1
		switch {
		case to != "":
			at := p.recording.entryOfStep(to, p.visibleCount)
			if at < p.visibleCount {
				err = unreachableError(to, at)
				return
			}
			p.pauseIndex = at
		case mode != engine.Continue:
			p.pauseIndex = p.recording.nextStepEntry(p.visibleCount)
		}
		if p.playsInstantly {
			p.seek(p.countAtPause())
			return
		}
		p.isPlaying = true
	})
	return err
}

// countAtPause returns the number of events to show before the player pauses.
func (p *Player) countAtPause() int {
	if p.pauseIndex < 0 {
		return len(p.recording.Events)
	}
	return p.pauseIndex
}

// Play plays to the end.
func (p *Player) Play() { _ = p.Continue(engine.Continue, "") } // without a step it cannot fail

// Start shows the recording for the first time: at its end, paused at its first event, or else playing.
func (p *Player) Start(atEnd, paused bool) {
	switch {
	case atEnd:
		p.SeekEnd()
	case paused:
		p.SeekStart()
	default:
		p.Play()
	}
}

// Pause pauses at the current position.
func (p *Player) Pause() error {
	p.changePlayback(func() { p.isPlaying = false })
	return nil
}

// Jump goes to the next entry of a step, or else to its last one.
func (p *Player) Jump(step, _ string) error {
	var err error
	p.changePlayback(func() {
		at := p.recording.entryOfStep(step, p.visibleCount-1)
		if at < 0 {
			err = unreachableError(step, at)
			return
		}
		p.seek(at + 1)
	})
	return err
}

// unreachableError returns the error for a step that the recording does not reach, or not again after an
// index.
func unreachableError(step string, at int) error {
	if at < 0 {
		return errors.New("the run never reached step " + step)
	}
	return errors.New("the run does not reach step " + step + " again")
}

// Undo goes back to the entry of the previous step.
func (p *Player) Undo() error {
	p.changePlayback(func() { p.seek(min(p.recording.previousStepEntry(p.visibleCount-1)+1, len(p.recording.Events))) })
	return nil
}

// Redo goes forward to the entry of the next step.
func (p *Player) Redo() error {
	p.changePlayback(func() { p.seek(min(p.recording.nextStepEntry(p.visibleCount-1)+1, len(p.recording.Events))) })
	return nil
}

// Rewind goes to an event, by its number.
func (p *Player) Rewind(seq int) error {
	i := slices.IndexFunc(p.recording.Events, func(e machine.Event) bool { return e.Seq == seq })
	if i < 0 {
		return fmt.Errorf("the recording has no event %d", seq)
	}
	p.changePlayback(func() { p.seek(i + 1) })
	return nil
}

// SeekTime goes to the state of the run at a time since its start, by the clock of the recorded run.
func (p *Player) SeekTime(since time.Duration) {
	if since <= 0 { // a run may take no time at all
		p.SeekStart()
		return
	}
	p.changePlayback(func() { p.seek(p.recording.eventCountAtElapsed(since)) })
}

// Progress is how much of a recording is visible: events, and the time since the first one, to a tenth of
// a second.
type Progress struct {
	VisibleCount, EventCount int
	Elapsed, Length          time.Duration
}

// Progress returns how much of the recording is visible.
func (p *Player) Progress() Progress {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.recording.Events)
	return Progress{p.visibleCount, n, p.recording.roundedElapsed(p.visibleCount), p.recording.roundedElapsed(n)}
}

// SeekStart goes to the start of the recording.
func (p *Player) SeekStart() { p.changePlayback(func() { p.seek(min(1, len(p.recording.Events))) }) }

// SeekEnd goes to the end of the recording.
func (p *Player) SeekEnd() { p.changePlayback(func() { p.seek(len(p.recording.Events)) }) }

// changePlayback calls do, which changes how the recording is played from the current position on.
func (p *Player) changePlayback(do func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.positionAtAnchor, p.anchorTime = p.playPosition(), time.Now()
	do()
	p.watchers.Notify()
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

// playPosition returns the playing time that the recording has reached.
func (p *Player) playPosition() time.Duration {
	if !p.isPlaying {
		return p.positionAtAnchor
	}
	pos := p.positionAtAnchor + time.Duration(float64(time.Since(p.anchorTime))*p.speed)
	if p.pauseIndex >= 0 && p.pauseIndex < len(p.recording.Events) {
		pos = min(pos, p.recording.playTimes[p.pauseIndex])
	}
	return min(pos, p.recording.playLength())
}

// seek shows the first n events.
func (p *Player) seek(n int) {
	p.finishLog()
	if n < p.visibleCount {
		p.watchers.Restart()
	}
	p.visibleCount, p.pauseIndex = n, -1
	if n > 0 {
		p.positionAtAnchor = p.recording.playTimes[n-1]
	}
	if n == len(p.recording.Events) {
		p.isPlaying = false
	}
	p.startLog()
}

// showDueEvents shows the events that are due. It returns the time until the next change, and false if the
// player is not playing, or no longer.
func (p *Player) showDueEvents() (rest time.Duration, isPlaying bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.isPlaying {
		return 0, false
	}
	pos := p.playPosition()
	due := p.recording.eventCountAtPlayTime(pos)
	if p.pauseIndex >= 0 {
		due = min(due, p.pauseIndex)
	}
	for p.visibleCount < due {
		p.visibleCount++
		if p.growingLog != nil && p.visibleCount > p.growingLog.endEventIndex {
			p.finishLog()
		}
		p.startLog()
		p.watchers.Notify()
	}
	if p.growingLog != nil {
		p.growingLog.growTo(p.recording.fractionBetween(p.growingLog.startEventIndex, p.growingLog.endEventIndex, pos))
	}
	if p.visibleCount == len(p.recording.Events) || p.pauseIndex >= 0 && p.visibleCount == p.pauseIndex && pos >= p.recording.playTimes[p.pauseIndex] {
		p.positionAtAnchor, p.isPlaying, p.pauseIndex = pos, false, -1
		p.watchers.Notify()
		return 0, false
	}
	rest = time.Duration(math.Ceil(float64(p.recording.playTimes[p.visibleCount]-pos) / p.speed))
	if p.growingLog != nil {
		rest = min(rest, logGrowInterval)
	}
	return max(rest, time.Millisecond), true
}

// startLog starts a growing log if the newest visible event started an action.
func (p *Player) startLog() {
	if p.visibleCount == 0 {
		return
	}
	if _, ok := p.recording.Events[p.visibleCount-1].Body.(*machine.ActionStarted); !ok {
		return
	}
	p.finishLog()
	if p.growingLog = p.newGrowingLog(p.visibleCount - 1); p.growingLog != nil {
		p.logByName[p.growingLog.logName] = p.growingLog.log
	}
}

// finishLog completes the growing log.
func (p *Player) finishLog() {
	if p.growingLog != nil {
		p.growingLog.growToEnd()
		p.growingLog = nil
	}
}
