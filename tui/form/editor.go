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
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/layout"
)

// Editor takes a text of several lines. A text that cannot be edited here shows as it is; a person can send
// it, edit it in their own editor or delete it.
type Editor struct {
	IsMasked     bool // the text is masked, and is not edited in another editor
	textArea     *textarea.Model
	readOnlyText string
	wrapping     wrappedRows
	overflow     layout.Overflow // how many rows the last frame has out of sight
}

const (
	maxEditableBytes    = 32 << 10 // a longer text is read-only here
	maxEditableLines    = 800      // so is a text of more lines
	defaultEditorHeight = 8        // the height of the editor in lines, if its text needs no more
	maxEditorHeight     = 16
)

// NewEditor returns an editor with an initial text.
func NewEditor(value string) *Editor {
	e := &Editor{}
	e.textArea = e.newTextArea()
	e.Set(value)
	return e
}

func (e *Editor) newTextArea() *textarea.Model {
	area := textarea.New()
	area.ShowLineNumbers, area.MaxHeight = false, 0
	area.Focus()
	area.SetPromptFunc(promptWidth, func(row textarea.PromptInfo) string { return e.wrapping.rowPrompt(row.LineNumber) })
	return &area
}

// Set replaces the text.
func (e *Editor) Set(text string) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	e.readOnlyText = ""
	e.textArea.Reset()
	if isReadOnly(text) {
		e.readOnlyText = text
		return
	}
	e.textArea.SetValue(text)
}

// isReadOnly reports whether a text cannot be edited here, because it is too long, or has characters that
// the text area would replace or drop, or that do not show.
func isReadOnly(text string) bool {
	changed := func(r rune) bool { return r == utf8.RuneError || r != '\n' && unicode.IsControl(r) }
	return len(text) > maxEditableBytes || strings.Count(text, "\n") >= maxEditableLines || strings.ContainsFunc(text, changed) || hidden.ContainsHidden(text)
}

func (e *Editor) Value() string {
	if e.readOnlyText != "" {
		return e.readOnlyText
	}
	return e.textArea.Value()
}

// Paste inserts a text at the cursor, without control characters. If the result cannot be edited here, the
// editor keeps it as a long text.
func (e *Editor) Paste(_ *draw.Context, text string) {
	text = pastedText(text)
	switch {
	case e.readOnlyText != "":
		e.readOnlyText += text
	case isReadOnly(e.textArea.Value() + text):
		e.readOnlyText = e.withInserted(text)
	default:
		area, _ := e.textArea.Update(tea.PasteMsg{Content: text})
		*e.textArea = area
	}
}

// pastedText returns a pasted text with the line breaks that terminals send as returns.
func pastedText(text string) string {
	return strings.Map(pastedRune, strings.ReplaceAll(text, "\r\n", "\n"))
}

// pastedRune returns the character that the editor inserts for a character of the clipboard, -1 for none.
func pastedRune(r rune) rune {
	switch {
	case r == '\r':
		return '\n'
	case r != '\n' && r != '\t' && unicode.IsControl(r):
		return -1
	}
	return r
}

// withInserted returns the text after another one is inserted at the cursor.
func (e *Editor) withInserted(text string) string {
	lines := strings.Split(e.textArea.Value(), "\n")
	line := []rune(lines[e.textArea.Line()])
	at := min(e.textArea.Column(), len(line))
	lines[e.textArea.Line()] = string(line[:at]) + text + string(line[at:])
	return strings.Join(lines, "\n")
}

// HandleKey implements Widget. The key "send" confirms the text.
func (e *Editor) HandleKey(dc *draw.Context, k tea.KeyPressMsg) (sent, used bool) {
	switch {
	case dc.Keys.IsKeyOf(k, "send"):
		return true, true
	case e.readOnlyText != "" && k.Code == tea.KeyBackspace:
		e.Set("")
	case e.readOnlyText == "":
		area, _ := e.textArea.Update(k) // its commands are dropped: they would make the cursor blink
		*e.textArea = area
	}
	return false, true
}

// Lines implements Widget. It scrolls to the cursor.
func (e *Editor) Lines(dc *draw.Context, w, h int) []string {
	if e.readOnlyText != "" {
		e.overflow = layout.Overflow{}
		return e.readOnlyLines(dc, w, h)
	}
	area := e.textArea
	if e.IsMasked {
		area = e.maskedArea(w)
	}
	area.SetStyles(textAreaStyles(dc))
	area.SetWidth(w)
	area.SetHeight(max(1, h))
	e.wrapping.findRows(area.Value(), w)
	*area, _ = area.Update(nil) // scrolls to the cursor
	scrollUpToFill(area, len(e.wrapping.beginsLine))
	e.overflow = layout.ListOverflow(0, area.ScrollYOffset(), area.Height(), len(e.wrapping.beginsLine))
	rows := strings.Split(area.View(), "\n")
	for i, row := range rows {
		if dc.Width(row) > w { // the area pads rows by its own count of cells
			rows[i] = strings.TrimRight(row, " ")
		}
	}
	return rows
}

// Overflow returns how many rows of the text are out of sight.
func (e *Editor) Overflow() layout.Overflow { return e.overflow }

// maskedArea returns a copy of the text area with a masked text, and the cursor at the same place.
func (e *Editor) maskedArea(w int) *textarea.Model {
	area := e.newTextArea()
	area.SetWidth(w)
	area.SetValue(maskText(e.textArea.Value()))
	moveCursor(area, e.textArea.Line(), e.textArea.Column())
	return area
}

// scrollUpToFill scrolls an area up if it shows blank rows below its text while rows above are out of sight, as
// after it became higher. rows is the number of rows of its text.
func scrollUpToFill(area *textarea.Model, rows int) {
	if area.ScrollYOffset() <= max(0, rows-area.Height()) {
		return
	}
	line, column := area.Line(), area.Column()
	area.MoveToBegin()
	moveCursor(area, line, column)
	*area, _ = area.Update(nil) // scrolls to the cursor
}

// moveCursor moves the cursor of an area to a column of a line.
func moveCursor(area *textarea.Model, line, column int) {
	for area.Line() > line {
		area.CursorStart() // elsewhere, CursorUp and CursorDown may stay on a row that exactly fills the width
		area.CursorUp()
	}
	for area.Line() < line {
		area.CursorEnd()
		area.CursorDown()
	}
	area.SetCursorColumn(column)
}

// maskText replaces every character of a text by a star.
func maskText(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return '*'
	}, text)
}

// readOnlyLines returns the start of a text that cannot be edited here, and what a person can do with it.
func (e *Editor) readOnlyLines(dc *draw.Context, w, h int) []string {
	text, can := e.readOnlyText[:min(len(e.readOnlyText), 4<<10)], dc.Keys.FillInKeys("{editor} to edit it in $EDITOR, or backspace to delete it")
	if e.IsMasked {
		text, can = maskText(text), "Press backspace to delete it"
	}
	size := wording.ByteSize(int64(len(e.readOnlyText))) + " in " + plan.CountText(strings.Count(e.readOnlyText, "\n")+1, "line")
	facts := dc.Wrap(fmt.Sprintf("This text (%s) cannot be edited here. %s.", size, can), w)
	facts = facts[:min(len(facts), max(1, h))]
	var out []string
	head := strings.SplitN(text, "\n", max(1, h))
	for _, line := range head[:min(len(head), h-len(facts))] {
		out = append(out, dc.Cut(sanitize.Plain(line), w))
	}
	for _, line := range facts {
		out = append(out, dc.Muted.Paint(line))
	}
	return out
}

// textAreaStyles returns the styles of the text area, which are those of a line of text.
func textAreaStyles(dc *draw.Context) textarea.Styles {
	s, line := textarea.DefaultStyles(dc.Palette.IsForDark), dc.TextInputStyles()
	s.Focused.Text, s.Focused.CursorLine, s.Focused.Prompt = line.Focused.Text, line.Focused.Text, line.Focused.Prompt
	s.Focused.EndOfBuffer = lipgloss.NewStyle()
	s.Cursor.Blink, s.Cursor.Color = line.Cursor.Blink, line.Cursor.Color
	return s
}

func (e *Editor) Height(*draw.Context, int) int {
	return min(max(defaultEditorHeight, e.textArea.LineCount()+1), maxEditorHeight)
}

// minEditorHeight is the minimum number of rows of an editor.
const minEditorHeight = 3

// MinHeight returns how many lines a widget needs: an editor those of its text and an empty one, any other its height.
func MinHeight(of Widget, dc *draw.Context, w int) int {
	if e, edits := of.(*Editor); edits {
		return min(max(minEditorHeight, e.textHeight(w)+1), e.Height(dc, w))
	}
	return of.Height(dc, w)
}

// textHeight returns how many rows the text takes at a width, within limits.
func (e *Editor) textHeight(w int) int {
	if e.readOnlyText != "" {
		return defaultEditorHeight
	}
	e.wrapping.findRows(e.textArea.Value(), w)
	return min(len(e.wrapping.beginsLine), maxEditorHeight)
}

func (e *Editor) TakesText() bool { return true }

func (e *Editor) Hints(dc *draw.Context) []draw.Hint {
	if e.IsMasked {
		return []draw.Hint{dc.ActionHint("send", "send")}
	}
	return []draw.Hint{dc.ActionHint("send", "send"), dc.ActionHint("editor", "editor")}
}

// wrappedRows knows which rows of an editor begin a line of its text. The other rows continue a wrapped
// line, or are below the text.
type wrappedRows struct {
	text       string
	width      int
	beginsLine []bool
}

// promptWidth is the number of cells before the text of a row.
const promptWidth = 2

// rowPrompt returns the characters before a row.
func (r *wrappedRows) rowPrompt(row int) string {
	if row < len(r.beginsLine) && r.beginsLine[row] {
		return "› "
	}
	return "  "
}

// findRows finds the rows that begin a line. A text area does not tell where its lines break, so each line
// gets an area of its own.
func (r *wrappedRows) findRows(text string, w int) {
	if text == r.text && w == r.width && r.beginsLine != nil {
		return
	}
	r.text, r.width, r.beginsLine = text, w, r.beginsLine[:0]
	single := textarea.New()
	single.ShowLineNumbers, single.Prompt, single.MaxHeight = false, "", 0
	single.SetWidth(w - promptWidth)
	for line := range strings.SplitSeq(text, "\n") {
		single.SetValue(line)
		r.beginsLine = append(r.beginsLine, true)
		for range single.LineInfo().Height - 1 {
			r.beginsLine = append(r.beginsLine, false)
		}
	}
}
