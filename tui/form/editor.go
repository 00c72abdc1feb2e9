package form

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"playhead/engine/sanitize"
	"playhead/engine/wording"
	"playhead/parse/hidden"
	"playhead/tui/draw"
)

// Editor takes a text of several lines. A text that cannot be edited here shows as it is; a person can send
// it, edit it in their own editor or delete it.
type Editor struct {
	Hidden   bool // the text is masked, and is not edited in another editor
	area     *textarea.Model
	longText string
	rows     wrappedRows
}

// The limits of a text that can be edited here, and heights of the editor in lines.
const (
	maxEdited   = 32 << 10
	maxLines    = 800
	usualHeight = 8
	maxHeight   = 16
)

// NewEditor returns an editor with an initial text.
func NewEditor(value string) *Editor {
	e := &Editor{}
	e.area = e.newArea()
	e.Set(value)
	return e
}

func (e *Editor) newArea() *textarea.Model {
	area := textarea.New()
	area.ShowLineNumbers, area.MaxHeight = false, 0
	area.Focus()
	area.SetPromptFunc(promptWidth, func(row textarea.PromptInfo) string { return e.rows.prompt(row.LineNumber) })
	return &area
}

// Set replaces the text.
func (e *Editor) Set(text string) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	e.longText = ""
	e.area.Reset()
	if cannotEdit(text) {
		e.longText = text
		return
	}
	e.area.SetValue(text)
}

// cannotEdit reports whether a text cannot be edited here, because it is too long, or has characters that
// the text area would replace or drop, or that do not show.
func cannotEdit(text string) bool {
	changed := func(r rune) bool { return r == utf8.RuneError || r != '\n' && unicode.IsControl(r) }
	return len(text) > maxEdited || strings.Count(text, "\n") >= maxLines || strings.ContainsFunc(text, changed) || hidden.In(text)
}

func (e *Editor) Value() string {
	if e.longText != "" {
		return e.longText
	}
	return e.area.Value()
}

// Paste inserts a text at the cursor, without control characters. If the result cannot be edited here, the
// editor keeps it as a long text.
func (e *Editor) Paste(_ *draw.Look, text string) {
	text = pastedText(text)
	switch {
	case e.longText != "":
		e.longText += text
	case cannotEdit(e.area.Value() + text):
		e.longText = e.with(text)
	default:
		area, _ := e.area.Update(tea.PasteMsg{Content: text})
		*e.area = area
	}
}

// pastedText returns a pasted text with the line breaks that terminals send as returns.
func pastedText(text string) string {
	return strings.Map(pasted, strings.ReplaceAll(text, "\r\n", "\n"))
}

// pasted returns a pasted character as the editor takes it, -1 to drop it.
func pasted(r rune) rune {
	switch {
	case r == '\r':
		return '\n'
	case r != '\n' && r != '\t' && unicode.IsControl(r):
		return -1
	}
	return r
}

// with returns the text with another one inserted at the cursor.
func (e *Editor) with(text string) string {
	lines := strings.Split(e.area.Value(), "\n")
	line := []rune(lines[e.area.Line()])
	at := min(e.area.Column(), len(line))
	lines[e.area.Line()] = string(line[:at]) + text + string(line[at:])
	return strings.Join(lines, "\n")
}

// Key implements Widget. The key "send" confirms the text.
func (e *Editor) Key(l *draw.Look, k tea.KeyPressMsg) (sent, used bool) {
	switch {
	case l.Keys.Is(k, "send"):
		return true, true
	case e.longText != "" && k.Code == tea.KeyBackspace:
		e.Set("")
	case e.longText == "":
		area, _ := e.area.Update(k) // its commands are dropped: they would make the cursor blink
		*e.area = area
	}
	return false, true
}

func (e *Editor) Lines(l *draw.Look, w, h int) []string {
	if e.longText != "" {
		return e.largeTextLines(l, w, h)
	}
	area := e.area
	if e.Hidden {
		area = e.maskedArea(w)
	}
	area.SetStyles(editing(l))
	area.SetWidth(w)
	area.SetHeight(max(1, h))
	e.rows.wrap(area.Value(), w)
	*area, _ = area.Update(nil) // scrolls to the cursor
	rows := strings.Split(area.View(), "\n")
	for i, row := range rows {
		if l.Width(row) > w { // the area pads rows by its own count of cells
			rows[i] = strings.TrimRight(row, " ")
		}
	}
	return rows
}

// maskedArea returns a copy of the text area with a masked text, and the cursor at the same place.
func (e *Editor) maskedArea(w int) *textarea.Model {
	area := e.newArea()
	area.SetWidth(w)
	area.SetValue(mask(e.area.Value()))
	for area.Line() > e.area.Line() {
		area.CursorUp()
	}
	area.SetCursorColumn(e.area.Column())
	return area
}

// mask replaces every character of a text by a star.
func mask(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return '*'
	}, text)
}

// largeTextLines returns the start of a text that cannot be edited here, and what a person can do with it.
func (e *Editor) largeTextLines(l *draw.Look, w, h int) []string {
	text, can := e.longText[:min(len(e.longText), 4<<10)], l.Keys.Sentence("{editor} to edit it, or backspace to delete it")
	if e.Hidden {
		text, can = mask(text), "Press backspace to delete it"
	}
	size := wording.Size(int64(len(e.longText))) + " in " + wording.Count(strings.Count(e.longText, "\n")+1, "line")
	facts := l.Wrap(fmt.Sprintf("This text (%s) cannot be edited here. %s.", size, can), w)
	facts = facts[:min(len(facts), max(1, h))]
	var out []string
	head := strings.SplitN(text, "\n", max(1, h))
	for _, line := range head[:min(len(head), h-len(facts))] {
		out = append(out, l.Cut(sanitize.Plain(line), w))
	}
	for _, line := range facts {
		out = append(out, l.Muted.Paint(line))
	}
	return out
}

// editing returns the styles of the text area, which are those of a line of text.
func editing(l *draw.Look) textarea.Styles {
	s, line := textarea.DefaultStyles(l.Palette.Dark), l.TextInput()
	s.Focused.Text, s.Focused.CursorLine, s.Focused.Prompt = line.Focused.Text, line.Focused.Text, line.Focused.Prompt
	s.Focused.EndOfBuffer = lipgloss.NewStyle()
	s.Cursor.Blink, s.Cursor.Color = line.Cursor.Blink, line.Cursor.Color
	return s
}

func (e *Editor) Height(*draw.Look, int) int {
	return min(max(usualHeight, e.area.LineCount()+1), maxHeight)
}

// leastHeight is the minimum number of rows of an editor.
const leastHeight = 3

// LeastHeight returns how many lines a widget needs: an editor needs those of its text and an empty one, a
// form those of its current field.
func LeastHeight(of Widget, l *draw.Look, w int) int {
	switch of := of.(type) {
	case *Editor:
		return min(max(leastHeight, of.TextHeight(w)+1), of.Height(l, w))
	case *Form:
		return of.leastHeight(l, w)
	}
	return of.Height(l, w)
}

// TextHeight returns how many rows the text takes at a width, within limits.
func (e *Editor) TextHeight(w int) int {
	if e.longText != "" {
		return usualHeight
	}
	e.rows.wrap(e.area.Value(), w)
	return min(len(e.rows.begins), maxHeight)
}

func (e *Editor) Writes() bool { return true }

func (e *Editor) Hints(l *draw.Look) []draw.Hint {
	if e.Hidden {
		return []draw.Hint{l.Press("send", "send")}
	}
	return []draw.Hint{l.Press("send", "send"), l.Press("editor", "editor")}
}

// wrappedRows knows which rows of an editor begin a line of its text. The other rows continue a wrapped
// line, or are below the text.
type wrappedRows struct {
	text   string
	w      int
	begins []bool
}

// promptWidth is the number of cells before the text of a row.
const promptWidth = 2

// prompt returns the characters before a row.
func (r *wrappedRows) prompt(row int) string {
	if row < len(r.begins) && r.begins[row] {
		return "› "
	}
	return "  "
}

// wrap finds the rows that begin a line. A text area does not tell where it wraps, so wrap wraps each line
// in an area of its own.
func (r *wrappedRows) wrap(text string, w int) {
	if text == r.text && w == r.w && r.begins != nil {
		return
	}
	r.text, r.w, r.begins = text, w, r.begins[:0]
	single := textarea.New()
	single.ShowLineNumbers, single.Prompt, single.MaxHeight = false, "", 0
	single.SetWidth(w - promptWidth)
	for line := range strings.SplitSeq(text, "\n") {
		single.SetValue(line)
		r.begins = append(r.begins, true)
		for range single.LineInfo().Height - 1 {
			r.begins = append(r.begins, false)
		}
	}
}
