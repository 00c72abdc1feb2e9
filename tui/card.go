package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/draw"
	"playhead/tui/panes"
)

// A card asks a person something, or tells what needs to be told, in the lower
// right. Cards lie on each other; only the top one shows.
type card interface {
	// title is the line above the card.
	title(l *look) panes.Title
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
	hints(*Model) []draw.Hint
}

// covers reports whether a card takes the whole screen.
func covers(c card) bool {
	w, ok := c.(interface{ whole() bool })
	return ok && w.whole()
}

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
	if m.focus != panes.Card {
		m.back = m.focus
	}
	m.focus = panes.Card
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
	if len(m.cards) == 0 && m.focus == panes.Card {
		m.focus = m.back
		if m.focus == panes.Output && m.printless() {
			m.focus = m.split.Home()
		}
		m.direct()
	}
	m.reflow()
}

// clickable is a card in which the pointer selects.
type clickable interface{ click(x, y int) tea.Cmd }

// writer is a card that may take every key as text.
type writer interface{ writing() bool }
