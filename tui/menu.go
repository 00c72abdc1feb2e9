package tui

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
)

// menu is the card of a long list, one item of which is chosen by typing some of the
// letters of its name.
type menu struct {
	name   string
	finder *list.Finder
	row    func(l *look, h list.Hit, w int) string
	about  func(l *look, item, w int) []string // more on the chosen item; nil: there is none
	choose func(item int) tea.Cmd
	verb   string // what choosing does
	asks   string // what can be typed; empty: letters of the name
}

// How many lines there are above the list, for the query, and below it for what there is
// to say of an item, from which height on.
const (
	menuHead  = 1
	menuAbout = 2
	leastMenu = 8
)

func (c *menu) title(l *look) panes.Title {
	facts := c.finder.Place()
	if c.finder.Query != "" && facts != "" {
		facts += " found"
	}
	return panes.Title{Left: c.name, Right: l.Muted.Paint(facts)}
}

// lines are the query, the list and, below it, what there is to say of the chosen item.
func (c *menu) lines(l *look, w, h int) []string {
	query := l.Caret.Paint(" ") + l.Muted.Paint("type some "+cmp.Or(c.asks, "letters of the name"))
	if c.finder.Query != "" {
		query = l.Cut(draw.Clean(c.finder.Query), w-1) + l.Caret.Paint(" ")
	}
	out := []string{l.Cut(query, w)}
	item, ok := c.finder.Chosen()
	if !ok {
		return append(out, l.Muted.Paint("Nothing matches: backspace shows more."))
	}
	var below []string
	if c.about != nil && h > leastMenu {
		below = c.about(l, item, w)
		for len(below) < menuAbout { // the list stays where it is
			below = append(below, "")
		}
	}
	from, to := c.finder.Window(c.finder.At, len(c.finder.Hits), max(1, h-menuHead-len(below)))
	for i, one := range c.finder.Hits[from:to] {
		line := c.row(l, one, w-2)
		if from+i == c.finder.At {
			out = append(out, l.Selected.Over(l.Fit(l.Accent.Paint("› ")+line, w)))
			continue
		}
		out = append(out, "  "+line)
	}
	for len(below) > 0 && len(out) < h-len(below) {
		out = append(out, "")
	}
	return append(out, below...)
}

func (c *menu) height(*look, int) int { return len(c.finder.Items) + 4 }
func (c *menu) Tall() bool            { return true }
func (c *menu) Writing() bool         { return true }

func (c *menu) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	switch keys := m.look.Keys; {
	case keys.Is(k, "close"):
		m.close(c)
	case keys.Is(k, "cancel"):
		return nil, false
	case keys.Is(k, "accept"):
		if item, ok := c.finder.Chosen(); ok {
			return c.choose(item), true
		}
	default:
		c.finder.Key(keys, k)
	}
	return nil, true
}

func (c *menu) paste(_ *Model, text string) {
	c.finder.Query += draw.Clean(text)
	c.finder.Filter()
}

// click chooses the item under the pointer.
func (c *menu) click(_, y int) tea.Cmd {
	if i := c.finder.Top + y - menuHead; y >= menuHead && i < len(c.finder.Hits) {
		c.finder.At = i
	}
	return nil
}

func (c *menu) hints(m *Model) []draw.Hint {
	return []draw.Hint{m.look.Press("accept", c.verb), m.look.UpDown("choose"), m.look.Press("close", "close")}
}
