package tui

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/track"
)

// menu is the card of a long list, one item of which is chosen by typing some of the
// letters of its name.
type menu struct {
	name   string
	finder *finder
	row    func(l *look, h hit, w int) string
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

func (c *menu) title(l *look) title {
	facts := ""
	if c.finder.query != "" {
		facts = track.Thousands(len(c.finder.hits)) + " found"
	}
	return title{c.name, l.Muted.Paint(facts)}
}

// lines are the query, the list and, below it, what there is to say of the chosen item.
func (c *menu) lines(l *look, w, h int) []string {
	query := l.Caret.Paint(" ") + l.Muted.Paint("type some "+cmp.Or(c.asks, "letters of the name"))
	if c.finder.query != "" {
		query = l.cut(clean(c.finder.query), w-1) + l.Caret.Paint(" ")
	}
	out := []string{l.cut(query, w)}
	item, ok := c.finder.chosen()
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
	from, to := c.finder.window(c.finder.at, len(c.finder.hits), max(1, h-menuHead-len(below)))
	for i, one := range c.finder.hits[from:to] {
		line := c.row(l, one, w-2)
		if from+i == c.finder.at {
			out = append(out, l.Selected.Over(l.fit(l.Accent.Paint("› ")+line, w)))
			continue
		}
		out = append(out, "  "+line)
	}
	for len(below) > 0 && len(out) < h-len(below) {
		out = append(out, "")
	}
	return append(out, below...)
}

func (c *menu) height(*look, int) int { return len(c.finder.items) + 4 }
func (c *menu) tall() bool            { return true }
func (c *menu) writing() bool         { return true }

func (c *menu) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	switch k.String() {
	case "esc":
		m.close(c)
	case "ctrl+c":
		return nil, false
	case "enter":
		if item, ok := c.finder.chosen(); ok {
			return c.choose(item), true
		}
	default:
		c.finder.key(k)
	}
	return nil, true
}

func (c *menu) paste(_ *Model, text string) {
	c.finder.query += clean(text)
	c.finder.filter()
}

// click chooses the item under the pointer.
func (c *menu) click(_, y int) {
	if i := c.finder.top + y - menuHead; y >= menuHead && i < len(c.finder.hits) {
		c.finder.at = i
	}
}

func (c *menu) hints(*Model) []hint {
	return []hint{{"enter", c.verb}, {"↑↓", "choose"}, {"esc", "close"}}
}
