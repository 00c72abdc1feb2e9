package form

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/draw"
)

// Toggle is true or false.
type Toggle struct{ on bool }

func (t *Toggle) Lines(l *draw.Look, w, h int) []string {
	yes, no := l.Muted.Paint("  true"), l.Accent.Paint("› false")
	if t.on {
		yes, no = l.Accent.Paint("› true"), l.Muted.Paint("  false")
	}
	return []string{l.Cut(yes+"   "+no, w)}
}

func (t *Toggle) Height(*draw.Look, int) int { return 1 }
func (t *Toggle) Value() string              { return map[bool]string{true: "true", false: "false"}[t.on] }
func (t *Toggle) Writes() bool               { return false }
func (t *Toggle) Paste(*draw.Look, string)   {}
func (t *Toggle) Hints() []draw.Hint {
	return []draw.Hint{draw.Press("space", "toggle"), draw.Press("enter", "answer")}
}

func (t *Toggle) Key(_ *draw.Look, k tea.KeyPressMsg) (sent, used bool) {
	switch k.String() {
	case "space", "left", "right", "h", "l":
		t.on = !t.on
	case "y", "t":
		t.on = true
	case "n", "f":
		t.on = false
	case "enter":
		return true, true
	default:
		return false, false
	}
	return false, true
}
