package tui

import (
	"cmp"
	"slices"
	"strings"

	"playhead/engine/model"
	"playhead/tui/cells"
	"playhead/tui/draw"
	"playhead/tui/panes"
)

// header is the first line: the document left, the run's state right, and between
// them what there is room for.
func (m *Model) header() string {
	l := m.look
	right := " " + m.state() + " "
	room := m.layout.W - 2 - l.Width(right)
	middle := m.facts(room - l.Width(m.file()) - 3)
	if m.layout.Shape == panes.Narrow {
		middle = m.tabs(room)
	}
	left := " " + m.document(room-l.Width(middle)-3) + " "
	fill := cells.Rule(room - l.Width(left) - l.Width(middle))
	return l.Border.Paint("╭") + l.Title.Over(left) + l.Border.Paint(fill) + middle + right + l.Border.Paint("╮")
}

// shortTitle is how much of a title is worth being shown.
const shortTitle = 8

// document names the document in at most w cells: its file, and its title where
// there is room.
func (m *Model) document(w int) string {
	l, name, title := m.look, m.file(), draw.Clean(m.cfg.Plan.Title)
	rest := w - l.Width(name) - 3
	if title == "" || title == name || rest < min(l.Width(title), shortTitle) {
		return l.Cut(name, w)
	}
	return name + " · " + l.Cut(title, rest)
}

func (m *Model) file() string {
	path := m.cfg.Plan.Path
	return draw.Clean(path[strings.LastIndexByte(path, '/')+1:])
}

// facts are what models used, the format, the run's id and who replies: as much of it as w
// cells have room for, the id last of all.
func (m *Model) facts(w int) string {
	kind, run, by := m.about()
	about := dotted(kind, run)
	for _, facts := range [][]string{{m.tokens(), dotted(about, by)}, {dotted(about, by)}, {about}, {run}} {
		s := ""
		for _, fact := range facts {
			if fact != "" {
				s += " " + m.look.Muted.Paint(fact) + " " + m.look.Border.Paint("──")
			}
		}
		if m.look.Width(s) <= w {
			return s
		}
	}
	return ""
}

// tokens are what models used.
func (m *Model) tokens() string {
	if used := m.timeline.Shown.Used.String(); used != "" {
		return "tokens " + used
	}
	return ""
}

// about are the format, the run's id and where replies come from, each as far as there is
// something to say.
func (m *Model) about() (kind, run, by string) {
	kind = draw.Clean(cmp.Or(m.cfg.Plan.Kind, m.cfg.Plan.Format))
	if m.timeline.Shown.Run != "" {
		run = "run " + draw.Clean(m.timeline.Shown.Run)
	}
	if from := m.repliers(); from != "" {
		by = "replies: " + from
	}
	return kind, run, by
}

// dotted are two facts side by side.
func dotted(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " · " + b
}

// repliers says where replies come from, if not from a model.
func (m *Model) repliers() string {
	at := m.status.Source
	stored := slices.ContainsFunc(m.cfg.Sources, func(o model.Origin) bool { return o.Stored && o.Name == at })
	switch {
	case !m.models:
	case at == model.Manual:
		return "yours"
	case m.status.Own:
		return "yours, then " + draw.Clean(at)
	case stored:
		return draw.Clean(at)
	}
	return ""
}

// tabs are the panes of a screen that shows one at a time, at the right end of
// room cells. All are named, or only the one that shows.
func (m *Model) tabs(room int) string {
	l, keys, names := m.look, make([]string, len(tabActions)), make([]string, len(tabActions))
	shown := int(min(m.focus, panes.Why) - panes.Tree)
	for i, action := range tabActions {
		keys[i] = l.Keys.Name(action)
		names[i] = keys[i] + " " + action
	}
	if m.focus == panes.Dialog {
		names[shown] = keys[shown] + " " + panes.Names[panes.Dialog]
	}
	if l.Width(strings.Join(names, "  "))+l.Width(m.file())+6 > room {
		for i := range names {
			if i != shown {
				names[i] = keys[i]
			}
		}
	}
	at := room - l.Width(strings.Join(names, "  ")) - 1
	s := " "
	for i, name := range names {
		ink := l.Muted
		if i == shown {
			ink = l.Accent
		}
		if i > 0 {
			s, at = s+"  ", at+2
		}
		w := l.Width(name)
		m.targets = append(m.targets, clickTarget{0, at - 1, at + w + 1, m.keyOf(draw.Hint{Action: tabActions[i]})})
		s, at = s+ink.Paint(name), at+w
	}
	return s + " " + l.Border.Paint("─")
}

// tabActions are the actions that show the panes, in the order of the tabs.
var tabActions = []string{"steps", "text", "output", "why"}
