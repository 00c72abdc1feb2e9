package tui

import (
	"slices"
	"strings"

	"playhead/tui/cells"
	"playhead/tui/draw"
)

// footer is the last line: a message until the next key, else the keys that make sense
// now. A long message takes lines above it.
func (m *Model) footer() string {
	l := m.look
	room := m.layout.W - 4
	lines := m.messageLines(room)
	if lines == nil {
		lines = []string{m.keysNow(room)}
	}
	var b strings.Builder
	last := len(lines) - 1
	for _, line := range lines[:last] {
		b.WriteString(l.Border.Paint("│") + " " + l.Fit(line, room) + " " + l.Border.Paint("│") + "\n")
	}
	b.WriteString(l.Border.Paint("╰") + " " + lines[last] + " " + l.Border.Paint(cells.Rule(room-l.Width(lines[last]))+"╯"))
	return b.String()
}

// mostSaid is how many lines a message takes at most.
const mostSaid = 4

// messageLines are the message in lines of at most w cells.
func (m *Model) messageLines(w int) []string {
	lines := m.look.Wrap(m.message, w)
	if len(lines) > mostSaid {
		rest := strings.Join(lines[mostSaid-1:], " ")
		lines = append(lines[:mostSaid-1], m.look.Cut(rest, w))
	}
	for i := range lines {
		lines[i] = m.look.Warn.Paint(lines[i])
	}
	return lines
}

// keysNow sets the hints that fit, and behind them those that always do.
func (m *Model) keysNow(room int) string {
	last := m.always()
	for _, h := range last {
		room -= m.wide(h) + draw.HintGap
	}
	return m.set(append(m.affordable(m.hints(), room), last...))
}

// affordable are the first of the hints, as many as there is room for. The way out is
// among them, whatever stands before it.
func (m *Model) affordable(all []draw.Hint, room int) []draw.Hint {
	out := slices.IndexFunc(all, func(h draw.Hint) bool { return h.Key == m.look.Keys.Name("close") })
	for i, h := range all {
		kept := 0
		if i < out {
			kept = m.wide(all[out]) + draw.HintGap
		}
		rest := room - m.wide(h) - draw.HintGap
		switch {
		case rest-kept >= -draw.HintGap:
			room = rest
		case i < out && room-kept >= -draw.HintGap:
			return append(all[:i:i], all[out])
		default:
			return all[:i]
		}
	}
	return all
}

func (m *Model) wide(h draw.Hint) int { return m.look.Width(h.Key) + 1 + m.look.Width(h.Text) }

// keyOf is the key that a click on a hint presses.
func (m *Model) keyOf(h draw.Hint) string {
	if keys := m.look.Keys.Keys(h.Action); len(keys) > 0 {
		return keys[0]
	}
	return h.Key
}

// set writes hints, and notes where they can be clicked.
func (m *Model) set(hints []draw.Hint) string {
	s, at := "", 2
	for i, h := range hints {
		if i > 0 {
			s += cells.Spaces(draw.HintGap)
			at += draw.HintGap
		}
		w := m.wide(h)
		m.targets = append(m.targets, clickTarget{m.layout.H - 1, at, at + w, m.keyOf(h)})
		s += m.look.Key.Paint(h.Key) + " " + h.Text
		at += w
	}
	return s
}
