package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog/longtext"
	"playhead/tui/draw"
)

// reasoning is what was thought before the reply that the pane shows.
func (o *output) reasoning() string {
	if o.action == nil {
		return ""
	}
	return o.action.Reasoning
}

// room is how many of h lines the log has.
func (o *output) room(h int) int {
	h -= o.listed(h)
	if o.reasoning() != "" {
		return h - 1
	}
	return h
}

// folded is the line that stands for the reasoning, above the reply.
func (o *output) folded(l *look, w int) []string {
	if o.reasoning() == "" {
		return nil
	}
	return []string{l.Fit(l.Muted.Paint("▸ reasoning, "+draw.Size(int64(len(o.reasoning())))+" · ")+l.Key.Paint(l.Keys.Name("reasoning"))+l.Muted.Paint(" opens it"), w)}
}

// openReasoning opens the reasoning.
func (m *Model) openReasoning() tea.Cmd {
	m.open(longtext.Reasoning(m.output.reasoning()))
	return nil
}
