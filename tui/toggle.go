package tui

import tea "charm.land/bubbletea/v2"

// toggle is true or false.
type toggle struct{ on bool }

func (t *toggle) lines(l *look, w, h int) []string {
	yes, no := l.Muted.Paint("  true"), l.Accent.Paint("› false")
	if t.on {
		yes, no = l.Accent.Paint("› true"), l.Muted.Paint("  false")
	}
	return []string{l.cut(yes+"   "+no, w)}
}

func (t *toggle) height(*look, int) int { return 1 }
func (t *toggle) value() string         { return map[bool]string{true: "true", false: "false"}[t.on] }
func (t *toggle) writes() bool          { return false }
func (t *toggle) paste(*look, string)   {}
func (t *toggle) hints() []hint         { return []hint{{"space", "toggle"}, {"enter", "answer"}} }

func (t *toggle) key(_ *look, k tea.KeyPressMsg) (sent, used bool) {
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
