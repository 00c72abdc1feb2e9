package tui

import (
	"playhead/engine"
)

// footer is the last line: a message until the next key, else the keys that make
// sense now.
func (m *Model) footer() string {
	l := m.look
	room := m.layout.w - 4
	text := ""
	switch {
	case m.message != "":
		text = l.Warn.Paint(l.cut(m.message, room))
	default:
		text = m.keysNow(room)
	}
	return l.Border.Paint("╰") + " " + text + " " + l.Border.Paint(rule(room-l.width(text))+"╯")
}

// keysNow sets the hints that fit, help always among them.
func (m *Model) keysNow(room int) string {
	hints := m.hints()
	last := hint{"?", "help"}
	if m.output.typing || m.output.search.editing {
		last = hint{}
	}
	if last.key != "" {
		room -= m.look.width(last.key+" "+last.text) + 2
	}
	s, at := "", 2
	add := func(h hint) {
		if s != "" {
			s += "  "
			at += 2
		}
		w := m.look.width(h.key) + 1 + m.look.width(h.text)
		m.spots = append(m.spots, spot{at, at + w, h.key})
		s += m.look.Key.Paint(h.key) + " " + h.text
		at += w
	}
	for _, h := range hints {
		w := m.look.width(h.key) + 1 + m.look.width(h.text)
		if at-2+2+w > room {
			break
		}
		add(h)
	}
	if last.key != "" {
		add(last)
	}
	return s
}

// hints are the keys to offer, the likeliest first.
func (m *Model) hints() []hint {
	switch {
	case m.output.typing:
		return []hint{{endTyping, "ends typing: every other key goes to the command"}}
	case m.output.search.editing:
		return []hint{{"enter", "keep"}, {"esc", "forget"}}
	case m.focus == cardPane && m.top() != nil:
		return m.top().hints()
	}
	var out []hint
	for _, name := range append(m.ofPane(), m.ofState()...) {
		a := actionNamed(name)
		if a.in != nil && !a.in[m.focus] || a.not != nil && a.not(m) != "" {
			continue
		}
		out = append(out, hint{shown(a.keys)[0], a.short})
	}
	return out
}

// ofPane names the actions that the pane with focus is for.
func (m *Model) ofPane() []string {
	switch m.focus {
	case outputPane:
		if m.output.search.shown() {
			return []string{"next-match", "previous-match", "find"}
		}
		return []string{"type", "find", "wrap", "last"}
	case whyPane:
		return []string{"values", "history"}
	case detailPane:
		return []string{"raw"}
	}
	return nil
}

// ofState names the actions that the run's state calls for.
func (m *Model) ofState() []string {
	var run []string
	switch m.status.State {
	case engine.Running:
		run = []string{"pause", "cancel", "continue"}
	case engine.Paused:
		run = []string{"continue", "over", "into", "out", "run-to", "again", "skip", "jump"}
	case engine.Waits:
		run = []string{"answer", "pass", "fail", "skip", "jump"}
	default:
		run = []string{"answer", "again", "jump"}
	}
	return append(run, "output", "why", "next-pane", "quit")
}
