package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine/compare"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
	"playhead/tui/versus"
)

// comparison is the card that shows this run beside another one. It has the whole screen.
type comparison struct {
	of   *compare.Comparison
	view *versus.View
}

func (c *comparison) title(l *look) panes.Title        { return c.view.Title(&l.Look) }
func (c *comparison) lines(l *look, w, h int) []string { return c.view.Lines(&l.Look, w, h) }
func (c *comparison) height(*look, int) int            { return 1 }
func (c *comparison) tall() bool                       { return true }
func (c *comparison) whole() bool                      { return true }

func (c *comparison) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	by, moves := map[string]int{
		"up": -1, "k": -1, "down": 1, "j": 1, "home": -list.Far, "g": -list.Far, "end": list.Far, "G": list.Far,
	}[k.String()]
	switch key := k.String(); {
	case moves:
		c.view.Move(by)
	case key == "]" && !c.view.Seek(1):
		m.say("Nothing differs below this.")
	case key == "[" && !c.view.Seek(-1):
		m.say("Nothing differs above this.")
	case key == "]", key == "[", c.view.Scrolled(k):
	case key == "esc", key == "d":
		m.close(c)
		return nil, true
	default:
		return nil, false
	}
	return c.ask(), true
}

// click selects the item under the pointer.
func (c *comparison) click(_, y int) tea.Cmd {
	c.view.Click(y)
	return c.ask()
}

// ask reads the texts of the pair that is selected, if there are any to be read.
func (c *comparison) ask() tea.Cmd {
	i, unread := c.view.Unread()
	if !unread {
		return nil
	}
	return func() tea.Msg {
		texts, err := c.of.Texts(c.of.Pairs[i])
		return textsMsg{c.of, i, texts, err}
	}
}

func (c *comparison) hints(*Model) []draw.Hint {
	return []draw.Hint{draw.Press("↑↓", "select"), draw.Press("esc", "back"), draw.Press("]", "next difference"), draw.Press("PgDn", "more of it")}
}
