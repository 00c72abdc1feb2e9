package sanitize

import "playhead/parse/hidden"

// filter keeps what may be shown of a line. flat is false, and the result worthless, when the
// line moves the cursor, so that keeping is not enough.
func filter(s string, styles bool) (safe string, flat bool) {
	f := keeper{source: s, styles: styles}
	for f.pos < len(s) {
		if isPrintable(s[f.pos]) {
			f.plain()
			continue
		}
		t := next(s[f.pos:])
		switch {
		case t.final == '\t' && !f.hasNonASCII && !f.open: // a tab is not underlined
			f.tab()
		case t.kind == motion:
			return "", false
		default:
			f.take(t)
		}
	}
	return f.finish(), true
}

// A keeper copies the parts of a line that stay. While nothing had to go it copies nothing.
type keeper struct {
	source      string
	styles      bool
	pos         int    // how far the line was read
	copied      int    // how much of that is in out, or was left out
	out         []byte // nil while source[:pos] stays as it is
	open        bool   // a style is switched on
	col         int    // the column reached, unless hasNonASCII
	hasNonASCII bool   // the line has characters beyond ASCII, which may be wider or narrower than one column
	joins       hidden.Joints
}

// plain reads a run of printable ASCII.
func (k *keeper) plain() {
	n := span(k.source[k.pos:], ' ', '~')
	k.pos += n
	k.col += n
	k.joins = hidden.Joints{}
}

// tab fills up to the next tab stop.
func (k *keeper) tab() {
	const stop = "        "
	n := tabWidth - k.col%tabWidth
	k.replace(1, stop[:n])
	k.col += n
	k.joins = hidden.Joints{}
}

// take reads a token that is not plain.
func (k *keeper) take(t token) {
	put := t.put
	switch t.kind {
	case text:
		k.hasNonASCII = true
		if !k.joins.Keep(t.char, k.source[k.pos+t.size:]) {
			put = ""
		}
	case style:
		if !k.styles {
			put = ""
			k.joins.Interrupt()
			break
		}
		k.open = !resets(t.params)
		k.joins = hidden.Joints{}
	default:
		k.joins.Interrupt()
	}
	k.replace(t.size, put)
}

// replace reads size bytes and puts put in their place.
func (k *keeper) replace(size int, put string) {
	end := k.pos + size
	if put != k.source[k.pos:end] {
		if k.out == nil {
			k.out = make([]byte, 0, len(k.source)+len(resetStyle))
		}
		k.out = append(k.out, k.source[k.copied:k.pos]...)
		k.out = append(k.out, put...)
		k.copied = end
	}
	k.pos = end
}

func (k *keeper) finish() string {
	switch {
	case k.out == nil && !k.open:
		return k.source
	case k.out == nil:
		return k.source + resetStyle
	}
	k.out = append(k.out, k.source[k.copied:]...)
	if k.open {
		k.out = append(k.out, resetStyle...)
	}
	return string(k.out)
}
