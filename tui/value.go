package tui

import tea "charm.land/bubbletea/v2"

// widget takes one value from a person, in a question or in the form of inputs.
// It lives as long as its card does: what was typed is kept.
type widget interface {
	// lines is the widget, w cells wide and at most h lines high.
	lines(l *look, w, h int) []string
	// height is how many lines it would like to have.
	height(l *look, w int) int
	// key takes a key. sent says that the value is what the person wants to say,
	// used that the key meant something.
	key(l *look, k tea.KeyPressMsg) (sent, used bool)
	paste(l *look, text string)
	value() string
	// writes reports whether every key may be text, so that none has another use.
	writes() bool
	hints() []hint
}

// writer is a card that may take every key as text.
type writer interface{ writing() bool }

func (q *question) writing() bool { return q.control != nil && q.control.writes() }
func (f *inputs) writing() bool   { return f.writes() }

// newWidget is the widget for a type of value, with a value to begin with.
func newWidget(kind, value string, options []string) widget {
	switch kind {
	case "confirm":
		return &yesNo{}
	case "boolean":
		return &toggle{on: value == "true"}
	case "select", "enum":
		return newPicker(options, value)
	case "text":
		return newEditor(value)
	case "value":
		return &textOrJSON{oneLine: oneLine{text: value}}
	default:
		return &oneLine{text: value}
	}
}
