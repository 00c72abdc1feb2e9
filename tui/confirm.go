package tui

import tea "charm.land/bubbletea/v2"

// confirm is the card that asks before something is lost.
type confirm struct {
	name, words string
	yes         func() tea.Cmd
}

func (c *confirm) title(l *look) title { return title{left: c.name} }

func (c *confirm) lines(l *look, w, h int) []string {
	out := l.wrap(c.words, w)
	return append(out, l.Key.Paint("y")+" yes  "+l.Key.Paint("n")+" no")
}

func (c *confirm) height(l *look, w int) int { return len(l.wrap(c.words, w)) + 1 }
func (c *confirm) tall() bool                { return false }

func (c *confirm) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	switch k.String() {
	case "y", "enter", "ctrl+c":
		m.close(c)
		return c.yes(), true
	case "n", "esc", "q":
		m.close(c)
		return nil, true
	}
	m.say("y or n?")
	return nil, true
}

func (c *confirm) hints() []hint { return []hint{{"y", "yes"}, {"n", "no"}} }
