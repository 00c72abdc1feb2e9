package form

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"playhead/parse/hidden"
	"playhead/tui/draw"
)

// OneLine is a line of free text. If AllowsLineBreaks is true, text with line breaks that is pasted or
// comes from the person's own editor keeps them: it shows in several lines, and the key "accept" still
// confirms it.
type OneLine struct {
	Text             string
	IsMasked         bool // the text is masked
	AllowsLineBreaks bool
	textInput        *textinput.Model
	editor           *Editor  // edits a text of several lines; nil: the text has one line
	Suggestions      []string // values that the arrow keys insert, one after the other
}

// promptAndCursorWidth is the number of cells that the prompt and the cursor after the text take.
const promptAndCursorWidth = 3

// inputField returns the text field. It creates the field when it is first drawn, because only then are the
// styles known.
func (o *OneLine) inputField(l *draw.Look, w int) *textinput.Model {
	if o.textInput == nil {
		field := textinput.New()
		field.Prompt = "› "
		if o.IsMasked {
			field.EchoMode = textinput.EchoPassword
		}
		field.SetValue(o.Text)
		field.Focus() // its command is dropped: it would make the cursor blink
		o.textInput = &field
	}
	o.textInput.SetStyles(l.TextInputStyles())
	o.textInput.SetWidth(max(1, w-promptAndCursorWidth))
	return o.textInput
}

// Lines implements Widget. It draws a text with hidden characters itself, because the text field would not
// show them as escapes.
func (o *OneLine) Lines(l *draw.Look, w, h int) []string {
	if o.editor != nil {
		return o.editor.Lines(l, w, h)
	}
	if !o.IsMasked && hidden.ContainsHidden(o.Text) {
		return []string{l.Cut(l.Accent.Paint("› ")+draw.CleanLine(o.Text), w)}
	}
	return []string{l.Cut(o.inputField(l, w).View(), w)}
}

// Height returns 1 unless the text has several lines.
func (o *OneLine) Height(_ *draw.Look, w int) int {
	if o.editor != nil {
		return o.editor.TextHeight(w)
	}
	return 1
}

// Value returns the text without surrounding blanks. If it has several lines, the first keeps its indent.
func (o *OneLine) Value() string {
	if o.editor != nil {
		return strings.TrimRight(strings.TrimLeft(o.Text, "\n"), " \t\n")
	}
	return strings.TrimSpace(o.Text)
}

func (o *OneLine) TakesText() bool { return true }

func (o *OneLine) Hints(l *draw.Look) []draw.Hint {
	hints := []draw.Hint{l.ActionHint("accept", "answer")}
	if o.AllowsLineBreaks && !o.IsMasked {
		hints = append(hints, l.ActionHint("editor", "editor"))
	}
	return hints
}

func (o *OneLine) HandleKey(l *draw.Look, k tea.KeyPressMsg) (sent, used bool) {
	switch {
	case l.Keys.IsKeyOf(k, "accept"):
		return true, true
	case o.editor != nil:
		sent, _ = o.editor.HandleKey(l, k)
		o.copyFromEditor()
		return sent, true
	}
	if up := l.Keys.IsKeyOf(k, "up"); len(o.Suggestions) > 0 && k.Text == "" && (up || l.Keys.IsKeyOf(k, "down")) {
		o.insertSuggestion(up)
		return false, true
	}
	o.PassToInput(l, k)
	return false, true
}

// insertSuggestion replaces the text by the next suggestion, or the previous one.
func (o *OneLine) insertSuggestion(before bool) {
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
	o.Text, o.textInput = o.Suggestions[i], nil
}

func (o *OneLine) Paste(l *draw.Look, text string) {
	text = strings.TrimRight(pastedText(text), "\n")
	switch {
	case o.editor != nil:
		o.editor.Paste(l, text)
		o.copyFromEditor()
	case o.AllowsLineBreaks && strings.Contains(text, "\n"):
		at, before := o.inputField(l, undrawnInputWidth).Position(), []rune(o.Text)
		at = min(at, len(before))
		o.Set(string(before[:at]) + text + string(before[at:]))
	default:
		o.PassToInput(l, tea.PasteMsg{Content: text})
	}
}

// Set replaces the text.
func (o *OneLine) Set(text string) {
	o.Text, o.textInput, o.editor = text, nil, nil
	if o.AllowsLineBreaks && strings.Contains(text, "\n") {
		o.editor = NewEditor(text)
		o.editor.IsMasked = o.IsMasked
	}
}

// copyFromEditor copies the text of the editor. After the text is deleted, the widget is a single line again.
func (o *OneLine) copyFromEditor() {
	if o.Text = o.editor.Value(); o.Text == "" {
		o.editor = nil
		o.textInput = nil
	}
}

// PassToInput passes a key or a paste to the text field. It drops the field's commands, which would make the
// cursor blink.
func (o *OneLine) PassToInput(l *draw.Look, msg tea.Msg) {
	field := o.inputField(l, undrawnInputWidth)
	*field, _ = field.Update(msg)
	o.Text = field.Value()
}

// undrawnInputWidth is the width of a field before it is drawn.
const undrawnInputWidth = 40
