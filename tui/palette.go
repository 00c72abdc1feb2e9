package tui

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
)

// palette opens the list of all actions by name. What makes no sense now is grey, and
// says why; the rest does what its key would do in the pane that has the focus, or in
// its own.
func (m *Model) palette() tea.Cmd {
	all, from := m.allFrom(m.focus), m.focus
	items := make([]string, len(all))
	for i, a := range all {
		items[i] = a.name + " " + a.help + " " + a.short
	}
	c := &menu{name: "ACTIONS", verb: "do it", finder: list.NewFinder(items)}
	c.row = func(l *look, h list.Hit, w int) string {
		return actionLine(l, all[h.Item], h, m.whyNot(all[h.Item], from), w)
	}
	c.about = func(l *look, item, w int) []string {
		if why := m.whyNot(all[item], from); why != "" {
			return l.Wrap(l.Warn.Paint(draw.Clean(why)), w)
		}
		return nil
	}
	c.choose = func(item int) tea.Cmd {
		a := all[item]
		if why := m.whyNot(a, from); why != "" {
			m.say(why)
			return nil
		}
		m.close(c)
		if p := a.place(from); p != from {
			m.focusPane(p)
		}
		return m.act(a)
	}
	m.open(c)
	return nil
}

// allFrom are all actions but the palette: first those that make sense now, last those
// that move.
func (m *Model) allFrom(from panes.Pane) []*action {
	var all []*action
	rank := map[*action]int{}
	for i := range actions {
		a := &actions[i]
		if a.name == "palette" {
			continue
		}
		all = append(all, a)
		if a.group == "move" {
			rank[a] = 1
		}
		if m.whyNot(a, from) != "" {
			rank[a] = 2
		}
	}
	slices.SortStableFunc(all, func(a, b *action) int { return cmp.Compare(rank[a], rank[b]) })
	return all
}

// place is the pane that an action is done in: the one with focus, if it works there.
func (a *action) place(focus panes.Pane) panes.Pane {
	if a.in == nil || a.in[focus] {
		return focus
	}
	for p := panes.Tree; p < panes.Card; p++ {
		if a.in[p] {
			return p
		}
	}
	return focus
}

// whyNot is why an action makes no sense in its place, "" when it does.
func (m *Model) whyNot(a *action, focus panes.Pane) string {
	was := m.focus
	defer func() { m.focus = was }()
	m.focus = a.place(focus)
	return a.senseless(m)
}

// actionName is the width of the column of names.
const actionName = 15

// actionLine is an action in the list: its name, what it does, and its key.
func actionLine(l *look, a *action, h list.Hit, why string, w int) string {
	keys := strings.Join(shown(l.keys.list(a)), " ")
	name := h.Part(0, len(a.name)).Marked(&l.Look, a.name)
	help := h.Part(len(a.name)+1, len(a.name)+1+len(a.help)).Marked(&l.Look, a.help)
	if why != "" {
		return l.Spread(l.Muted.Over(l.Fit(name, actionName)+" "+help), l.Muted.Paint(keys), w)
	}
	return l.Spread(l.Fit(name, actionName)+" "+help, l.Key.Paint(keys), w)
}
