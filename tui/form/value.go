// Package form takes values from a person: a line, a text, one of several, yes or no,
// each a Widget; and a Form of them, one at a time.
package form

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/draw"
)

// Widget takes one value from a person, in a question or in the form of inputs.
// It lives as long as its dialog does: what was typed is kept.
type Widget interface {
	// Lines is the widget, w cells wide and at most h lines high.
	Lines(l *draw.Look, w, h int) []string
	// Height is how many lines it would like to have.
	Height(l *draw.Look, w int) int
	// Key takes a key. sent says that the value is what the person wants to say,
	// used that the key meant something.
	Key(l *draw.Look, k tea.KeyPressMsg) (sent, used bool)
	// Paste writes a whole text where a key would write a letter.
	Paste(l *draw.Look, text string)
	// Value is the value as text, as answers are given: yes or no, true or false, a number, JSON.
	Value() string
	// Writes reports whether every key may be text, so that none has another use.
	Writes() bool
	// Hints are the keys that it knows.
	Hints(l *draw.Look) []draw.Hint
}

// New is the widget for a type of value, with a value to begin with.
func New(kind, value string, options []string) Widget {
	switch kind {
	case "confirm":
		return &yesNo{}
	case "boolean":
		return &Toggle{on: value == "true"}
	case "select", "enum":
		return NewPicker(options, value)
	case "text":
		return NewEditor(value)
	case "value":
		return &TextOrJSON{OneLine: *line(value)}
	case "number":
		return &OneLine{Text: value}
	default:
		return line(value)
	}
}

// line is a widget for a text that may have several lines, and mostly has one.
func line(value string) *OneLine {
	o := &OneLine{Multiline: true}
	o.Set(value)
	return o
}

// Text is what a person writes, here or in their own editor.
type Text interface {
	Value() string
	Set(text string)
}

// Written returns the text that is typed into a widget, for a form that of its current field. It is nil
// if the widget takes no text or the text is secret.
func Written(w Widget) Text {
	switch w := w.(type) {
	case *Editor:
		if !w.Hidden {
			return w
		}
	case *OneLine:
		if w.Multiline && !w.Hidden {
			return w
		}
	case *TextOrJSON:
		return Written(&w.OneLine)
	case *Form:
		return Written(w.Control())
	}
	return nil
}

// HasLines reports whether a widget takes a text of several lines now.
func HasLines(w Widget) bool {
	switch w := w.(type) {
	case *Editor:
		return true
	case *OneLine:
		return w.lines != nil
	case *TextOrJSON:
		return w.lines != nil
	case *Form:
		return HasLines(w.Control())
	}
	return false
}

// isHidden reports whether nobody sees what is written in a widget.
func isHidden(w Widget) bool {
	switch w := w.(type) {
	case *OneLine:
		return w.Hidden
	case *Editor:
		return w.Hidden
	}
	return false
}

// Hide has nobody see what is written into a widget. It reports whether anything is: what is
// chosen from what shows anyway is not hidden.
func Hide(w Widget) bool {
	switch w := w.(type) {
	case *OneLine:
		w.Hidden = true
		w.Set(w.Text)
	case *Editor:
		w.Hidden = true
	default:
		return false
	}
	return true
}
