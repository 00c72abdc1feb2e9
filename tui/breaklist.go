package tui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/track"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
)

// breakList is the card of all breakpoints, with a line to set one at the step that was
// selected when it was opened.
type breakList struct {
	m   *Model
	row *track.Row // the step; nil: there is none to set one at
	at  int        // the line that is chosen
	top int
}

// listBreaks shows the breakpoints, the selected step's under the cursor.
func (m *Model) listBreaks() tea.Cmd {
	c := &breakList{m: m, row: m.tree.selected()}
	if notBreakable(m) != "" {
		c.row = nil
	}
	c.at = slices.IndexFunc(m.tree.breaks, func(b engine.Breakpoint) bool {
		return c.row != nil && (b.Step == c.row.BreakName() || b.Step == c.row.Label)
	})
	if c.at < 0 {
		c.at = max(0, len(c.all())-1)
	}
	m.open(c)
	return nil
}

// all are the breakpoints in words, and the line that sets one.
func (c *breakList) all() (out []string) {
	for _, b := range c.m.tree.breaks {
		out = append(out, c.words(b))
	}
	if c.row != nil {
		out = append(out, "+ at "+draw.Clean(c.row.Label)+", with terms…")
	}
	return out
}

// words say of a breakpoint where it is, and how it is.
func (c *breakList) words(b engine.Breakpoint) string {
	mark, more := "● ", ""
	if n := c.m.status.Hits[b.String()]; n > 0 {
		more = fmt.Sprintf(" · reached %s", draw.Count(n, "time"))
	}
	if b.Off {
		mark = "○ "
	}
	if b.Lost {
		mark, more = "? ", " · the document has no such step any more"
	}
	return mark + draw.Clean(b.String()) + more
}

func (c *breakList) Tall() bool                { return false }
func (c *breakList) height(l *look, w int) int { return max(2, len(c.all())) }

func (c *breakList) title(l *look) panes.Title {
	place := ""
	if n := len(c.all()); n > 1 {
		place = list.Place(c.at, n)
	}
	return panes.Title{Left: "BREAKPOINTS", Right: l.Muted.Paint(place)}
}

func (c *breakList) lines(l *look, w, h int) []string {
	all := c.all()
	if len(all) == 0 {
		return l.Wrap(l.Keys.Text("There are no breakpoints. Select a step: {break} sets one there."), w)
	}
	c.at = max(0, min(c.at, len(all)-1))
	c.top = max(0, min(max(c.top, c.at-h+1), c.at))
	var out []string
	for i, line := range all[c.top:min(len(all), c.top+h)] {
		mark := "  "
		if c.top+i == c.at {
			mark = l.Accent.Paint("› ")
		}
		out = append(out, l.Cut(mark+line, w))
	}
	if len(c.m.tree.breaks) == 0 {
		out = append(out, l.Muted.Paint(l.Cut(l.Keys.Text("  There are none yet: {break} sets one before a step."), w)))
	}
	return out
}

func (c *breakList) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	by, moves := list.Moved(m.look.Keys, k, 1)
	switch keys := m.look.Keys; {
	case keys.Is(k, "close"):
		m.close(c)
	case moves:
		c.at += by
	case keys.Is(k, "cancel"):
		return nil, false
	default:
		return c.change(m, k)
	}
	c.at = max(0, min(c.at, len(c.all())-1))
	return nil, true
}

// change does something about the breakpoint that is chosen.
func (c *breakList) change(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	keys, breaks := m.look.Keys, slices.Clone(m.tree.breaks)
	if c.at >= len(breaks) {
		if keys.Is(k, "accept") && c.row != nil {
			m.close(c)
			return m.breakTerms(), true
		}
		return nil, false
	}
	switch b := &breaks[c.at]; {
	case keys.Is(k, "toggle"):
		b.Off = !b.Off
		return m.breakAt(breaks), true
	case keys.Is(k, "remove"):
		return m.breakAt(slices.Delete(breaks, c.at, c.at+1)), true
	case keys.Is(k, "accept", "adjust"):
		return c.goTo(m, *b, keys.Is(k, "adjust")), true
	}
	return nil, false
}

// goTo selects the step of a breakpoint, and asks for its terms.
func (c *breakList) goTo(m *Model, b engine.Breakpoint, terms bool) tea.Cmd {
	i := slices.IndexFunc(m.tree.items, func(it item) bool { return it.row.BreakName() == b.Step || it.row.Label == b.Step })
	if i < 0 || b.Lost {
		m.say("No step in the tree is called " + draw.Clean(b.Step) + ": {remove} takes the breakpoint away.")
		return nil
	}
	m.close(c)
	m.tree.move(i)
	if terms {
		return m.breakTerms()
	}
	return nil
}

func (c *breakList) hints(m *Model) []draw.Hint {
	l := m.look
	if c.at >= len(m.tree.breaks) {
		if c.row == nil {
			return []draw.Hint{l.Press("close", "back")}
		}
		return []draw.Hint{l.Press("accept", "set one"), l.Press("close", "back")}
	}
	return []draw.Hint{l.Press("accept", "go there"), l.Press("adjust", "terms"), l.Press("toggle", "on, off"), l.Press("remove", "remove"), l.Press("close", "back")}
}
