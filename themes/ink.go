package themes

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// Ink paints one role: the sequences around a text, worked out once, since a
// frame paints hundreds of short texts.
type Ink struct{ open, shut string }

// NewInk takes the sequences of a style that has colours and attributes only.
func NewInk(s lipgloss.Style) Ink {
	open, shut, _ := strings.Cut(s.Render("x"), "x")
	return Ink{open, shut}
}

// Paint colours a text. The text must not have line ends.
func (i Ink) Paint(s string) string {
	if i.open == "" || s == "" {
		return s
	}
	return i.open + s + i.shut
}

// Over paints a text that has styles of its own: what they end, the ink takes up
// again, so a selection is one bar.
func (i Ink) Over(s string) string {
	if i.open == "" || s == "" {
		return s
	}
	s = strings.ReplaceAll(s, "\x1b[m", "\x1b[m"+i.open)
	s = strings.ReplaceAll(s, "\x1b[0m", "\x1b[0m"+i.open)
	return i.open + s + i.shut
}
