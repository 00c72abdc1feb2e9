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

// Editor takes a text of several lines. One that a person cannot sensibly edit here
// is held as it is: it can be sent, edited outside or forgotten.
type Editor struct {
	Hidden   bool // what is written does not show, here or in another editor
	area     *textarea.Model
	longText string
	rows     wrappedRows
}

// How much text is edited here, and how high the editor is.
const (
	maxEdited   = 32 << 10
	maxLines    = 800
	usualHeight = 8
	maxHeight   = 16
)

// NewEditor begins with a text.
func NewEditor(value string) *Editor {
	e := &Editor{}
	e.area = e.newArea()
	e.Set(value)
	return e
}

// newArea is an area for text.
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

// cannotEdit reports whether a text cannot be edited here: it is too long, or has characters that the
// area would replace, drop or draw though they are hidden.
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

// Paste puts a text in where the cursor is, without controls. What gets too long by that, or
// has a tab, is held.
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

// pastedText is a text as it is pasted: terminals send a return for a line break.
func pastedText(text string) string {
	return strings.Map(pasted, strings.ReplaceAll(text, "\r\n", "\n"))
}

// pasted is a character as it is pasted, -1 for none.
func pasted(r rune) rune {
	switch {
	case r == '\r':
		return '\n'
	case r != '\n' && r != '\t' && unicode.IsControl(r):
		return -1
	}
	return r
}

// with is the text with another one in it, where the cursor is.
func (e *Editor) with(text string) string {
	lines := strings.Split(e.area.Value(), "\n")
	line := []rune(lines[e.area.Line()])
	at := min(e.area.Column(), len(line))
	lines[e.area.Line()] = string(line[:at]) + text + string(line[at:])
	return strings.Join(lines, "\n")
}

// Key writes, and sends with ctrl+s.
func (e *Editor) Key(l *draw.Look, k tea.KeyPressMsg) (sent, used bool) {
	switch {
	case l.Keys.Is(k, "send"):
		return true, true
	case e.longText != "" && k.Code == tea.KeyBackspace:
		e.Set("")
	case e.longText == "":
		area, _ := e.area.Update(k) // its commands would make the cursor blink
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
	*area, _ = area.Update(nil) // it scrolls to the cursor
	rows := strings.Split(area.View(), "\n")
	for i, row := range rows {
		if l.Width(row) > w { // it is filled up for a terminal that counts otherwise
			rows[i] = strings.TrimRight(row, " ")
		}
	}
	return rows
}

// maskedArea is the area with what is written masked, and the cursor where it is.
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

// mask is a text with a star for each of its characters.
func mask(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return '*'
	}, text)
}

// largeTextLines shows the start of a text that is held.
func (e *Editor) largeTextLines(l *draw.Look, w, h int) []string {
	var out []string
	text, can := e.longText[:min(len(e.longText), 4<<10)], l.Keys.Sentence("{editor} to edit it, or backspace to delete it")
	if e.Hidden {
		text, can = mask(text), "Press backspace to delete it"
	}
	head := strings.SplitN(text, "\n", max(1, h))
	for _, line := range head[:min(len(head), h-1)] {
		out = append(out, l.Cut(sanitize.Plain(line), w))
	}
	facts := fmt.Sprintf("%s in %s. %s.", wording.Size(int64(len(e.longText))), wording.Count(strings.Count(e.longText, "\n")+1, "line"), can)
	return append(out, l.Muted.Paint(l.Cut(facts, w)))
}

// editing is the style of the editor. Only the cursor stands out.
func editing(l *draw.Look) textarea.Styles {
	s := textarea.DefaultStyles(l.Palette.Dark)
	base := lipgloss.NewStyle()
	s.Focused.CursorLine, s.Focused.EndOfBuffer = base, base
	s.Focused.Prompt = base.Faint(true)
	s.Cursor.Blink, s.Cursor.Color = false, lipgloss.NoColor{} // as the other carets
	return s
}

func (e *Editor) Height(*draw.Look, int) int {
	return min(max(usualHeight, e.area.LineCount()+1), maxHeight)
}

// leastHeight is how many rows an editor has at least.
const leastHeight = 3

// LeastHeight returns how many lines a widget needs: an editor those of its text, and a free one.
func LeastHeight(of Widget, l *draw.Look, w int) int {
	e, edits := of.(*Editor)
	if !edits {
		return of.Height(l, w)
	}
	return min(max(leastHeight, e.TextHeight(w)+1), e.Height(l, w))
}

// TextHeight is how many rows of a width the text takes, within limits.
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

// wrappedRows says which rows of an editor begin a line of its text: the others go on with a
// line that is too long for one row, or are behind the last.
type wrappedRows struct {
	text   string
	w      int
	begins []bool
}

// promptWidth is how much of a row stands before its text.
const promptWidth = 2

// prompt stands before a row.
func (r *wrappedRows) prompt(row int) string {
	if row < len(r.begins) && r.begins[row] {
		return "› "
	}
	return "  "
}

// wrap wraps a text as an editor of a width does, which tells nobody where: so does one of
// a single line.
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
