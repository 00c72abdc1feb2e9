package tui

import tea "charm.land/bubbletea/v2"

// yesNo is a question that y and n answer, and p and f like any decision.
type yesNo struct{ answer string }

func (c *yesNo) lines(l *look, w, h int) []string {
	return []string{l.cut(l.Key.Paint("y")+" yes  "+l.Key.Paint("n")+" no", w)}
}

func (c *yesNo) height(*look, int) int { return 1 }
func (c *yesNo) value() string         { return c.answer }
func (c *yesNo) writes() bool          { return false }
func (c *yesNo) paste(*look, string)   {}
func (c *yesNo) hints() []hint         { return []hint{{"y", "yes"}, {"n", "no"}} }

func (c *yesNo) key(_ *look, k tea.KeyPressMsg) (sent, used bool) {
	word, ok := map[string]string{"y": "yes", "p": "yes", "n": "no", "f": "no"}[k.String()]
	c.answer = word
	return ok, ok
}
