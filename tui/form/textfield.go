package form

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"playhead/parse/hidden"
	"playhead/tui/draw"
	"playhead/tui/layout"
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
func (t *TextField) inputField(dc *draw.Context, w int) *textinput.Model {
	if t.textInput == nil {
		field := textinput.New()
		field.Prompt = "› "
		if t.IsMasked {
			field.EchoMode = textinput.EchoPassword
		}
		field.SetValue(t.Text)
		field.Focus() // its command is dropped: it would make the cursor blink
		t.textInput = &field
	}
	t.textInput.SetStyles(dc.TextInputStyles())
	t.textInput.SetWidth(max(1, w-promptAndCursorWidth))
	return t.textInput
}

// Lines implements Widget. It draws a text with hidden characters itself, because the text field would not
// show them as escapes.
func (t *TextField) Lines(dc *draw.Context, w, h int) []string {
	if t.editor != nil {
		return t.editor.Lines(dc, w, h)
	}
	if !t.IsMasked && hidden.ContainsHidden(t.Text) {
		return []string{dc.Cut(dc.Accent.Paint("› ")+draw.CleanLine(t.Text), w)}
	}
	return []string{dc.Cut(t.inputField(dc, w).View(), w)}
}

// Overflow returns how many rows of a text of several lines are out of sight.
func (t *TextField) Overflow() (o layout.Overflow) {
	if t.editor != nil {
		o = t.editor.Overflow()
	}
	return o
}

// Height returns 1 unless the text has several lines.
func (t *TextField) Height(_ *draw.Context, w int) int {
	if t.editor != nil {
		return t.editor.textHeight(w)
	}
	return 1
}

// Value returns the text, without surrounding blanks unless KeepsBlanks is true. If it has several lines, the first
// keeps its indent.
func (t *TextField) Value() string {
	if t.KeepsBlanks {
		return t.Text
	}
	if t.editor != nil {
		return strings.TrimRight(strings.TrimLeft(t.Text, "\n"), " \t\n")
	}
	return strings.TrimSpace(t.Text)
}

func (t *TextField) TakesText() bool { return true }

func (t *TextField) Hints(dc *draw.Context) []draw.Hint {
	hints := []draw.Hint{dc.ActionHint("accept", "answer")}
	if t.AllowsLineBreaks && !t.IsMasked {
		hints = append(hints, dc.ActionHint("editor", "editor"))
	}
	return hints
}

func (t *TextField) HandleKey(dc *draw.Context, k tea.KeyPressMsg) (sent, used bool) {
	switch {
	case dc.Keys.IsKeyOf(k, "accept"):
		return true, true
	case t.editor != nil:
		sent, _ = t.editor.HandleKey(dc, k)
		t.copyFromEditor()
		return sent, true
	}
	if up := dc.Keys.IsKeyOf(k, "up"); len(t.Suggestions) > 0 && k.Text == "" && (up || dc.Keys.IsKeyOf(k, "down")) {
		t.insertSuggestion(up)
		return false, true
	}
	t.PassToInput(dc, k)
	return false, true
}

// insertSuggestion replaces the text by the next suggestion, or the previous one.
func (t *TextField) insertSuggestion(before bool) {
	n := len(t.Suggestions)
	i := slices.Index(t.Suggestions, t.Text)
	switch {
	case !before:
		i = (i + 1) % n
	case i < 0:
		i = n - 1
	default:
		i = (i + n - 1) % n
	}
	t.Text, t.textInput = t.Suggestions[i], nil
}

func (t *TextField) Paste(dc *draw.Context, text string) {
	text = strings.TrimRight(pastedText(text), "\n")
	switch {
	case t.editor != nil:
		t.editor.Paste(dc, text)
		t.copyFromEditor()
	case t.AllowsLineBreaks && strings.Contains(text, "\n"):
		at, before := t.inputField(dc, undrawnInputWidth).Position(), []rune(t.Text)
		at = min(at, len(before))
		t.Set(string(before[:at]) + text + string(before[at:]))
	default:
		t.PassToInput(dc, tea.PasteMsg{Content: text})
	}
}

// Set replaces the text.
func (t *TextField) Set(text string) {
	t.Text, t.textInput, t.editor = text, nil, nil
	if t.AllowsLineBreaks && strings.Contains(text, "\n") {
		t.editor = NewEditor(text)
		t.editor.IsMasked = t.IsMasked
	}
}

// copyFromEditor copies the text of the editor. After the text is deleted, the widget is a single line again.
func (t *TextField) copyFromEditor() {
	if t.Text = t.editor.Value(); t.Text == "" {
		t.editor = nil
		t.textInput = nil
	}
}

// PassToInput passes a key or a paste to the text field. It drops the field's commands, which would make the
// cursor blink.
func (t *TextField) PassToInput(dc *draw.Context, msg tea.Msg) {
	field := t.inputField(dc, undrawnInputWidth)
	*field, _ = field.Update(msg)
	t.Text = field.Value()
}

// undrawnInputWidth is the width of a field before it is drawn.
const undrawnInputWidth = 40
