package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine/routes"
	"playhead/engine/runs"
	"playhead/parse/plan"
	"playhead/tui/draw"
)

// knownMsg is that, once it was looked up.
type knownMsg struct {
	known runs.Known
	err   error
}

// askCoverage looks up which routes other runs took, which may take a while.
func (m *Model) askCoverage() tea.Cmd {
	look, run := m.cfg.Known, m.live.Run
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
	for _, c := range []any{m.top(), m.covering} {
		if c, is := c.(*routeMap); is && c != nil {
			c.cover = nil
		}
	}
	if n := msg.known.Others; n > 0 {
		m.say("Not counted: " + draw.Count(n, "run") + " of other versions of this document.")
	}
}

// cover marks the steps in the tree that lead on in ways that no run has taken, or does
// not any more.
func (m *Model) cover() tea.Cmd {
	if m.covering != nil {
		m.covering, m.tree.never, m.tree.stale = nil, nil, true
		return nil
	}
	m.covering = m.mapOf(m.cfg.Plan, "")
	return m.askCoverage()
}

// settleCoverage counts anew what no run has taken, if something is known that was not.
func (m *Model) settleCoverage() {
	c := m.covering
	if c == nil {
		return
	}
	before, known := c.graph, c.cover
	c.sync(m)
	if m.tree.never != nil && c.graph == before && c.cover == known {
		return
	}
	m.tree.never, m.tree.stale = map[*plan.Step]int{}, true
	for _, n := range c.graph.Nodes {
		if n.Step != nil {
			m.tree.never[n.Step] = c.nevers(n)
		}
	}
}

func notCovered(m *Model) string {
	if !routes.Of(m.cfg.Plan).Written() {
		return "marks routes that no run has taken, and this document writes none"
	}
	return ""
}
