package sanitize

import (
	"strconv"
	"strings"
)

// resets reports whether the parameters of a style sequence switch everything off.
func resets(params string) bool { return strings.Trim(params, "0;") == "" }

// A cellStyle is what style sequences add up to: how a cell is drawn.
type cellStyle struct {
	fg, bg, under, line string // parameters: two colours, the underline's colour, its shape
	flags               uint64 // bit n: SGR n is on
}

const overline = 53

// off is what switches flags off, by the parameter that does it.
var off = map[int]uint64{
	22: 1<<1 | 1<<2, 23: 1 << 3, 25: 1<<5 | 1<<6, 27: 1 << 7, 28: 1 << 8, 29: 1 << 9, 55: 1 << overline,
}

// with returns the look after a style sequence with these parameters.
func (l cellStyle) with(params string) cellStyle {
	for more := true; more; {
		var field string
		field, params, more = strings.Cut(params, ";")
		name, _, _ := strings.Cut(field, ":")
		switch name {
		case "38", "48", "58":
			if field == name {
				field, params, more = colour(field, params)
			}
			l.paint(name, field)
		default:
			n, _ := strconv.Atoi(name)
			l.set(n, field)
		}
	}
	return l
}

// set carries out one parameter n, written as field.
func (l *cellStyle) set(n int, field string) {
	switch {
	case n == 0:
		*l = cellStyle{}
	case n == 4 || n == 21:
		l.line = field
	case n == 24:
		l.line = ""
	case n <= 9 || n == overline:
		l.flags |= 1 << n
	case n >= 30 && n <= 37 || n >= 90 && n <= 97:
		l.fg = field
	case n == 39:
		l.fg = ""
	case n >= 40 && n <= 47 || n >= 100 && n <= 107:
		l.bg = field
	case n == 49:
		l.bg = ""
	case n == 59:
		l.under = ""
	default:
		l.flags &^= off[n]
	}
}

// paint sets one of the extended colours.
func (l *cellStyle) paint(name, field string) {
	switch name {
	case "38":
		l.fg = field
	case "48":
		l.bg = field
	default:
		l.under = field
	}
}

// colour reads what belongs to an extended colour in its older notation, 38;5;n or 38;2;r;g;b.
func colour(name, params string) (field, rest string, more bool) {
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

// appendTo appends the sequence that changes from another look to this one.
func (l cellStyle) appendTo(out []byte, from cellStyle) []byte {
	if l == (cellStyle{}) {
		return append(out, resetStyle...)
	}
	out = append(out, "\x1b["...)
	if from != (cellStyle{}) {
		out = append(out, "0;"...)
	}
	for n := 1; n <= overline; n++ {
		if l.flags&(1<<n) != 0 {
			out = append(strconv.AppendInt(out, int64(n), 10), ';')
		}
	}
	for _, field := range []string{l.line, l.fg, l.bg, l.under} {
		if field != "" {
			out = append(append(out, field...), ';')
		}
	}
	out[len(out)-1] = 'm'
	return out
}
