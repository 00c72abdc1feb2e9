package themes

import (
	"regexp"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
)

// Ink holds the control sequences around a text in one style. They are computed once, because a frame
// paints hundreds of short texts.
type Ink struct {
	startSequence, endSequence string
	isReverse                  bool
}

// NewInk returns the ink of a style that has colours and attributes only.
func NewInk(s lipgloss.Style) Ink {
	before, after, _ := strings.Cut(s.Render("x"), "x")
	return Ink{before, after, s.GetReverse()}
}

// Paint colours a text. The text must not have line ends.
func (i Ink) Paint(s string) string {
	if i.startSequence == "" || s == "" {
		return s
	}
	return i.startSequence + s + i.endSequence
}

// PaintOver paints a text that has its own styles. Where one of them resets, the ink is applied again, so
// that a selection stays one unbroken bar. With reverse video a bar at the left edge, which marks the row,
// keeps its colour; the colours of the rest are left out, because reversed they would show as blocks of their
// own.
func (i Ink) PaintOver(s string) string {
	if i.startSequence == "" || s == "" {
		return s
	}
	mark := ""
	if i.isReverse {
		mark = selectedRowMarkPattern.FindString(s)
		s = stylePattern.ReplaceAllStringFunc(s[len(mark):], removeColourParameters)
	}
	s = strings.ReplaceAll(s, "\x1b[m", "\x1b[m"+i.startSequence)
	s = strings.ReplaceAll(s, "\x1b[0m", "\x1b[0m"+i.startSequence)
	return mark + i.startSequence + s + i.endSequence
}

// selectedRowMarkPattern matches the bar that marks a selected row, with its style.
var selectedRowMarkPattern = regexp.MustCompile("^(\x1b\\[[0-9;]*m)*▌(\x1b\\[0?m)?")

// stylePattern matches a control sequence that begins or ends a style.
var stylePattern = regexp.MustCompile("\x1b\\[[0-9;]*m")

// removeColourParameters returns a control sequence without colours and faintness.
func removeColourParameters(s string) string {
	all := strings.Split(s[2:len(s)-1], ";")
	var kept []string
	for i := 0; i < len(all); i++ {
		switch n, _ := strconv.Atoi(all[i]); {
		case n == 38 || n == 48:
			i += colourParameterCount(all[i+1:])
		case n < 30 && n != 2:
			kept = append(kept, all[i])
		}
	}
	if len(kept) == 0 {
		return ""
	}
	return "\x1b[" + strings.Join(kept, ";") + "m"
}

// colourParameterCount returns how many parameters follow 38 or 48: 2 (5;n) or 4 (2;r;g;b).
func colourParameterCount(rest []string) int {
	if len(rest) > 0 && rest[0] == "2" {
		return 4
	}
	return 2
}
