package themes

import (
	"regexp"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
)

// Ink paints one role: the sequences around a text, worked out once, since a
// frame paints hundreds of short texts.
type Ink struct {
	open, shut string
	reverse    bool
}

// NewInk takes the sequences of a style that has colours and attributes only.
func NewInk(s lipgloss.Style) Ink {
	open, shut, _ := strings.Cut(s.Render("x"), "x")
	return Ink{open, shut, s.GetReverse()}
}

// Paint colours a text. The text must not have line ends.
func (i Ink) Paint(s string) string {
	if i.open == "" || s == "" {
		return s
	}
	return i.open + s + i.shut
}

// Over paints a text that has its own styles. Where one of them resets, the ink is applied again, so
// that a selection stays one unbroken bar. With reverse video the text's own colours are left out,
// because they would colour pieces of the bar.
func (i Ink) Over(s string) string {
	if i.open == "" || s == "" {
		return s
	}
	if i.reverse {
		s = sequence.ReplaceAllStringFunc(s, uncoloured)
	}
	s = strings.ReplaceAll(s, "\x1b[m", "\x1b[m"+i.open)
	s = strings.ReplaceAll(s, "\x1b[0m", "\x1b[0m"+i.open)
	return i.open + s + i.shut
}

// sequence begins a style, or ends it.
var sequence = regexp.MustCompile("\x1b\\[[0-9;]*m")

// uncoloured is a sequence without its colours.
func uncoloured(s string) string {
	all := strings.Split(s[2:len(s)-1], ";")
	var kept []string
	for i := 0; i < len(all); i++ {
		switch n, _ := strconv.Atoi(all[i]); {
		case n == 38 || n == 48:
			i += colourLength(all[i+1:])
		case n < 30:
			kept = append(kept, all[i])
		}
	}
	if len(kept) == 0 {
		return ""
	}
	return "\x1b[" + strings.Join(kept, ";") + "m"
}

// colourLength is how many parameters a colour has behind the one that says what it is of:
// 5 and its number, or 2 and its three parts.
func colourLength(rest []string) int {
	if len(rest) > 0 && rest[0] == "2" {
		return 4
	}
	return 2
}
