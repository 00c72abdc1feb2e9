package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/tui/draw"
	"playhead/tui/screen"
	"playhead/tui/timeline"
)

// spinner turns only while a command runs. It stands still while an earlier moment shows.
type spinner struct {
	look     *draw.Look
	screen   *screen.Screen
	conn     *connection
	timeline *timeline.Timeline
	after    func(time.Duration) tea.Cmd // sends a tickMsg after a delay

	ticking    bool
	lastChange time.Time // when something other than the spinner changed
}

// The spinner turns every turnTime while anything else changes. After calmTime without changes it turns once a
// second, with the clock, because frames cost the most while a command is silent.
const (
	turnTime = 250 * time.Millisecond
	calmTime = 5 * time.Second
)

// start schedules the next turn of the spinner, unless one is scheduled or nothing runs.
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

func (s *spinner) advance() {
	if s.ticking = false; s.timeline.ShowsEarlierMoment() {
		return
	}
	s.look.Beat++
	s.screen.Steps.Redraw()
}

type tickMsg struct{}

// nextTick sends a tickMsg after a delay.
func nextTick(d time.Duration) tea.Cmd { return after(d, tickMsg{}) }

// after sends a message after a delay.
func after(d time.Duration, msg tea.Msg) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return msg })
}
