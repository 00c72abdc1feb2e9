package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/huh/v2"
)

// oneLine is a line of free text.
type oneLine struct {
	text   string
	field  *huh.Input
	offers []string // values that the arrows put into it, one after the other
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
	if len(o.offers) > 0 && (k.String() == "up" || k.String() == "down") {
		o.offer(k.String() == "up")
		return false, true
	}
	o.write(l, k)
	return false, true
}

// offer puts the offered value behind the one that is there into the field, or the one
// before it.
func (o *oneLine) offer(before bool) {
	n := len(o.offers)
	i := slices.Index(o.offers, o.text)
	switch {
	case !before:
		i = (i + 1) % n
	case i < 0:
		i = n - 1
	default:
		i = (i + n - 1) % n
	}
	o.text, o.field = o.offers[i], nil
}

func (o *oneLine) paste(l *look, text string) { o.write(l, tea.PasteMsg{Content: text}) }

// write hands a key or a paste to the field. Its commands are dropped: they would
// make the cursor blink.
func (o *oneLine) write(l *look, msg tea.Msg) { o.input(l, 40).Update(msg) }
