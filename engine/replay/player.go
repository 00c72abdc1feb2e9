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

// ErrReplay is the error of every method that would change the run.
var ErrReplay = errors.New("this is a replay: nothing is executed, and nothing can be changed")

// The slowest and the fastest that a recording is played: how many seconds of it pass in one.
const (
	Slowest = 0.25
	Fastest = 16
)

// frame is how often a log grows while it does.
const frame = 50 * time.Millisecond

// Player plays a recording to its watchers. All methods can be called at any time from
// anywhere.
type Player struct {
	recording *Recording
	logFile   func(name string) logs.File

	mu          sync.Mutex
	visible     int           // events that show
	pos         time.Duration // on the recording, at the moment anchor
	anchor      time.Time
	speed       float64
	playing     bool
	atOnce      bool // playing takes no time
	pauseBefore int  // the index of the event to pause before; -1: none
	growing     *growingLog
	logs        map[string]*logs.Log
	watchers    engine.Watchers
	wake        chan struct{}
	closed      chan struct{} // closed by Close
	close       sync.Once
}

// New makes a player that stands at the start of the recording. logFile says where the file of
// a log is.
func New(t *Recording, logFile func(name string) logs.File) *Player {
	return &Player{
		recording: t, logFile: logFile, speed: 1, pauseBefore: -1, anchor: time.Now(),
		logs: map[string]*logs.Log{}, wake: make(chan struct{}, 1), closed: make(chan struct{}),
	}
}

// Run plays until ctx ends or Close is called, also when the recording is over: one may go
// back in it.
func (p *Player) Run(ctx context.Context) (engine.Ending, error) {
	for {
		rest, moving := p.advance()
		var due <-chan time.Time
		if moving {
			due = time.After(rest)
		}
		select {
		case <-ctx.Done():
			return engine.Ending{}, nil
		case <-p.closed:
			return engine.Ending{}, nil
		case <-p.wake:
		case <-due:
		}
	}
}

// Close ends the playing.
func (p *Player) Close() { p.close.Do(func() { close(p.closed) }) }

// Now returns the time on the clock of the recorded run.
func (p *Player) Now() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.recording.Time(p.position())
}

// Length returns how long the recorded run took, by its own clock.
func (p *Player) Length() time.Duration {
	if n := len(p.recording.recordedTimes); n > 0 {
		return p.recording.recordedTimes[n-1]
	}
	return 0
}

// Speed returns how many seconds of the recording pass in one second.
func (p *Player) Speed() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.speed
}

// FitsSpeed returns an error if a recording cannot be played at a speed.
func FitsSpeed(speed float64) error {
	if !(Slowest <= speed && speed <= Fastest) { // NaN is no speed either
		return fmt.Errorf("a speed is a number from %g to %g, not %g", Slowest, float64(Fastest), speed)
	}
	return nil
}

// SetSpeed plays at a speed that fits, and refuses others.
func (p *Player) SetSpeed(speed float64) error {
	if err := FitsSpeed(speed); err != nil {
		return err
	}
	p.change(func() { p.speed = speed })
	return nil
}

// AtOnce makes Go jump to its destination instead of playing up to it, for output that nobody watches.
func (p *Player) AtOnce() { p.change(func() { p.atOnce = true }) }

// Faster doubles the speed, or halves it for less than 0, as far as that fits.
func (p *Player) Faster(by int) {
	p.change(func() { p.speed = max(Slowest, min(math.Ldexp(p.speed, by), Fastest)) })
}

// Go plays on: to the next entry of the step with the label, if there is one; else one step, or with
// engine.Continue to the end.
func (p *Player) Go(mode engine.Mode, to string) error {
	var err error
	p.change(func() {
		p.pauseBefore = -1
		switch {
		case to != "":
			at := p.recording.entered(to, p.visible)
			if at < p.visible {
				err = unreachableError(to, at)
				return
			}
			p.pauseBefore = at
		case mode != engine.Continue:
			p.pauseBefore = p.recording.entry(p.visible, 1)
		}
		if p.atOnce {
			p.seek(p.goal())
			return
		}
		p.playing = true
	})
	return err
}

// goal returns the number of events to show before the player pauses.
func (p *Player) goal() int {
	if p.pauseBefore < 0 {
		return len(p.recording.Events)
	}
	return p.pauseBefore
}

// Play plays on.
func (p *Player) Play() { _ = p.Go(engine.Continue, "") } // without a label it cannot fail

// Pause stops where it is.
func (p *Player) Pause() error {
	p.change(func() { p.playing = false })
	return nil
}

// Jump goes to where a step is entered next, else to where it was last.
func (p *Player) Jump(step, _ string) error {
	var err error
	p.change(func() {
		at := p.recording.entered(step, p.visible-1)
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
		return errors.New("the run never reached " + step)
	}
	return errors.New("the run does not reach " + step + " again")
}

// Undo goes back to where the step before was entered.
func (p *Player) Undo() error { return p.skip(-1) }

// Redo goes on to where the next step is entered.
func (p *Player) Redo() error { return p.skip(1) }

func (p *Player) skip(by int) error {
	p.change(func() { p.seek(min(p.recording.entry(p.visible-1, by)+1, len(p.recording.Events))) })
	return nil
}

// Rewind goes to an event, by its number.
func (p *Player) Rewind(seq int) error {
	i := slices.IndexFunc(p.recording.Events, func(e machine.Event) bool { return e.Seq == seq })
	if i < 0 {
		return fmt.Errorf("the recording has no event %d", seq)
	}
	p.change(func() { p.seek(i + 1) })
	return nil
}

// SeekTime goes to the state of the run at a time since its start, by the clock of the recorded run.
func (p *Player) SeekTime(since time.Duration) {
	if since <= 0 { // a run may take no time at all
		p.Start()
		return
	}
	p.change(func() { p.seek(p.recording.eventsUntil(since)) })
}

// Place is how much of a recording shows: of its events, and of the time between the first
// and the last one, to a tenth of a second.
type Place struct {
	Event, Events int
	Since, Length time.Duration
}

// Place returns where the recording stands.
func (p *Player) Place() Place {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.recording.Events)
	return Place{p.visible, n, p.recording.recordedTime(p.visible), p.recording.recordedTime(n)}
}

// Start goes to the start of the recording.
func (p *Player) Start() { p.change(func() { p.seek(min(1, len(p.recording.Events))) }) }

// End goes to the end of the recording.
func (p *Player) End() { p.change(func() { p.seek(len(p.recording.Events)) }) }

// change changes how it is played, from the position where it is.
func (p *Player) change(do func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pos, p.anchor = p.position(), time.Now()
	do()
	p.watchers.Notify()
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// position returns the playing time that the recording has reached.
func (p *Player) position() time.Duration {
	if !p.playing {
		return p.pos
	}
	pos := p.pos + time.Duration(float64(time.Since(p.anchor))*p.speed)
	if p.pauseBefore >= 0 && p.pauseBefore < len(p.recording.Events) {
		pos = min(pos, p.recording.playTimes[p.pauseBefore])
	}
	return min(pos, p.recording.Length())
}

// seek shows the first n events.
func (p *Player) seek(n int) {
	p.stop()
	if n < p.visible {
		p.watchers.Restart()
	}
	p.visible, p.pauseBefore = n, -1
	if n > 0 {
		p.pos = p.recording.playTimes[n-1]
	}
	if n == len(p.recording.Events) {
		p.playing = false
	}
	p.begin()
}

// advance shows what is due, and says how long it is to what is next.
func (p *Player) advance() (rest time.Duration, moving bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.playing {
		return 0, false
	}
	pos := p.position()
	due := p.recording.EventCountAt(pos)
	if p.pauseBefore >= 0 {
		due = min(due, p.pauseBefore)
	}
	for p.visible < due {
		p.visible++
		if p.growing != nil && p.visible > p.growing.to {
			p.stop()
		}
		p.begin()
		p.watchers.Notify()
	}
	if p.growing != nil {
		p.growing.growTo(p.recording.share(p.growing.from, p.growing.to, pos))
	}
	if p.visible == len(p.recording.Events) || p.pauseBefore >= 0 && p.visible == p.pauseBefore && pos >= p.recording.playTimes[p.pauseBefore] {
		p.pos, p.playing, p.pauseBefore = pos, false, -1
		p.watchers.Notify()
		return 0, false
	}
	rest = time.Duration(math.Ceil(float64(p.recording.playTimes[p.visible]-pos) / p.speed))
	if p.growing != nil {
		rest = min(rest, frame)
	}
	return max(rest, time.Millisecond), true
}

// begin begins the log of what the newest event started.
func (p *Player) begin() {
	if p.visible == 0 {
		return
	}
	if _, ok := p.recording.Events[p.visible-1].Body.(*machine.ActionStarted); !ok {
		return
	}
	p.stop()
	if p.growing = p.newGrowingLog(p.visible - 1); p.growing != nil {
		p.logs[p.growing.file] = p.growing.log
	}
}

// stop ends the log that grows, which gets the rest at once.
func (p *Player) stop() {
	if p.growing != nil {
		p.growing.growToEnd()
		p.growing = nil
	}
}
