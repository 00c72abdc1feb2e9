package form

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/draw"
)

// yesNo is a question that y and n answer, and p and f like any decision.
type yesNo struct{ answer string }

func (c *yesNo) Lines(l *draw.Look, w, h int) []string {
	return []string{l.Cut(l.Key.Paint("y")+" yes  "+l.Key.Paint("n")+" no", w)}
}

func (c *yesNo) Height(*draw.Look, int) int { return 1 }
func (c *yesNo) Value() string              { return c.answer }
func (c *yesNo) Writes() bool               { return false }
func (c *yesNo) Paste(*draw.Look, string)   {}
func (c *yesNo) Hints() []draw.Hint {
	return []draw.Hint{draw.Press("y", "yes"), draw.Press("n", "no")}
}

func (c *yesNo) Key(_ *draw.Look, k tea.KeyPressMsg) (sent, used bool) {
	word, ok := map[string]string{"y": "yes", "p": "yes", "n": "no", "f": "no"}[k.String()]
	c.answer = word
	return ok, ok
}
