package sanitize

import (
	"fmt"
	"strconv"
	"strings"
)

// A Span is a part of a line that is drawn alike.
type Span struct {
	Text string // without controls
	Style
}

// Style is how a Span is drawn. A colour is the number of one of the terminal's sixteen,
// 0 to 15, or #rrggbb; empty: the terminal's own.
type Style struct {
	Bold, Faint, Italic, Underline, Reverse, Strike bool
	Foreground, Background                          string
}

// Spans returns the parts of one line of raw output, each with its style, for what is not a
// terminal.
func Spans[T string | []byte](s T) []Span {
	rest := Output(s)
	var out []Span
	var pen cellStyle
	for rest != "" {
		n := strings.IndexByte(rest, esc)
		if n < 0 {
			n = len(rest)
		}
		if n > 0 {
			out = append(out, Span{rest[:n], pen.style()})
			rest = rest[n:]
			continue
		}
		t := next(rest)
		pen = pen.with(t.params)
		rest = rest[t.size:]
	}
	return out
}

func (l cellStyle) style() Style {
	on := func(n int) bool { return l.flags&(1<<n) != 0 }
	return Style{
		Bold: on(1), Faint: on(2), Italic: on(3), Reverse: on(7), Strike: on(9),
		Underline:  l.line != "" && l.line != "4:0",
		Foreground: colorName(l.fg), Background: colorName(l.bg),
	}
}

// colorName returns the colour of a Style for the parameters of a sequence, in either notation.
func colorName(params string) string {
	var n []int
	for _, part := range strings.FieldsFunc(params, func(r rune) bool { return r == ';' || r == ':' }) {
		v, err := strconv.Atoi(part)
		if err != nil || v > 255 {
			return ""
		}
		n = append(n, v)
	}
	switch {
	case len(n) == 1 && n[0]%10 < 8:
		return basic(n[0])
	case len(n) == 3 && n[1] == 5:
		return indexed(n[2])
	case len(n) >= 5 && n[1] == 2: // a colour space may stand before the three
		return hex(n[len(n)-3], n[len(n)-2], n[len(n)-1])
	}
	return ""
}

// basic returns the number of one of the sixteen colours, for a foreground or a background.
func basic(n int) string {
	switch {
	case n >= 90:
		return strconv.Itoa(n%10 + 8)
	default:
		return strconv.Itoa(n % 10)
	}
}

// indexed returns one of the 256 colours: sixteen, a cube of six levels each, and greys.
func indexed(n int) string {
	switch {
	case n < 16:
		return strconv.Itoa(n)
	case n < 232:
		n -= 16
		return hex(level(n/36), level(n/6%6), level(n%6))
	default:
		grey := 8 + 10*(n-232)
		return hex(grey, grey, grey)
	}
}

func level(n int) int {
	if n == 0 {
		return 0
	}
	return 55 + 40*n
}

func hex(r, g, b int) string { return fmt.Sprintf("#%02x%02x%02x", r, g, b) }
