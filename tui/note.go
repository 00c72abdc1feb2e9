package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/panes"
)

// note is the card of one line of text: a note, or the reason of an intervention.
type note struct {
	name string
	does string // what enter does with it: keep, pass, jump
	done func(string) tea.Cmd
	help []string // what can be written, above the line
	form.OneLine
}

func newNote(name, text, does string, done func(string) tea.Cmd) *note {
	return &note{name: name, does: does, done: done, OneLine: form.OneLine{Text: text}}
}

func (n *note) title(*look) panes.Title { return panes.Title{Left: n.name} }
func (n *note) tall() bool              { return len(n.help) > 0 }

func (n *note) height(l *look, w int) int { return len(n.help) + n.OneLine.Height(l, w) }

// lines is the line, and above it as much of the help as there is room for.
func (n *note) lines(l *look, w, h int) []string {
	var out []string
	for _, s := range n.help[:max(0, min(len(n.help), h-1))] {
		out = append(out, l.Muted.Paint(l.Cut(s, w)))
	}
	return append(out, n.OneLine.Lines(l, w, h-len(out))...)
}

// key types. Its own keys are enter and esc alone, so any text can be written.
func (n *note) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	switch keys := m.look.Keys; {
	case keys.Is(k, "accept"):
		m.close(n)
		return n.done(n.Value()), true
	case keys.Is(k, "close"):
		m.close(n)
		return nil, true
	case keys.Is(k, "cancel"):
		return nil, false
	}
	n.Write(m.look, k)
	return nil, true
}

func (n *note) hints(m *Model) []draw.Hint {
	return []draw.Hint{m.look.Press("accept", n.does), m.look.Press("close", "back")}
}
