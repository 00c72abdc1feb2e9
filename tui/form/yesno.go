package form

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/draw"
)

// yesNo is a question that y and n answer, and p and f like any decision.
type yesNo struct{ answer string }

func (c *yesNo) Lines(l *draw.Look, w, h int) []string {
	return []string{l.Cut(l.Key.Paint(l.Keys.Name("yes"))+" yes  "+l.Key.Paint(l.Keys.Name("no"))+" no", w)}
}

func (c *yesNo) Height(*draw.Look, int) int { return 1 }
func (c *yesNo) Value() string              { return c.answer }
func (c *yesNo) Writes() bool               { return false }
func (c *yesNo) Paste(*draw.Look, string)   {}
func (c *yesNo) Hints(l *draw.Look) []draw.Hint {
	return []draw.Hint{l.Press("yes", "yes"), l.Press("no", "no")}
}

func (c *yesNo) Key(l *draw.Look, k tea.KeyPressMsg) (sent, used bool) {
	switch {
	case l.Keys.Is(k, "yes", "pass"):
		c.answer = "yes"
	case l.Keys.Is(k, "no", "fail"):
		c.answer = "no"
	default:
		return false, false
	}
	return true, true
}
