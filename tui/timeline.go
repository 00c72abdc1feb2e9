package tui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/tui/dialog/intervene"
	"playhead/tui/panes"
	"playhead/tui/request"
)

// The history is a timeline: the event that is selected in it is the one up to which
// the whole screen shows the run. The run itself goes on meanwhile.

// past reports whether the screen shows the run as it was.
func (m *Model) past() bool { return m.track != m.live }

// lookBack shows the run as it was after the event that is selected.
func (m *Model) lookBack() {
	i := m.why.at
	if m.why.sheet != history || m.why.follow || i >= len(m.events)-1 {
		m.present(m.live)
		return
	}
	m.present(m.was.At(m.events, i+1))
}

// shown is what the session does, which belongs to now.
func (m *Model) shown() engine.Status {
	if m.past() {
		return engine.Status{}
	}
	return m.status
}

// moment is the time of what shows: when one looks back, clocks stand still.
func (m *Model) moment() time.Time {
	if m.past() {
		return m.track.Last
	}
	if m.replays() {
		return m.cfg.Play.Now()
	}
	return m.now
}

// present makes the screen show another state of the run.
func (m *Model) present(tr *track.Track) {
	if tr == m.track {
		return
	}
	m.track = tr
	m.tree.Show(tr)
	m.syncTree()
	m.seen = detailStamp{}
}

// takeOver takes events over: more of the run, or all of another branch of it.
func (m *Model) takeOver(u engine.Update) {
	if u.Anew {
		m.events, m.live, m.was = nil, track.New(m.cfg.Plan), track.NewPast(track.New(m.cfg.Plan))
		m.why.at, m.why.follow = 0, true
	}
	shown := !m.past() || u.Anew
	m.events = append(m.events, u.Events...)
	m.live.Fold(u.Events...)
	waits := ""
	if q := u.Status.Question; q != nil {
		waits = q.Action.Step
	}
	m.live.Await(waits)
	if shown {
		m.present(m.live)
	}
	m.why.stale = true
}

// backToNow shows the run as it is.
func (m *Model) backToNow() {
	m.why.follow = true
	m.why.stale = true
	m.present(m.live)
}

// rewind goes back to the event that is selected, once the person has seen what that
// does not undo.
func (m *Model) rewind() tea.Cmd {
	do := request.Do{Action: "rewind", Args: control.Args{Event: m.events[m.why.at].Seq}}
	if m.replays() { // nothing is undone by it
		return m.carryOut(nil, []tea.Msg{request.ShowNow{}, do})
	}
	return m.carryOut(nil, intervene.Ask(m.view(), do, request.ShowNow{}))
}

// then says which moment the screen shows.
func (m *Model) then() string {
	e := m.events[min(m.why.at, len(m.events)-1)]
	return fmt.Sprintf("as of event %d of %d", e.Seq, m.events[len(m.events)-1].Seq)
}

func notRewindable(m *Model) string {
	switch {
	case m.why.sheet != history || m.focus != panes.Why:
		return "goes back to an event: {history} shows them"
	case !m.past():
		return "does nothing: this is where the run is; ↑ selects an earlier event"
	}
	return ""
}

// forkHere makes a run of its own of the run as it is, or as it was after the event
// that is selected.
func (m *Model) forkHere() tea.Cmd {
	seq, make := m.events[len(m.events)-1].Seq, m.cfg.Fork
	if m.past() {
		seq = m.events[m.why.at].Seq
	}
	return func() tea.Msg {
		run, err := make(seq)
		if err != nil {
			return calledMsg{err}
		}
		return forkedMsg{run}
	}
}

func notForkable(m *Model) string {
	if m.cfg.Fork == nil || len(m.events) == 0 {
		return "does nothing: the run has not started"
	}
	return ""
}

// next is the row that a paused run is about to enter, or nil.
func (m *Model) next() *track.Row {
	n := m.nextEvent()
	if n == nil {
		return nil
	}
	if r := m.track.Row(n.Step); r != nil {
		return r
	}
	return m.tree.Upcoming.At
}

// nextEvent is what a paused run comes to next, or nil.
func (m *Model) nextEvent() *machine.Event {
	if m.status.State != engine.Paused || m.past() {
		return nil
	}
	return m.status.Next
}

// syncTree brings the tree in line with the run.
func (m *Model) syncTree() {
	m.tree.Foresee(m.track, m.nextEvent())
	m.tree.Sync(m.track, m.position())
}
