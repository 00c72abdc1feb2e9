package form

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"playhead/parse/hidden"
	"playhead/tui/draw"
)

// TextField is a line of free text. If AllowsLineBreaks is true, text with line breaks that is pasted or
// comes from the person's own editor keeps them: it shows in several lines, and the key "accept" still
// confirms it.
type TextField struct {
	Text             string
	IsMasked         bool // the text is masked
	AllowsLineBreaks bool
	KeepsBlanks      bool // surrounding blanks belong to the value
	textInput        *textinput.Model
	editor           *Editor  // edits a text of several lines; nil: the text has one line
	Suggestions      []string // values that the arrow keys insert, one after the other
}

// promptAndCursorWidth is the number of cells that the prompt and the cursor after the text take.
const promptAndCursorWidth = 3

// inputField returns the text field. It creates the field when it is first drawn, because only then are the
// styles known.
func (o *TextField) inputField(dc *draw.Context, w int) *textinput.Model {
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
	o.textInput.SetStyles(dc.TextInputStyles())
	o.textInput.SetWidth(max(1, w-promptAndCursorWidth))
	return o.textInput
}

// Lines implements Widget. It draws a text with hidden characters itself, because the text field would not
// show them as escapes.
func (o *TextField) Lines(dc *draw.Context, w, h int) []string {
	if o.editor != nil {
		return o.editor.Lines(dc, w, h)
	}
	if !o.IsMasked && hidden.ContainsHidden(o.Text) {
		return []string{dc.Cut(dc.Accent.Paint("› ")+draw.CleanLine(o.Text), w)}
	}
	return []string{dc.Cut(o.inputField(dc, w).View(), w)}
}

// Height returns 1 unless the text has several lines.
func (o *TextField) Height(_ *draw.Context, w int) int {
	if o.editor != nil {
		return o.editor.TextHeight(w)
	}
	return 1
}

// Value returns the text, without surrounding blanks unless KeepsBlanks is true. If it has several lines, the first
// keeps its indent.
func (o *TextField) Value() string {
	if o.KeepsBlanks {
		return o.Text
	}
	if o.editor != nil {
		return strings.TrimRight(strings.TrimLeft(o.Text, "\n"), " \t\n")
	}
	return strings.TrimSpace(o.Text)
}

func (o *TextField) TakesText() bool { return true }

func (o *TextField) Hints(dc *draw.Context) []draw.Hint {
	hints := []draw.Hint{dc.ActionHint("accept", "answer")}
	if o.AllowsLineBreaks && !o.IsMasked {
		hints = append(hints, dc.ActionHint("editor", "editor"))
	}
	return hints
}

func (o *TextField) HandleKey(dc *draw.Context, k tea.KeyPressMsg) (sent, used bool) {
	switch {
	case dc.Keys.IsKeyOf(k, "accept"):
		return true, true
	case o.editor != nil:
		sent, _ = o.editor.HandleKey(dc, k)
		o.copyFromEditor()
		return sent, true
	}
	if up := dc.Keys.IsKeyOf(k, "up"); len(o.Suggestions) > 0 && k.Text == "" && (up || dc.Keys.IsKeyOf(k, "down")) {
		o.insertSuggestion(up)
		return false, true
	}
	o.PassToInput(dc, k)
	return false, true
}

// insertSuggestion replaces the text by the next suggestion, or the previous one.
func (o *TextField) insertSuggestion(before bool) {
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

func (o *TextField) Paste(dc *draw.Context, text string) {
	text = strings.TrimRight(pastedText(text), "\n")
	switch {
	case o.editor != nil:
		o.editor.Paste(dc, text)
		o.copyFromEditor()
	case o.AllowsLineBreaks && strings.Contains(text, "\n"):
		at, before := o.inputField(dc, undrawnInputWidth).Position(), []rune(o.Text)
		at = min(at, len(before))
		o.Set(string(before[:at]) + text + string(before[at:]))
	default:
		o.PassToInput(dc, tea.PasteMsg{Content: text})
	}
}

// Set replaces the text.
func (o *TextField) Set(text string) {
	o.Text, o.textInput, o.editor = text, nil, nil
	if o.AllowsLineBreaks && strings.Contains(text, "\n") {
		o.editor = NewEditor(text)
		o.editor.IsMasked = o.IsMasked
	}
}

// copyFromEditor copies the text of the editor. After the text is deleted, the widget is a single line again.
func (o *TextField) copyFromEditor() {
	if o.Text = o.editor.Value(); o.Text == "" {
		o.editor = nil
		o.textInput = nil
	}
}

// PassToInput passes a key or a paste to the text field. It drops the field's commands, which would make the
// cursor blink.
func (o *TextField) PassToInput(dc *draw.Context, msg tea.Msg) {
	field := o.inputField(dc, undrawnInputWidth)
	*field, _ = field.Update(msg)
	o.Text = field.Value()
}

// undrawnInputWidth is the width of a field before it is drawn.
const undrawnInputWidth = 40
