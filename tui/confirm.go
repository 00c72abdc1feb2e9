package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
)

// confirm is the card that asks before something is lost.
type confirm struct {
	name  string
	about func() string // what is at stake, which may change while the card shows
	moot  func() string // why there is nothing to ask any more, "" while there is
	yes   func() tea.Cmd
	words string
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

func (c *confirm) title(l *look) title { return title{left: c.name} }

func (c *confirm) lines(l *look, w, h int) []string {
	out := l.wrap(c.words, w)
	return append(out, l.Key.Paint("y")+" yes  "+l.Key.Paint("n")+" no")
}

func (c *confirm) height(l *look, w int) int { return len(l.wrap(c.words, w)) + 1 }
func (c *confirm) tall() bool                { return false }

func (c *confirm) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	switch k.String() {
	case "y", "enter":
		m.close(c)
		return c.yes(), true
	case "n", "esc", "q":
		m.close(c)
		return nil, true
	case "ctrl+c":
		return nil, false
	}
	m.say("y or n?")
	return nil, true
}

func (c *confirm) hints(*Model) []hint { return []hint{{"y", "yes"}, {"n", "no"}} }
