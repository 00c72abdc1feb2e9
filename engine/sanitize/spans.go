package sanitize

import (
	"fmt"
	"strconv"
	"strings"
)

// A StyledSpan is a part of a line with one style.
type StyledSpan struct {
	Text string // the text, without control characters
	SpanStyle
}

// SpanStyle is how a StyledSpan is drawn. A colour is the number of one of the terminal's sixteen,
// 0 to 15, or #rrggbb; empty: the terminal's own.
type SpanStyle struct {
	Bold, Faint, Italic, Underline, Reverse, Strike bool
	Foreground, Background                          string
}

// OutputSpans returns the parts of one line of raw output with their styles, for output other than terminals,
// such as HTML.
func OutputSpans[T string | []byte](s T) []StyledSpan {
	rest := Output(s)
	var out []StyledSpan
	var style cellStyle
	for rest != "" {
		n := strings.IndexByte(rest, escByte)
		if n < 0 {
			n = len(rest)
		}
		if n > 0 {
			out = append(out, StyledSpan{rest[:n], style.spanStyle()})
			rest = rest[n:]
			continue
		}
		t := readToken(rest)
		style = style.withSequence(t.params)
		rest = rest[t.size:]
	}
	return out
}

func (c cellStyle) spanStyle() SpanStyle {
	on := func(n int) bool { return c.sgrFlags&(1<<n) != 0 }
	return SpanStyle{
		Bold: on(1), Faint: on(2), Italic: on(3), Reverse: on(7), Strike: on(9),
		Underline:  c.underlineShape != "" && c.underlineShape != "4:0",
		Foreground: colorName(c.foreground), Background: colorName(c.background),
	}
}

// colorName returns the colour of a SpanStyle for the SGR parameters of a colour, such as 31, 38;5;n or 38:2::r:g:b. It
// returns "" for any other.
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
		return basicColor(n[0])
	case len(n) == 3 && n[1] == 5:
		return paletteColor(n[2])
	case len(n) >= 5 && n[1] == 2: // a colour space may stand before the three
		return hexColor(n[len(n)-3], n[len(n)-2], n[len(n)-1])
	}
	return ""
}

// basicColor returns the number of one of the sixteen colours for its SGR parameter, as a foreground or a background.
func basicColor(n int) string {
	if n >= 90 {
		return strconv.Itoa(n%10 + 8)
	}
	return strconv.Itoa(n % 10)
}

// paletteColor returns one of the 256 colours: sixteen, a cube of six levels each, and greys.
func paletteColor(n int) string {
	switch {
	case n < 16:
		return strconv.Itoa(n)
	case n < 232:
		n -= 16
		return hexColor(colorLevel(n/36), colorLevel(n/6%6), colorLevel(n%6))
	default:
		grey := 8 + 10*(n-232)
		return hexColor(grey, grey, grey)
	}
}

// colorLevel returns the value of level n, from 0 to 5, of the cube of colours.
func colorLevel(n int) int {
	if n == 0 {
		return 0
	}
	return 55 + 40*n
}

func hexColor(r, g, b int) string { return fmt.Sprintf("#%02x%02x%02x", r, g, b) }
