package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/huh/v2"
)

// note is the card of one line of text: a note, or the reason of an intervention.
type note struct {
	name  string
	text  string
	does  string // what enter does with it: keep, pass, jump
	field *huh.Input
	done  func(string) tea.Cmd
}

func newNote(name, text, does string, done func(string) tea.Cmd) *note {
	return &note{name: name, text: text, does: does, done: done}
}

// input is the field, made when the styles are known.
func (n *note) input(l *look, w int) *huh.Input {
	if n.field == nil {
		n.field = huh.NewInput().Value(&n.text).Prompt("› ")
		n.field.WithKeyMap(huh.NewDefaultKeyMap())
		n.field.Focus()
	}
	n.field.WithTheme(l.Form())
	n.field.WithWidth(w)
	return n.field
}

func (n *note) title(*look) title { return title{left: n.name} }

func (n *note) lines(l *look, w, h int) []string {
	return strings.Split(n.input(l, w).View(), "\n")
}

func (n *note) height(*look, int) int { return 1 }
func (n *note) tall() bool            { return false }

// key types. Its own keys are enter and esc alone, so any text can be written.
func (n *note) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	switch k.String() {
	case "enter":
		m.close(n)
		return n.done(strings.TrimSpace(n.text)), true
	case "esc":
		m.close(n)
		return nil, true
	case "ctrl+c":
		return nil, false
	}
	n.write(m.look, k)
	return nil, true
}

// write hands a key or a paste to the field. Its commands are dropped: they would
// make the cursor blink.
func (n *note) write(l *look, msg tea.Msg) {
	n.input(l, 40).Update(msg)
}

func (n *note) hints(*Model) []hint { return []hint{{"enter", n.does}, {"esc", "back"}} }
