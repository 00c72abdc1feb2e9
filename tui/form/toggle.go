package form

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/draw"
)

// Toggle is yes or no, as documents write it: true or false.
type Toggle struct{ on bool }

func (t *Toggle) Lines(l *draw.Look, w, h int) []string {
	yes, no := l.Muted.Paint("  yes"), l.Accent.Paint("▌ no")
	if t.on {
		yes, no = l.Accent.Paint("▌ yes"), l.Muted.Paint("  no")
	}
	return []string{l.Cut(yes+"   "+no, w)}
}

func (t *Toggle) Height(*draw.Look, int) int { return 1 }
func (t *Toggle) Value() string              { return map[bool]string{true: "true", false: "false"}[t.on] }
func (t *Toggle) Writes() bool               { return false }
func (t *Toggle) Paste(*draw.Look, string)   {}
func (t *Toggle) Hints(l *draw.Look) []draw.Hint {
	return []draw.Hint{l.Press("toggle", "toggle"), l.Press("accept", "answer")}
}

func (t *Toggle) Key(l *draw.Look, k tea.KeyPressMsg) (sent, used bool) {
	switch {
	case l.Keys.Is(k, "toggle", "left", "right"):
		t.on = !t.on
	case l.Keys.Is(k, "yes", "set-true"):
		t.on = true
	case l.Keys.Is(k, "no", "set-false"):
		t.on = false
	case l.Keys.Is(k, "accept"):
		return true, true
	default:
		return false, false
	}
	return false, true
}
