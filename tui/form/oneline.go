package form

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/huh/v2"

	"playhead/parse/hidden"
	"playhead/tui/draw"
)

// OneLine is a line of free text.
type OneLine struct {
	Text   string
	Hidden bool // what is written does not show
	field  *huh.Input
	Offers []string // values that the arrows put into it, one after the other
}

// input is the field, made when the styles are known.
func (o *OneLine) input(l *draw.Look, w int) *huh.Input {
	if o.field == nil {
		o.field = huh.NewInput().Value(&o.Text).Prompt("› ")
		o.field.WithKeyMap(huh.NewDefaultKeyMap())
		if o.Hidden {
			o.field.EchoMode(huh.EchoModePassword)
		}
		o.field.Focus()
	}
	o.field.WithTheme(l.Form())
	o.field.WithWidth(w)
	return o.field
}

// Lines shows a text with hidden characters without the field, which would draw them.
func (o *OneLine) Lines(l *draw.Look, w, h int) []string {
	if !o.Hidden && hidden.In(o.Text) {
		return []string{l.Cut("› "+draw.Clean(o.Text), w)}
	}
	return strings.Split(o.input(l, w).View(), "\n")
}

func (o *OneLine) Height(*draw.Look, int) int { return 1 }
func (o *OneLine) Value() string              { return strings.TrimSpace(o.Text) }
func (o *OneLine) Writes() bool               { return true }
func (o *OneLine) Hints() []draw.Hint         { return []draw.Hint{draw.Press("enter", "answer")} }

func (o *OneLine) Key(l *draw.Look, k tea.KeyPressMsg) (sent, used bool) {
	if k.String() == "enter" {
		return true, true
	}
	if len(o.Offers) > 0 && (k.String() == "up" || k.String() == "down") {
		o.offer(k.String() == "up")
		return false, true
	}
	o.Write(l, k)
	return false, true
}

// offer puts the offered value behind the one that is there into the field, or the one
// before it.
func (o *OneLine) offer(before bool) {
	n := len(o.Offers)
	i := slices.Index(o.Offers, o.Text)
	switch {
	case !before:
		i = (i + 1) % n
	case i < 0:
		i = n - 1
	default:
		i = (i + n - 1) % n
	}
	o.Text, o.field = o.Offers[i], nil
}

func (o *OneLine) Paste(l *draw.Look, text string) { o.Write(l, tea.PasteMsg{Content: text}) }

// Write hands a key or a paste to the field. Its commands are dropped: they would
// make the cursor blink.
func (o *OneLine) Write(l *draw.Look, msg tea.Msg) { o.input(l, 40).Update(msg) }
