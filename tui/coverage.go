package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine/machine"
	"playhead/engine/routes"
	"playhead/engine/runs"
	"playhead/tui/draw"
	"playhead/tui/routemap"
)

// knownMsg is that, once it was looked up.
type knownMsg struct {
	known runs.Known
	err   error
}

// askCoverage looks up which routes other runs took, which may take a while.
func (m *Model) askCoverage() tea.Cmd {
	look, run := m.cfg.Known, m.timeline.Live.Run
	if look == nil {
		return nil
	}
	return func() tea.Msg {
		known, err := look(run)
		return knownMsg{known, err}
	}
}

// takeKnown takes that over.
func (m *Model) takeKnown(msg knownMsg) {
	if msg.err != nil {
		m.say(msg.err.Error())
		return
	}
	m.known = &msg.known
	if d, open := m.top().(*routemap.Map); open {
		d.Compare(m.known)
	}
	if m.coverage != nil {
		m.coverage.Compare(m.known)
	}
	if n := msg.known.Others; n > 0 {
		m.say("Not counted: " + draw.Count(n, "run") + " of other versions of this document.")
	}
}

// toggleCoverage marks the steps in the tree that have routes which no run has taken, or does
// not any more.
func (m *Model) toggleCoverage() tea.Cmd {
	if m.coverage != nil {
		m.coverage = nil
		m.steps.SetUntaken(nil)
		return nil
	}
	m.coverage = routemap.NewCoverage(m.view())
	if m.known != nil {
		m.coverage.Compare(m.known)
	}
	return m.askCoverage()
}

// openMap shows the map of the document that the selected step is in.
func (m *Model) openMap() tea.Cmd {
	d := routemap.New(m.view(), m.steps.Selected())
	if m.known != nil {
		d.Compare(m.known)
	}
	m.open(d)
	return m.askCoverage()
}

// settleMaps brings what is drawn and counted of the routes in line with the run.
func (m *Model) settleMaps() {
	d, open := m.top().(*routemap.Map)
	if !open && m.coverage == nil {
		return
	}
	run := m.view()
	if open {
		d.Sync(run)
	}
	if m.coverage != nil && m.coverage.Sync(run) {
		m.steps.SetUntaken(m.coverage.Untaken())
	}
}

// shownEvents are the events of the run up to the moment that the screen shows.
func (m *Model) shownEvents() []machine.Event {
	switch {
	case m.session == nil:
		return m.cfg.History
	case m.timeline.IsPast():
		return m.timeline.Until()
	}
	return m.timeline.Events
}

func notMapped(m *Model) string {
	if !routemap.HasSteps(m.view(), m.steps.Selected()) {
		return "shows the ways between steps, and this document has none"
	}
	return ""
}

func notCovered(m *Model) string {
	if !routes.Of(m.cfg.Plan).Written() {
		return "marks routes that no run has taken, and this document writes none"
	}
	return ""
}
