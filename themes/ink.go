package themes

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

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
// that a selection stays one unbroken bar. With reverse video the first cell, which marks the row, and the
// signs before the text keep their colours; in the bar colours are left out, because reversed they would
// show as blocks of their own.
func (i Ink) PaintOver(s string) string {
	if i.startSequence == "" || s == "" {
		return s
	}
	signs := ""
	if i.isReverse {
		signs, s = i.overSigns(s)
		s = stylePattern.ReplaceAllStringFunc(s, removeColours)
	}
	s = strings.ReplaceAll(s, "\x1b[m", "\x1b[m"+i.startSequence)
	s = strings.ReplaceAll(s, "\x1b[0m", "\x1b[0m"+i.startSequence)
	return signs + i.startSequence + s + i.endSequence
}

// overSigns cuts a row behind its first cell and the signs before its text. Of what is before the cut it
// paints the blanks. A style that goes on behind the cut begins again there.
func (i Ink) overSigns(row string) (signs, rest string) {
	var b strings.Builder
	style, blanks := "", ""
	for at := 0; at < len(row); {
		if row[at] == '\x1b' {
			s := stylePattern.FindString(row[at:])
			if style += s; s == "\x1b[m" || s == "\x1b[0m" {
				style = ""
			}
			at += max(1, len(s))
			continue
		}
		r, size := utf8.DecodeRuneInString(row[at:])
		switch {
		case isTextRune(r):
			return b.String(), blanks + style + row[at:]
		case r == ' ' && b.Len() > 0:
			blanks += " "
		default:
			b.WriteString(i.Paint(blanks) + inStyle(style, row[at:at+size]))
			blanks = ""
		}
		at += size
	}
	return b.String(), blanks
}

// inStyle returns a text in the style that sequences begin.
func inStyle(style, text string) string {
	if style == "" {
		return text
	}
	return style + text + "\x1b[m"
}

// isTextRune reports whether a rune belongs to a text, not to the glyphs before it.
func isTextRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r > ' ' && !strings.ContainsRune("?!~+-", r)
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

// stylePattern matches a control sequence that begins or ends a style.
var stylePattern = regexp.MustCompile("\x1b\\[[0-9;]*m")

// removeColours returns a control sequence without colours and faintness.
func removeColours(s string) string {
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
