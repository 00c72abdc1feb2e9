package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/session"
)

// The history is a timeline: the event that is selected in it is the one up to which
// the whole screen shows the run. The run itself goes on meanwhile.

// moment is the time of what shows: when one looks back, clocks stand still.
func (m *Model) moment() time.Time {
	if m.timeline.IsPast() {
		return m.timeline.Shown.Last
	}
	if m.replays() {
		return m.cfg.Play.Now()
	}
	return m.now
}

// forkHere makes a run of its own of the run as it is, or as it was after the event
// that is selected.
func (m *Model) forkHere() tea.Cmd {
	seq, make := m.timeline.Events[m.timeline.Index()].Seq, m.cfg.Fork
	return func() tea.Msg {
		run, err := make(seq)
		if err != nil {
			return session.Failed{Err: err}
		}
		return runForkedMsg{run}
	}
}

func canFork(m *Model) string {
	if m.cfg.Fork == nil || len(m.timeline.Events) == 0 {
		return "does nothing: the run has not started"
	}
	return ""
}
