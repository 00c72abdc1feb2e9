package tui

import "strings"

// footer is the last line: a message until the next key, else the keys that make sense
// now. A long message takes lines above it.
func (m *Model) footer() string {
	l := m.look
	room := m.layout.w - 4
	lines := m.said(room)
	if lines == nil {
		lines = []string{m.keysNow(room)}
	}
	var b strings.Builder
	last := len(lines) - 1
	for _, line := range lines[:last] {
		b.WriteString(l.Border.Paint("│") + " " + l.fit(line, room) + " " + l.Border.Paint("│") + "\n")
	}
	b.WriteString(l.Border.Paint("╰") + " " + lines[last] + " " + l.Border.Paint(rule(room-l.width(lines[last]))+"╯"))
	return b.String()
}

// mostSaid is how many lines a message takes at most.
const mostSaid = 4

// said is the message in lines of at most w cells.
func (m *Model) said(w int) []string {
	lines := m.look.wrap(m.message, w)
	if len(lines) > mostSaid {
		rest := strings.Join(lines[mostSaid-1:], " ")
		lines = append(lines[:mostSaid-1], m.look.cut(rest, w))
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
		room -= m.wide(h) + hintGap
	}
	var fit []hint
	for _, h := range m.hints() {
		if room -= m.wide(h) + hintGap; room < -hintGap {
			break
		}
		fit = append(fit, h)
	}
	return m.set(append(fit, last...))
}

// hintGap is the room between two hints.
const hintGap = 2

func (m *Model) wide(h hint) int { return m.look.width(h.key) + 1 + m.look.width(h.text) }

// set writes hints, and notes where they can be clicked.
func (m *Model) set(hints []hint) string {
	s, at := "", 2
	for i, h := range hints {
		if i > 0 {
			s += spaces(hintGap)
			at += hintGap
		}
		w := m.wide(h)
		m.spots = append(m.spots, spot{at, at + w, h.key})
		s += m.look.Key.Paint(h.key) + " " + h.text
		at += w
	}
	return s
}
