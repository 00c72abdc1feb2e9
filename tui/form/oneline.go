package form

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"playhead/parse/hidden"
	"playhead/tui/draw"
)

// OneLine is a line of free text. If Multiline is true, a text with line breaks that is pasted or comes
// from the person's own editor keeps them: it shows in several lines, and the key "accept" still confirms
// it.
type OneLine struct {
	Text        string
	Hidden      bool // the text is masked
	Multiline   bool
	field       *textinput.Model
	lines       *Editor  // edits a text of several lines; nil: the text has one line
	Suggestions []string // values that the arrow keys insert, one after the other
}

// promptRoom is the number of cells that the prompt and the cursor after the text take.
const promptRoom = 3

// input returns the text field. It creates the field when it is first drawn, because only then are the
// styles known.
func (o *OneLine) input(l *draw.Look, w int) *textinput.Model {
	if o.field == nil {
		field := textinput.New()
		field.Prompt = "› "
		if o.Hidden {
			field.EchoMode = textinput.EchoPassword
		}
		field.SetValue(o.Text)
		field.Focus() // its command is dropped: it would make the cursor blink
		o.field = &field
	}
	o.field.SetStyles(l.TextInput())
	o.field.SetWidth(max(1, w-promptRoom))
	return o.field
}

// Lines implements Widget. It draws a text with hidden characters itself, because the text field would not
// show them as escapes.
func (o *OneLine) Lines(l *draw.Look, w, h int) []string {
	if o.lines != nil {
		return o.lines.Lines(l, w, h)
	}
	if !o.Hidden && hidden.In(o.Text) {
		return []string{l.Cut(l.Accent.Paint("› ")+draw.Clean(o.Text), w)}
	}
	return []string{l.Cut(o.input(l, w).View(), w)}
}

// Height returns 1 unless the text has several lines.
func (o *OneLine) Height(_ *draw.Look, w int) int {
	if o.lines != nil {
		return o.lines.TextHeight(w)
	}
	return 1
}

// Value returns the text without surrounding blanks. If it has several lines, the first keeps its indent.
func (o *OneLine) Value() string {
	if o.lines != nil {
		return strings.TrimRight(strings.TrimLeft(o.Text, "\n"), " \t\n")
	}
	return strings.TrimSpace(o.Text)
}

func (o *OneLine) Writes() bool { return true }

func (o *OneLine) Hints(l *draw.Look) []draw.Hint {
	hints := []draw.Hint{l.Press("accept", "answer")}
	if o.Multiline && !o.Hidden {
		hints = append(hints, l.Press("editor", "editor"))
	}
	return hints
}

func (o *OneLine) Key(l *draw.Look, k tea.KeyPressMsg) (sent, used bool) {
	switch {
	case l.Keys.Is(k, "accept"):
		return true, true
	case o.lines != nil:
		sent, _ = o.lines.Key(l, k)
		o.takeLines()
		return sent, true
	}
	if up := l.Keys.Is(k, "up"); len(o.Suggestions) > 0 && k.Text == "" && (up || l.Keys.Is(k, "down")) {
		o.suggest(up)
		return false, true
	}
	o.Write(l, k)
	return false, true
}

// suggest replaces the text by the next suggestion, or the previous one.
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

func (o *OneLine) Paste(l *draw.Look, text string) {
	text = strings.TrimRight(pastedText(text), "\n")
	switch {
	case o.lines != nil:
		o.lines.Paste(l, text)
		o.takeLines()
	case o.Multiline && strings.Contains(text, "\n"):
		at, before := o.input(l, usualWidth).Position(), []rune(o.Text)
		at = min(at, len(before))
		o.Set(string(before[:at]) + text + string(before[at:]))
	default:
		o.Write(l, tea.PasteMsg{Content: text})
	}
}

// Set replaces the text.
func (o *OneLine) Set(text string) {
	o.Text, o.field, o.lines = text, nil, nil
	if o.Multiline && strings.Contains(text, "\n") {
		o.lines = NewEditor(text)
		o.lines.Hidden = o.Hidden
	}
}

// takeLines takes over the text of the editor. After the text is deleted, it has one line again.
func (o *OneLine) takeLines() {
	if o.Text = o.lines.Value(); o.Text == "" {
		o.lines = nil
		o.field = nil
	}
}

// Write passes a key or a paste to the text field. It drops the field's commands, which would make the
// cursor blink.
func (o *OneLine) Write(l *draw.Look, msg tea.Msg) {
	field := o.input(l, usualWidth)
	*field, _ = field.Update(msg)
	o.Text = field.Value()
}

// usualWidth is the width of a field before it is drawn.
const usualWidth = 40
