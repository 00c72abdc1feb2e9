package themes

import (
	"regexp"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
)

// Style is how a text is painted: the control sequences before and after it. They are computed once, because a
// frame paints hundreds of short texts.
type Style struct {
	startSequence, endSequence string
	isReverse                  bool
}

// NewStyle returns a style of lipgloss, which has colours and attributes only, as a Style.
func NewStyle(s lipgloss.Style) Style {
	before, after, _ := strings.Cut(s.Render("x"), "x")
	return Style{before, after, s.GetReverse()}
}

// Paint colours a text. The text must not have line ends.
func (s Style) Paint(text string) string {
	if s.startSequence == "" || text == "" {
		return text
	}
	return s.startSequence + text + s.endSequence
}

// PaintOver paints a text that has its own styles. Where one of them resets, the style is applied again, so
// that a selection stays one unbroken bar. With reverse video a bar at the left edge, which marks the row,
// keeps its colour; the colours of the rest are left out, because reversed they would show as blocks of their
// own.
func (s Style) PaintOver(text string) string {
	if s.startSequence == "" || text == "" {
		return text
	}
	mark := ""
	if s.isReverse {
		mark = selectedRowMarkPattern.FindString(text)
		text = stylePattern.ReplaceAllStringFunc(text[len(mark):], removeColourParameters)
	}
	text = strings.ReplaceAll(text, "\x1b[m", "\x1b[m"+s.startSequence)
	text = strings.ReplaceAll(text, "\x1b[0m", "\x1b[0m"+s.startSequence)
	return mark + s.startSequence + text + s.endSequence
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
