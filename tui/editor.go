package tui

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"playhead/engine/sanitize"
)

// editor takes a text of several lines. One that a person cannot sensibly edit here
// is held as it is: it can be sent, edited outside or forgotten.
type editor struct {
	area *textarea.Model
	held string
	rows rowsOf
}

// How much text is edited here, and how high the editor is.
const (
	mostEdited     = 32 << 10
	mostLines      = 800
	usualEditing   = 8
	tallestEditing = 16
)

func newEditor(value string) *editor {
	area := textarea.New()
	area.ShowLineNumbers, area.MaxHeight = false, 0
	area.Focus()
	e := &editor{area: &area}
	area.SetPromptFunc(promptWidth, func(row textarea.PromptInfo) string { return e.rows.prompt(row.LineNumber) })
	e.set(value)
	return e
}

// set replaces the text.
func (e *editor) set(text string) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	e.held = ""
	e.area.Reset()
	if unhandy(text) {
		e.held = text
		return
	}
	e.area.SetValue(text)
}

// unhandy reports whether a text is not to be edited here: it is too long, or holds
// what would be changed by it.
func unhandy(text string) bool {
	return len(text) > mostEdited || strings.Count(text, "\n") >= mostLines || strings.Contains(text, "\t")
}

func (e *editor) value() string {
	if e.held != "" {
		return e.held
	}
	return e.area.Value()
}

// paste puts a text in where the cursor is, or holds it if that gets too long.
func (e *editor) paste(_ *look, text string) {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	if e.held != "" || unhandy(e.area.Value()+text) {
		e.held = e.value() + text
		return
	}
	area, _ := e.area.Update(tea.PasteMsg{Content: text})
	*e.area = area
}

// key writes, and sends with ctrl+s.
func (e *editor) key(_ *look, k tea.KeyPressMsg) (sent, used bool) {
	switch s := k.String(); {
	case s == "ctrl+s":
		return true, true
	case e.held != "" && s == "backspace":
		e.set("")
	case e.held == "":
		area, _ := e.area.Update(k) // its commands would make the cursor blink
		*e.area = area
	}
	return false, true
}

func (e *editor) lines(l *look, w, h int) []string {
	if e.held != "" {
		return e.holding(l, w, h)
	}
	e.area.SetStyles(editing(l))
	e.area.SetWidth(w)
	e.area.SetHeight(max(1, h))
	e.rows.wrap(e.area.Value(), w)
	area, _ := e.area.Update(nil) // it scrolls to the cursor
	*e.area = area
	return strings.Split(e.area.View(), "\n")
}

// holding shows the start of a text that is held.
func (e *editor) holding(l *look, w, h int) []string {
	var out []string
	head := strings.SplitN(e.held[:min(len(e.held), 4<<10)], "\n", max(1, h))
	for _, line := range head[:min(len(head), h-1)] {
		out = append(out, l.cut(sanitize.Line(line), w))
	}
	facts := fmt.Sprintf("%s in %s: ctrl+e edits it, backspace forgets it", size(int64(len(e.held))), count(strings.Count(e.held, "\n")+1, "line"))
	return append(out, l.Accent.Paint(l.cut(facts, w)))
}

// editing is the style of the editor. Only the cursor stands out.
func editing(l *look) textarea.Styles {
	s := textarea.DefaultStyles(l.Palette.Dark)
	base := lipgloss.NewStyle()
	s.Focused.CursorLine, s.Focused.EndOfBuffer = base, base
	s.Focused.Prompt = base.Faint(true)
	s.Cursor.Blink = false
	return s
}

func (e *editor) height(*look, int) int {
	return min(max(usualEditing, e.area.LineCount()+1), tallestEditing)
}

func (e *editor) writes() bool { return true }

func (e *editor) hints() []hint {
	return []hint{{"ctrl+s", "send"}, {"ctrl+e", "$EDITOR"}}
}
