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
	drawContext *draw.Context
	screen      *screen.Screen
	conn        *runConnection
	timeline    *timeline.Timeline
	sendTick    func(time.Duration) tea.Cmd // sends a spinnerTickMsg after a delay

	isTickPending bool
	lastChange    time.Time // when something other than the spinner changed
}

// The spinner turns several times a second while anything else changes. After a while without changes
// it turns once a second, with the clock, because frames cost the most while a command is silent.
const (
	spinnerTurnInterval = 250 * time.Millisecond
	slowSpinnerDelay    = 5 * time.Second
)

// scheduleTurn schedules the next turn of the spinner, unless one is scheduled or nothing runs.
func (s *spinner) scheduleTurn(now time.Time) tea.Cmd {
	if s.isTickPending || s.timeline.ShowsEarlierMoment() || !s.conn.isActionRunning() || s.conn.status.State == engine.Paused {
		return nil
	}
	s.isTickPending = true
	if now.Sub(s.lastChange) < slowSpinnerDelay {
		return s.sendTick(spinnerTurnInterval)
	}
	return s.sendTick(time.Second - s.timeline.LiveTrack.ActiveTime(now)%time.Second)
}

func (s *spinner) turn() {
	if s.isTickPending = false; s.timeline.ShowsEarlierMoment() {
		return
	}
	s.drawContext.SpinnerFrame++
	s.screen.Steps.Redraw()
}

type spinnerTickMsg struct{}

// nextSpinnerTick sends a spinnerTickMsg after a delay.
func nextSpinnerTick(d time.Duration) tea.Cmd { return sendMsgAfter(d, spinnerTickMsg{}) }

// sendMsgAfter sends a message after a delay.
func sendMsgAfter(d time.Duration, msg tea.Msg) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return msg })
}
