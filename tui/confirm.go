package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
)

// confirm is the card that asks before something is lost.
type confirm struct {
	name  string
	about func() string // what is at stake, which may change while the card shows
	moot  func() string // why there is nothing to ask any more, "" while there is
	yes   func() tea.Cmd
	stays []string // deeds that are not undone by it
	words string
	list.Scroller
}

// confirm asks.
func (m *Model) confirm(c *confirm) tea.Cmd {
	c.words = c.about()
	m.open(c)
	return nil
}

// reconsider brings the cards that ask in line with the run. One that has nothing
// to ask any more goes, and with it a key that was on its way to it. Between two
// commands the words stay.
func (m *Model) reconsider() {
	between := m.status.State == engine.Running && !m.commandRuns()
	for _, open := range slices.Clone(m.cards) {
		c, ok := open.(*confirm)
		if !ok {
			continue
		}
		if why := c.moot(); why != "" {
			m.close(c)
			m.hush(briefLull, why)
		} else if words := c.about(); words != c.words && !between {
			c.words = words
			m.reflow()
		}
	}
}

func (c *confirm) title(l *look) panes.Title { return panes.Title{Left: c.name} }

// lines end with what can be said, however much there is to read.
func (c *confirm) lines(l *look, w, h int) []string {
	return append(c.Window(l, c.body(l, w), h-1), l.Key.Paint(l.Keys.Name("yes"))+" yes  "+l.Key.Paint(l.Keys.Name("no"))+" no")
}

// body is what is at stake: in words, and every deed that stays done on a line of its own.
func (c *confirm) body(l *look, w int) []string {
	out := l.Wrap(c.words, w)
	if len(c.stays) > 0 {
		out = append(out, "What has run since stays done:")
	}
	for _, deed := range c.stays {
		out = append(out, l.Cut("  "+deed, w))
	}
	return out
}

func (c *confirm) height(l *look, w int) int { return len(c.body(l, w)) + 1 }
func (c *confirm) tall() bool                { return len(c.stays) > 0 }

func (c *confirm) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	switch keys := m.look.Keys; {
	case keys.Is(k, "yes"): // not enter, which may have been meant for a command
		m.close(c)
		return c.yes(), true
	case keys.Is(k, "no", "close", "quit"):
		m.close(c)
		return nil, true
	case keys.Is(k, "cancel"):
		return nil, false
	}
	if !c.Scrolled(m.look.Keys, k) {
		m.say("{yes} or {no}?")
	}
	return nil, true
}

func (c *confirm) hints(m *Model) []draw.Hint {
	l := m.look
	hints := []draw.Hint{l.Press("yes", "yes"), l.Press("no", "no")}
	if box := m.layout.Panes[panes.Card]; c.height(l, box.W) > box.H {
		hints = append(hints, l.UpDown("scroll"))
	}
	return hints
}
