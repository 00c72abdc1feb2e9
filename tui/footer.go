package tui

// footer is the last line: a message until the next key, else the keys that make
// sense now.
func (m *Model) footer() string {
	l := m.look
	room := m.layout.w - 4
	text := ""
	if m.message != "" {
		text = l.Warn.Paint(l.cut(m.message, room))
	} else {
		text = m.keysNow(room)
	}
	return l.Border.Paint("╰") + " " + text + " " + l.Border.Paint(rule(room-l.width(text))+"╯")
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
