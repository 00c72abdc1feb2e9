// Package form has the widgets with which a person enters a value (a line, a text, a choice, yes or no),
// and Form, which asks for several values, one at a time.
package form

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/draw"
	"playhead/tui/layout"
)

// Widget lets a person enter one value. It keeps what was typed as long as its dialog exists.
type Widget interface {
	// Lines returns the widget as at most h lines of w cells.
	Lines(dc *draw.Context, w, h int) []string
	// Height returns how many lines the widget takes on a screen that is high enough.
	Height(dc *draw.Context, w int) int
	// HandleKey handles a key. sent reports that the person has confirmed the value, used that the widget used
	// the key.
	HandleKey(dc *draw.Context, k tea.KeyPressMsg) (sent, used bool)
	// Paste inserts a text where a key would insert a letter.
	Paste(dc *draw.Context, text string)
	// Value returns the value as the text of an answer: yes or no, true or false, a number, JSON.
	Value() string
	// TakesText reports whether any key may be part of a text, so that no key has another meaning.
	TakesText() bool
	// Hints returns the keys that the widget uses.
	Hints(dc *draw.Context) []draw.Hint
}

// OverflowOf returns how much of a widget the last frame has out of sight.
func OverflowOf(w Widget) (o layout.Overflow) {
	if scrolls, can := w.(interface{ Overflow() layout.Overflow }); can {
		o = scrolls.Overflow()
	}
	return o
}

// NewWidget returns a widget for a type of value, with an initial value.
func NewWidget(kind, value string, options []string) Widget {
	switch kind {
	case "confirm":
		return &yesNoQuestion{}
	case "boolean":
		return &Toggle{isYes: value == "true"}
	case "select", "enum":
		return NewPicker(options, value)
	case "text":
		return NewEditor(value)
	case "value":
		return &TextOrJSON{TextField: *newTextFieldWithLineBreaks(value)}
	case "number":
		return &TextField{Text: value}
	default:
		return newTextFieldWithLineBreaks(value)
	}
}

// newTextFieldWithLineBreaks returns a widget for a text that may have several lines.
func newTextFieldWithLineBreaks(value string) *TextField {
	o := &TextField{AllowsLineBreaks: true}
	o.Set(value)
	return o
}

// EditableText is a text that a person edits, in the widget or in their own editor.
type EditableText interface {
	Value() string
	Set(text string)
}

// EditableTextOf returns the text that a person types into a widget. For a form, it returns that of the current
// field. It returns nil if the widget takes no text or the text is secret.
func EditableTextOf(w Widget) EditableText {
	switch w := w.(type) {
	case *Editor:
		if !w.IsMasked {
			return w
		}
	case *TextField:
		if w.AllowsLineBreaks && !w.IsMasked {
			return w
		}
	case *TextOrJSON:
		return EditableTextOf(&w.TextField)
	case *Form:
		return EditableTextOf(w.CurrentWidget())
	}
	return nil
}

// IsMultiline reports whether the text in a widget can have several lines now.
func IsMultiline(w Widget) bool {
	switch w := w.(type) {
	case *Editor:
		return true
	case *TextField:
		return w.editor != nil
	case *TextOrJSON:
		return w.editor != nil
	case *Form:
		return IsMultiline(w.CurrentWidget())
	}
	return false
}

// isMasked reports whether a widget masks what is typed.
func isMasked(w Widget) bool {
	switch w := w.(type) {
	case *TextField:
		return w.IsMasked
	case *Editor:
		return w.IsMasked
	}
	return false
}

// Mask masks what is typed into a widget. It reports whether that is possible: a choice from visible
// options cannot be masked.
func Mask(w Widget) bool {
	switch w := w.(type) {
	case *TextField:
		w.IsMasked = true
		w.Set(w.Text)
	case *Editor:
		w.IsMasked = true
	default:
		return false
	}
	return true
}
