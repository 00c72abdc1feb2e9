package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog"
	"playhead/tui/dialog/question"
	"playhead/tui/draw"
	"playhead/tui/panes"
)

// card is what lies on the stack: a dialog.Dialog, or a rootCard.
type card any

// rootCard is a dialog that still works on the root.
type rootCard interface {
	title(l *look) panes.Title
	lines(l *look, w, h int) []string
	height(l *look, w int) int
	key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool)
	hints(*Model) []draw.Hint
}

// cardView is the title and the lines of a card.
func (m *Model) cardView(c card, box panes.Rect) (panes.Title, []string) {
	if d, is := c.(dialog.Dialog); is {
		run := m.view()
		if q, asks := c.(*question.Dialog); asks && m.layout.Shape == panes.Narrow {
			return q.Title(run), m.asking(q, box)
		}
		return d.Title(run), d.View(run, box.W, box.H)
	}
	return c.(rootCard).title(m.look), c.(rootCard).lines(m.look, box.W, box.H)
}

func (m *Model) cardHeight(c card, w int) int {
	if d, is := c.(dialog.Dialog); is {
		return d.Height(m.view(), w)
	}
	return c.(rootCard).height(m.look, w)
}

func (m *Model) isTall(c card) bool {
	d, is := c.(dialog.Dialog)
	return !is || d.Tall(m.view())
}

// hintsOf are the keys that a card offers.
func (m *Model) hintsOf(c card) []draw.Hint {
	if d, is := c.(dialog.Dialog); is {
		return d.Hints(m.view())
	}
	return c.(rootCard).hints(m)
}

// tellCard hands a key, a paste or a click to a card that works on the root.
func tellCard(m *Model, c card, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return c.(rootCard).key(m, msg)
	case tea.PasteMsg:
		if to, takes := c.(interface{ paste(*Model, string) }); takes {
			to.paste(m, msg.Content)
			return nil, true
		}
	case dialog.Click:
		if to, clicks := c.(clickable); clicks {
			return to.click(msg.X, msg.Y), true
		}
	}
	return nil, false
}

// covers reports whether a card takes the whole screen.
func covers(c card) bool {
	d, can := c.(dialog.FullScreen)
	return can && d.IsFullScreen()
}

// writes reports whether a card takes keys as text.
func writes(c card) bool {
	d, can := c.(dialog.Writer)
	return can && d.Writing()
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

// queueBelow puts a card below those that show, without the focus: what the person
// types next is not meant for it.
func (m *Model) queueBelow(c card) {
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
