package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/tui/draw"
	"playhead/tui/screen"
	"playhead/tui/timeline"
)

// spinner turns while a command runs, and only then: what shows of the past stands still.
type spinner struct {
	look     *draw.Look
	screen   *screen.Screen
	conn     *connection
	timeline *timeline.Timeline
	after    func(time.Duration) tea.Cmd // brings a tickMsg after a while

	ticking    bool
	lastChange time.Time // when something else moved
}

// How fast the spinner turns, as long as anything else moves, and how soon it turns with the clock
// alone: a frame is what costs the most in waiting for a silent command.
const (
	turnTime = 250 * time.Millisecond
	calmTime = 5 * time.Second
)

// start has the spinner turn in a while, if it is to turn and does not yet.
func (s *spinner) start(now time.Time) tea.Cmd {
	if s.ticking || s.timeline.ShowsEarlierMoment() || !s.conn.executes() || s.conn.status.State == engine.Paused {
		return nil
	}
	s.ticking = true
	if now.Sub(s.lastChange) < calmTime {
		return s.after(turnTime)
	}
	return s.after(time.Second - s.timeline.Live.Elapsed(now)%time.Second)
}

// advance turns the spinner.
func (s *spinner) advance() {
	if s.ticking = false; s.timeline.ShowsEarlierMoment() {
		return
	}
	s.look.Beat++
	s.screen.Steps.Redraw()
}

// tickMsg turns the spinner.
type tickMsg struct{}

// nextTick brings the next turn of the spinner.
func nextTick(d time.Duration) tea.Cmd { return later(d, tickMsg{}) }

// later brings a message after a while.
func later(d time.Duration, msg tea.Msg) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return msg })
}
