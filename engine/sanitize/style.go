package sanitize

import (
	"strconv"
	"strings"
)

// resetsStyle reports whether the parameters of a style sequence switch everything off.
func resetsStyle(params string) bool { return strings.Trim(params, "0;") == "" }

// A cellStyle is how a cell is drawn: the combined effect of style sequences.
type cellStyle struct {
	foreground, background, underlineColor, underlineShape string // parameters: two colours, the underline's colour, its shape
	sgrFlags                                               uint64 // bit n: SGR n is on
}

const sgrOverline = 53

// sgrFlagsClearedByParam has the flags that a parameter switches off.
var sgrFlagsClearedByParam = map[int]uint64{
	22: 1<<1 | 1<<2, 23: 1 << 3, 25: 1<<5 | 1<<6, 27: 1 << 7, 28: 1 << 8, 29: 1 << 9, 55: 1 << sgrOverline,
}

// withSequence returns the style after a style sequence with these parameters.
func (c cellStyle) withSequence(params string) cellStyle {
	for more := true; more; {
		var field string
		field, params, more = strings.Cut(params, ";")
		name, _, _ := strings.Cut(field, ":")
		switch name {
		case "38", "48", "58":
			if field == name {
				field, params, more = cutExtendedColor(field, params)
			}
			c.setExtendedColor(name, field)
		default:
			n, _ := strconv.Atoi(name)
			c.applyParam(n, field)
		}
	}
	return c
}

// applyParam carries out one parameter n, written as field.
func (c *cellStyle) applyParam(n int, field string) {
	switch {
	case n == 0:
		*c = cellStyle{}
	case n == 4 || n == 21:
		c.underlineShape = field
	case n == 24:
		c.underlineShape = ""
	case n <= 9 || n == sgrOverline:
		c.sgrFlags |= 1 << n
	case n >= 30 && n <= 37 || n >= 90 && n <= 97:
		c.foreground = field
	case n == 39:
		c.foreground = ""
	case n >= 40 && n <= 47 || n >= 100 && n <= 107:
		c.background = field
	case n == 49:
		c.background = ""
	case n == 59:
		c.underlineColor = ""
	default:
		c.sgrFlags &^= sgrFlagsClearedByParam[n]
	}
}

// setExtendedColor sets one of the extended colours.
func (c *cellStyle) setExtendedColor(name, field string) {
	switch name {
	case "38":
		c.foreground = field
	case "48":
		c.background = field
	default:
		c.underlineColor = field
	}
}

// cutExtendedColor cuts the parameters of an extended colour in the older notation, 38;5;n or 38;2;r;g;b.
func cutExtendedColor(name, params string) (field, rest string, more bool) {
	parts := strings.Split(params, ";")
	n := 1
	switch parts[0] {
	case "5":
		n = 2
	case "2":
		n = 4
	}
	n = min(n, len(parts))
	field = name + ";" + strings.Join(parts[:n], ";")
	return field, strings.Join(parts[n:], ";"), n < len(parts)
}

// appendChangeFrom appends the sequence that changes from another style to this one.
func (c cellStyle) appendChangeFrom(out []byte, from cellStyle) []byte {
	if c == (cellStyle{}) {
		return append(out, resetStyle...)
	}
	out = append(out, "\x1b["...)
	if from != (cellStyle{}) {
		out = append(out, "0;"...)
	}
	for n := 1; n <= sgrOverline; n++ {
		if c.sgrFlags&(1<<n) != 0 {
			out = append(strconv.AppendInt(out, int64(n), 10), ';')
		}
	}
	for _, field := range []string{c.underlineShape, c.foreground, c.background, c.underlineColor} {
		if field != "" {
			out = append(append(out, field...), ';')
		}
	}
	out[len(out)-1] = 'm'
	return out
}
