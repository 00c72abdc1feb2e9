package tui

import tea "charm.land/bubbletea/v2"

// A card asks a person something, or tells what needs to be told, in the lower
// right. Cards lie on each other; only the top one shows.
type card interface {
	// title is the line above the card.
	title(l *look) title
	// lines is what the card says, w cells wide. A card that is too small shows
	// part of it.
	lines(l *look, w, h int) []string
	// height is how many lines the card would like to have.
	height(l *look, w int) int
	// tall reports whether the card may cover the output.
	tall() bool
	// key does what a key means to the card, and reports whether it means anything.
	key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool)
	// hints are the keys that the last line offers.
	hints(*Model) []hint
}

// covers reports whether a card takes the whole screen.
func covers(c card) bool {
	w, ok := c.(interface{ whole() bool })
	return ok && w.whole()
}

// hint is a key and what it does, as the last line shows it.
type hint struct{ key, text string }

// top is the card that shows, or nil.
func (m *Model) top() card {
	if len(m.cards) == 0 {
		return nil
	}
	return m.cards[len(m.cards)-1]
}

// open lays a card on top and gives it the focus.
func (m *Model) open(c card) {
	if m.top() != c {
		m.cards = append(m.cards, c)
	}
	if m.focus != cardPane {
		m.back = m.focus
	}
	m.focus = cardPane
	m.reflow()
}

// slip puts a card below those that show, without the focus: what the person
// types next is not meant for it.
func (m *Model) slip(c card) {
	m.cards = append([]card{c}, m.cards...)
	m.reflow()
}

// close takes a card away, wherever it lies.
func (m *Model) close(c card) {
	for i := range m.cards {
		if m.cards[i] == c {
			m.cards = append(m.cards[:i:i], m.cards[i+1:]...)
			break
		}
	}
	if len(m.cards) == 0 && m.focus == cardPane {
		m.focus = m.back
		if m.focus == outputPane && m.printless() {
			m.focus = m.split.home()
		}
		m.direct()
	}
	m.reflow()
}

// scroller is the part of a card that can be longer than its place.
type scroller struct{ top int }

func (s *scroller) window(l *look, all []string, h int) []string {
	s.top = max(0, min(s.top, len(all)-h))
	out := all[s.top:min(len(all), s.top+max(0, h))]
	if rest := len(all) - s.top - h; rest > 0 && h > 0 {
		out = append(out[:h-1:h-1], l.Muted.Paint("↓ "+count(rest+1, "more line")))
	}
	return out
}

// scrolled does what the moving keys mean to a text.
func (s *scroller) scrolled(k tea.KeyPressMsg) bool {
	by, ok := map[string]int{
		"up": -1, "k": -1, "down": 1, "j": 1, "pgup": -10, "pgdown": 10, "home": -1 << 30, "g": -1 << 30, "end": 1 << 30, "G": 1 << 30,
	}[k.String()]
	s.top = max(0, s.top+by)
	return ok
}
