package form

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"playhead/parse/hidden"
	"playhead/tui/draw"
)

// OneLine is a line of free text.
type OneLine struct {
	Text        string
	Hidden      bool // what is written does not show
	field       *textinput.Model
	Suggestions []string // values that the arrows put into it, one after the other
}

// promptRoom is what the prompt takes of a line, and the cursor behind the text.
const promptRoom = 3

// input returns the field, made when the styles are known.
func (o *OneLine) input(l *draw.Look, w int) *textinput.Model {
	if o.field == nil {
		field := textinput.New()
		field.Prompt = "› "
		if o.Hidden {
			field.EchoMode = textinput.EchoPassword
		}
		field.SetValue(o.Text)
		field.Focus() // its command would make the cursor blink
		o.field = &field
	}
	o.field.SetStyles(l.TextInput())
	o.field.SetWidth(max(1, w-promptRoom))
	return o.field
}

// Lines shows a text with hidden characters without the field, which would draw them.
func (o *OneLine) Lines(l *draw.Look, w, h int) []string {
	if !o.Hidden && hidden.In(o.Text) {
		return []string{l.Cut("› "+draw.Clean(o.Text), w)}
	}
	return []string{l.Cut(o.input(l, w).View(), w)}
}

func (o *OneLine) Height(*draw.Look, int) int     { return 1 }
func (o *OneLine) Value() string                  { return strings.TrimSpace(o.Text) }
func (o *OneLine) Writes() bool                   { return true }
func (o *OneLine) Hints(l *draw.Look) []draw.Hint { return []draw.Hint{l.Press("accept", "answer")} }

func (o *OneLine) Key(l *draw.Look, k tea.KeyPressMsg) (sent, used bool) {
	if l.Keys.Is(k, "accept") {
		return true, true
	}
	if up := l.Keys.Is(k, "up"); len(o.Suggestions) > 0 && k.Text == "" && (up || l.Keys.Is(k, "down")) {
		o.suggest(up)
		return false, true
	}
	o.Write(l, k)
	return false, true
}

// suggest puts the offered value behind the one that is there into the field, or the one
// before it.
func (o *OneLine) suggest(before bool) {
	n := len(o.Suggestions)
	i := slices.Index(o.Suggestions, o.Text)
	switch {
	case !before:
		i = (i + 1) % n
	case i < 0:
		i = n - 1
	default:
		i = (i + n - 1) % n
	}
	o.Text, o.field = o.Suggestions[i], nil
}

func (o *OneLine) Paste(l *draw.Look, text string) { o.Write(l, tea.PasteMsg{Content: text}) }

// Write hands a key or a paste to the field. Its commands are dropped: they would make the cursor
// blink.
func (o *OneLine) Write(l *draw.Look, msg tea.Msg) {
	field := o.input(l, usualWidth)
	*field, _ = field.Update(msg)
	o.Text = field.Value()
}

// usualWidth is the width of a field that has not been drawn yet.
const usualWidth = 40
