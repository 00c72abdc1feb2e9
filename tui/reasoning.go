package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine/sanitize"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
)

// reasoning is the card of what a model thought before it replied.
type reasoning struct {
	text string
	list.Scroller
}

func (r *reasoning) title(l *look) panes.Title {
	return panes.Title{Left: "Reasoning", Right: l.Muted.Paint(draw.Size(int64(len(r.text))) + " · not part of the reply")}
}

func (r *reasoning) all(l *look, w int) []string { return l.Wrap(sanitize.Text(r.text), w) }

func (r *reasoning) lines(l *look, w, h int) []string { return r.Window(l, r.all(l, w), h) }
func (r *reasoning) height(l *look, w int) int        { return len(r.all(l, w)) }
func (r *reasoning) Tall() bool                       { return true }

func (r *reasoning) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	if m.look.Keys.Is(k, "close", "reasoning") {
		m.close(r)
		return nil, true
	}
	return nil, r.Scrolled(m.look.Keys, k)
}

func (r *reasoning) hints(m *Model) []draw.Hint {
	return []draw.Hint{m.look.UpDown("scroll"), m.look.Press("close", "back")}
}

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
	m.open(&reasoning{text: m.output.reasoning()})
	return nil
}
