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

func (c *comparison) title(l *look) panes.Title        { return c.view.Title(l) }
func (c *comparison) lines(l *look, w, h int) []string { return c.view.Lines(l, w, h) }
func (c *comparison) height(*look, int) int            { return 1 }
func (c *comparison) Tall() bool                       { return true }
func (c *comparison) IsFullScreen() bool               { return true }

func (c *comparison) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	keys := m.look.Keys
	by, moves := list.Moved(keys, k, 1)
	switch {
	case keys.Is(k, "page-up", "page-down"):
		c.view.Scrolled(keys, k)
	case moves:
		c.view.Move(by)
	case keys.Is(k, "next-match") && !c.view.Seek(1):
		m.say("Nothing differs below this.")
	case keys.Is(k, "previous-match") && !c.view.Seek(-1):
		m.say("Nothing differs above this.")
	case keys.Is(k, "next-match", "previous-match"):
	case keys.Is(k, "close", "compare"):
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

func (c *comparison) hints(m *Model) []draw.Hint {
	l := m.look
	return []draw.Hint{l.UpDown("select"), l.Press("close", "back"), l.Press("next-match", "next difference"), l.Press("page-down", "more of it")}
}
