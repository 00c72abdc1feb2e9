package tui

import (
	"playhead/engine"
	"playhead/engine/track"
)

// upcoming is the instance of a step that a paused run is about to enter.
type upcoming struct {
	track.Foreseen
	count int // of the track's events, when it was foreseen
}

// next is the row that a paused run is about to enter, or nil.
func (m *Model) next() *track.Row {
	n := m.status.Next
	if m.status.State != engine.Paused || n == nil || m.past() {
		return nil
	}
	if r := m.track.Row(n.Step); r != nil {
		return r
	}
	return m.tree.upcoming.At
}

// foresee keeps what is upcoming in line with the run.
func (m *Model) foresee() {
	n, was := m.status.Next, m.tree.upcoming
	switch {
	case m.status.State != engine.Paused || n == nil || m.past():
		m.tree.upcoming = upcoming{}
	case was.At == nil || was.At.Label != n.Step || was.count != m.track.Count:
		m.tree.upcoming = upcoming{m.track.Foresee(*n), m.track.Count}
	}
	if m.tree.upcoming.At != was.At {
		m.tree.shape = -1
	}
}

// syncTree brings the tree in line with the run.
func (m *Model) syncTree() {
	m.foresee()
	m.tree.sync(m.track, m.position())
}
