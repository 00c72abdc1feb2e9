package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/control"
	"playhead/tui/dialog/intervene"
	"playhead/tui/panes"
	"playhead/tui/request"
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

// rewind goes back to the event that is selected, once the person has seen what that
// does not undo.
func (m *Model) rewind() tea.Cmd {
	do := request.Do{Action: "rewind", Args: control.Args{Event: m.timeline.Events[m.timeline.Index()].Seq}}
	if m.replays() { // nothing is undone by it
		return m.carryOut(nil, []tea.Msg{request.ShowNow{}, do})
	}
	return m.carryOut(nil, intervene.Ask(m.view(), do, request.ShowNow{}))
}

func notRewindable(m *Model) string {
	switch {
	case !m.why.ShowsHistory() || m.focus != panes.Why:
		return "goes back to an event: {history} shows them"
	case !m.timeline.IsPast():
		return "does nothing: this is where the run is; ↑ selects an earlier event"
	}
	return ""
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
		return forkedMsg{run}
	}
}

func notForkable(m *Model) string {
	if m.cfg.Fork == nil || len(m.timeline.Events) == 0 {
		return "does nothing: the run has not started"
	}
	return ""
}
