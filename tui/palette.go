package tui

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/draw"
	"playhead/tui/keymap"
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
		items[i] = a.Name + " " + a.Help + " " + a.Short
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
		if p := placeOf(a, from); p != from {
			m.focusPane(p)
		}
		return m.act(a)
	}
	m.open(c)
	return nil
}

// allFrom are all actions but the palette: first those that make sense now, last those
// that move.
func (m *Model) allFrom(from panes.Pane) []*keymap.Action {
	var all []*keymap.Action
	rank := map[*keymap.Action]int{}
	for _, each := range keymap.Actions() {
		a := keymap.Named(each.Name)
		if a.Name == "palette" || a.Group == keymap.Dialogs {
			continue
		}
		all = append(all, a)
		if a.Group == "move" {
			rank[a] = 1
		}
		if m.whyNot(a, from) != "" {
			rank[a] = 2
		}
	}
	slices.SortStableFunc(all, func(a, b *keymap.Action) int { return cmp.Compare(rank[a], rank[b]) })
	return all
}

// placeOf is the pane that an action is done in: the one with focus, if it works there.
func placeOf(a *keymap.Action, focus panes.Pane) panes.Pane {
	if worksIn(a, focus) {
		return focus
	}
	for p := panes.Tree; p < panes.Card; p++ {
		if worksIn(a, p) {
			return p
		}
	}
	return focus
}

// whyNot is why an action makes no sense in its place, "" when it does.
func (m *Model) whyNot(a *keymap.Action, focus panes.Pane) string {
	was := m.focus
	defer func() { m.focus = was }()
	m.focus = placeOf(a, focus)
	return m.unavailable(a)
}

// actionName is the width of the column of names.
const actionName = 15

// actionLine is an action in the list: its name, what it does, and its key.
func actionLine(l *look, a *keymap.Action, h list.Hit, why string, w int) string {
	keys := shownKeys(l, a.Name)
	name := h.Part(0, len(a.Name)).Marked(l, a.Name)
	help := h.Part(len(a.Name)+1, len(a.Name)+1+len(a.Help)).Marked(l, a.Help)
	if why != "" {
		return l.Spread(l.Muted.Over(l.Fit(name, actionName)+" "+help), l.Muted.Paint(keys), w)
	}
	return l.Spread(l.Fit(name, actionName)+" "+help, l.Key.Paint(keys), w)
}
