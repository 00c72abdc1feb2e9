package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/list"
	"playhead/tui/panes"
)

// help is the card that lists the keys of the pane it was asked for, from the
// same table that the keys are looked up in. It has the whole screen.
type help struct {
	pane  panes.Pane
	own   []draw.Hint // the keys of the card that it was asked for
	signs [][2]string // and the signs in it
	list.Scroller
}

// help shows the keys. The last line may have no room for all those of a card.
func (m *Model) help() tea.Cmd {
	h := &help{pane: m.focus}
	if c := m.top(); c != nil && m.focus == panes.Card {
		h.own = m.hintsOf(c)
		if s, has := c.(interface{ signs() [][2]string }); has {
			h.signs = s.signs()
		}
	}
	m.open(h)
	return nil
}

func (h *help) title(l *look) panes.Title {
	return panes.Title{Left: "KEYS", Right: l.Muted.Paint("in " + panes.Names[h.pane] + " and everywhere")}
}

// How wide a column of help is at least, and the column of keys in it.
const (
	helpWidth = 36
	keyWidth  = 12
)

// lines sets the help in as few columns as show all of it, else in as many as
// there is room for.
func (h *help) lines(l *look, w, height int) []string {
	var all []string
	for n := 1; n == 1 || n*(helpWidth+columnGap)-columnGap <= w; n++ {
		each := (w - (n-1)*columnGap) / n
		if all = newspaper(l, h.groups(l, each), n, each); len(all) <= height {
			break
		}
	}
	return h.Window(l, all, height)
}

// groups are the groups of keys, each with its title.
func (h *help) groups(l *look, w int) [][]string {
	out, group := h.ofCard(l, w), ""
	for _, a := range keymap.Actions() {
		if a.Group == keymap.Dialogs {
			continue // the dialog's own hints list them
		}
		if a.Group != group {
			group = a.Group
			out = append(out, []string{l.Title.Paint(group)})
		}
		if !worksIn(&a, h.pane) {
			continue
		}
		last := &out[len(out)-1]
		*last = append(*last, entry(l, shownKeys(l, a.Name), a.Help, w)...)
	}
	mouse := []string{l.Title.Paint("mouse")}
	mouse = append(mouse, entry(l, "click", "selects; presses a hint", w)...)
	mouse = append(mouse, entry(l, "click twice", "opens a step", w)...)
	mouse = append(mouse, entry(l, "drag", "copies text; moves a border", w)...)
	mouse = append(mouse, entry(l, "wheel", "scrolls the pane under it", w)...)
	return append(out, mouse, legend(l, "signs", signs, w))
}

// ofCard are the keys and signs of the card.
func (h *help) ofCard(l *look, w int) (out [][]string) {
	if len(h.own) > 0 {
		keys := []string{l.Title.Paint("here")}
		for _, one := range h.own {
			keys = append(keys, entry(l, one.Key, one.Text, w)...)
		}
		out = append(out, keys)
	}
	if len(h.signs) > 0 {
		out = append(out, legend(l, "signs here", h.signs, w))
	}
	return out
}

// signs are what stands beside the steps.
var signs = [][2]string{
	{"▶", "where the run is"}, {"○", "not begun"}, {"✓ ✗ –", "passed, failed, skipped"}, {"?", "waits for a person"},
	{"◇", "entered only by a route"}, {"▸ ▾", "folded, open"}, {"●", "breakpoint"}, {"•", "a step below is running"}, {"×2", "entered that often"},
	{"△", "its text has a warning"}, {"!", "changed by a person"},
}

// legend is what signs mean.
func legend(l *look, title string, signs [][2]string, w int) []string {
	out := []string{l.Title.Paint(title)}
	for _, s := range signs {
		out = append(out, entry(l, s[0], s[1], w)...)
	}
	return out
}

// entry is a key, or several, with what it does, in lines that are aligned.
func entry(l *look, keys, does string, w int) []string {
	left, right := l.Wrap(keys, keyWidth-1), l.Wrap(does, w-keyWidth-1)
	var out []string
	for i := range max(len(left), len(right)) {
		out = append(out, " "+l.Key.Paint(l.Fit(list.Nth(left, i), keyWidth))+list.Nth(right, i))
	}
	return out
}

// shownKeys writes the keys of an action as people know them.
func shownKeys(l *look, action string) string {
	keys := l.Keys.Keys(action)
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = keymap.Shown(k)
	}
	return strings.Join(out, " ")
}

func (h *help) height(*look, int) int { return 1 }
func (h *help) Tall() bool            { return true }
func (h *help) IsFullScreen() bool    { return true }

func (h *help) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	if m.look.Keys.Is(k, "close", "quit", "accept", "help") {
		m.close(h)
		return nil, true
	}
	return nil, h.Scrolled(m.look.Keys, k)
}

func (h *help) hints(m *Model) []draw.Hint {
	return []draw.Hint{m.look.UpDown("scroll"), m.look.Press("close", "back")}
}
