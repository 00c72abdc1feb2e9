package themes

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
)

// Ink paints one role: the sequences around a text, worked out once, since a
// frame paints hundreds of short texts.
type Ink struct {
	open, close string
	reverse     bool
}

// NewInk takes the sequences of a style that has colours and attributes only.
func NewInk(s lipgloss.Style) Ink {
	before, after, _ := strings.Cut(s.Render("x"), "x")
	return Ink{before, after, s.GetReverse()}
}

// Paint colours a text. The text must not have line ends.
func (i Ink) Paint(s string) string {
	if i.open == "" || s == "" {
		return s
	}
	return i.open + s + i.close
}

// Over paints a text that has its own styles. Where one of them resets, the ink is applied again, so
// that a selection stays one unbroken bar. With reverse video the bar begins behind the signs, which keep
// their colours; in the bar colours are left out, because they would be pieces of another one.
func (i Ink) Over(s string) string {
	if i.open == "" || s == "" {
		return s
	}
	signs := ""
	if i.reverse {
		signs, s = splitGlyphs(s)
		s = sequence.ReplaceAllStringFunc(s, withoutColours)
	}
	s = strings.ReplaceAll(s, "\x1b[m", "\x1b[m"+i.open)
	s = strings.ReplaceAll(s, "\x1b[0m", "\x1b[0m"+i.open)
	return signs + i.open + s + i.close
}

// splitGlyphs cuts a row where its text begins, or, if it has none, behind its first sign. A style that goes
// on there begins again in the rest.
func splitGlyphs(row string) (signs, rest string) {
	cuts, style := [][2]string{{"", row}}, "" // before and behind each sign
	for at := 0; at < len(row); {
		if row[at] == '\x1b' {
			s := sequence.FindString(row[at:])
			if style += s; s == "\x1b[m" || s == "\x1b[0m" {
				style = ""
			}
			at += max(1, len(s))
			continue
		}
		r, size := utf8.DecodeRuneInString(row[at:])
		if isText(r) {
			last := cuts[len(cuts)-1]
			return last[0], last[1]
		}
		at += size
		cut := [2]string{row[:at], row[at:]}
		if style != "" {
			cut = [2]string{row[:at] + "\x1b[m", style + row[at:]}
		}
		cuts = append(cuts, cut)
	}
	first := cuts[min(1, len(cuts)-1)]
	return first[0], first[1]
}

// isText reports whether a rune is none of the signs that stand before a text.
func isText(r rune) bool {
	if r < utf8.RuneSelf {
		return r > ' ' && !strings.ContainsRune("?!~+-", r)
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

// sequence begins a style, or ends it.
var sequence = regexp.MustCompile("\x1b\\[[0-9;]*m")

// withoutColours returns a sequence without colours and faintness.
func withoutColours(s string) string {
	all := strings.Split(s[2:len(s)-1], ";")
	var kept []string
	for i := 0; i < len(all); i++ {
		switch n, _ := strconv.Atoi(all[i]); {
		case n == 38 || n == 48:
			i += colourLength(all[i+1:])
		case n < 30 && n != 2:
			kept = append(kept, all[i])
		}
	}
	if len(kept) == 0 {
		return ""
	}
	return "\x1b[" + strings.Join(kept, ";") + "m"
}

// colourLength returns how many parameters follow 38 or 48: 2 (5;n) or 4 (2;r;g;b).
func colourLength(rest []string) int {
	if len(rest) > 0 && rest[0] == "2" {
		return 4
	}
	return 2
}
