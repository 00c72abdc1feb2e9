package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/tui/draw"
)

// toolName is a tool as people name it.
func toolName(server, tool string) string {
	if server == "" {
		return draw.Clean(tool)
	}
	return draw.Clean(server) + "/" + draw.Clean(tool)
}

// approvals has a person choose when they are asked before a model calls a tool.
func (m *Model) approvals() tea.Cmd {
	c := newSources([]model.Origin{
		{Name: machine.ApproveEach, About: "before each call"},
		{Name: machine.ApproveOnce, About: "before the first call of each tool"},
		{Name: machine.ApproveNone, About: "never"},
	}, m.track.Approve)
	c.name = "When are you asked before a model calls a tool?"
	c.done = func(policy string) tea.Cmd {
		return m.call(func(s session) error { return s.Approve(policy) })
	}
	m.open(c)
	return nil
}
