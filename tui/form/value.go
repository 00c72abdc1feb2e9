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
	Paste(l *draw.Look, text string)
	Value() string
	// Writes reports whether every key may be text, so that none has another use.
	Writes() bool
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
		return &TextOrJSON{OneLine: OneLine{Text: value}}
	default:
		return &OneLine{Text: value}
	}
}

// Hide has nobody see what is written into a widget. It reports whether anything is: what is
// chosen from what shows anyway is not hidden.
func Hide(w Widget) bool {
	switch w := w.(type) {
	case *OneLine:
		w.Hidden = true
	case *Editor:
		w.Hidden = true
	default:
		return false
	}
	return true
}
