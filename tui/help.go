package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// help is the card that lists the keys of the pane it was asked for, from the
// same table that the keys are looked up in.
type help struct {
	pane pane
	scroller
}

var paneNames = [...]string{"", "steps", "text", "output", "why", "card"}

func (h *help) title(l *look) title {
	return title{"KEYS", l.Muted.Paint("in " + paneNames[h.pane] + " and everywhere")}
}

func (h *help) lines(l *look, w, height int) []string {
	var all []string
	group := ""
	for _, a := range actions {
		if a.group != group {
			if group != "" {
				all = append(all, "")
			}
			group = a.group
			all = append(all, l.Title.Paint(group))
		}
		if a.in != nil && !a.in[h.pane] {
			continue
		}
		keys := strings.Join(shown(a.keys), " ")
		all = append(all, l.cut("  "+l.Key.Paint(l.fit(keys, 12))+" "+a.help, w))
	}
	all = append(all, "", l.Title.Paint("mouse"),
		"  click selects, the wheel scrolls what is under it,",
		"  a click on a key in the last line does it")
	return h.window(l, all, height)
}

// shown writes keys as people know them.
func shown(keys []string) []string {
	names := map[string]string{
		"up": "↑", "down": "↓", "left": "←", "right": "→", "pgup": "PgUp", "pgdown": "PgDn",
		"shift+tab": "⇧tab", "home": "Home", "end": "End",
	}
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = k
		if n, ok := names[k]; ok {
			out[i] = n
		}
	}
	return out
}

func (h *help) height(*look, int) int { return 1 << 10 }
func (h *help) tall() bool            { return true }

func (h *help) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	switch k.String() {
	case "esc", "?", "q", "enter":
		m.close(h)
		return nil, true
	}
	return nil, h.scrolled(k)
}

func (h *help) hints(*Model) []hint { return []hint{{"↑↓", "scroll"}, {"esc", "back"}} }
