// Package form has the widgets with which a person enters a value (a line, a text, a choice, yes or no),
// and Form, which asks for several values, one at a time.
package form

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/draw"
)

// Widget lets a person enter one value. It keeps what was typed as long as its dialog exists.
type Widget interface {
	// Lines returns the widget as at most h lines of w cells.
	Lines(l *draw.Look, w, h int) []string
	// Height returns how many lines the widget takes on a screen that is high enough.
	Height(l *draw.Look, w int) int
	// Key handles a key. sent reports that the person has confirmed the value, used that the widget used
	// the key.
	Key(l *draw.Look, k tea.KeyPressMsg) (sent, used bool)
	// Paste inserts a text where a key would insert a letter.
	Paste(l *draw.Look, text string)
	// Value returns the value as the text of an answer: yes or no, true or false, a number, JSON.
	Value() string
	// Writes reports whether any key may be part of a text, so that no key has another meaning.
	Writes() bool
	// Hints returns the keys that the widget uses.
	Hints(l *draw.Look) []draw.Hint
}

// New returns a widget for a type of value, with an initial value.
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

// line returns a widget for a text that may have several lines.
func line(value string) *OneLine {
	o := &OneLine{Multiline: true}
	o.Set(value)
	return o
}

// Text is a text that a person edits, in the widget or in their own editor.
type Text interface {
	Value() string
	Set(text string)
}

// Written returns the text that is typed into a widget, for a form that of its current field. It returns
// nil if the widget takes no text or the text is secret.
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

// HasLines reports whether the text in a widget can have several lines now.
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

// isHidden reports whether a widget masks what is typed.
func isHidden(w Widget) bool {
	switch w := w.(type) {
	case *OneLine:
		return w.Hidden
	case *Editor:
		return w.Hidden
	}
	return false
}

// Hide masks what is typed into a widget. It reports whether it can: a choice from visible options is not
// masked.
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
