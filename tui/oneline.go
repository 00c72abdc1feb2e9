package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/huh/v2"
)

// oneLine is a line of free text.
type oneLine struct {
	text  string
	field *huh.Input
}

// input is the field, made when the styles are known.
func (o *oneLine) input(l *look, w int) *huh.Input {
	if o.field == nil {
		o.field = huh.NewInput().Value(&o.text).Prompt("› ")
		o.field.WithKeyMap(huh.NewDefaultKeyMap())
		o.field.Focus()
	}
	o.field.WithTheme(l.Form())
	o.field.WithWidth(w)
	return o.field
}

func (o *oneLine) lines(l *look, w, h int) []string {
	return strings.Split(o.input(l, w).View(), "\n")
}

func (o *oneLine) height(*look, int) int { return 1 }
func (o *oneLine) value() string         { return strings.TrimSpace(o.text) }
func (o *oneLine) writes() bool          { return true }
func (o *oneLine) hints() []hint         { return []hint{{"enter", "answer"}} }

func (o *oneLine) key(l *look, k tea.KeyPressMsg) (sent, used bool) {
	if k.String() == "enter" {
		return true, true
	}
	o.write(l, k)
	return false, true
}

func (o *oneLine) paste(l *look, text string) { o.write(l, tea.PasteMsg{Content: text}) }

// write hands a key or a paste to the field. Its commands are dropped: they would
// make the cursor blink.
func (o *oneLine) write(l *look, msg tea.Msg) { o.input(l, 40).Update(msg) }
