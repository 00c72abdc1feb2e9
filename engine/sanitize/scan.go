package sanitize

import (
	"strings"
	"unicode/utf8"

	"playhead/parse/hidden"
)

type kind uint8

const (
	dropped kind = iota // a control or sequence that must not reach the terminal
	text                // one character to show
	style               // colours and styles
	motion              // moves the cursor, or erases, within the line
)

// A token is one character, control or control sequence.
type token struct {
	kind   kind
	size   int    // bytes of input
	put    string // what stands for it in the output: of text and style
	char   rune   // of text
	final  byte   // of motion: CR, BS, TAB or the last byte of its CSI sequence
	params string // of style and of motion by a CSI sequence
}

const (
	esc         = 0x1b
	maxStyle    = 128 // bytes of parameters; longer ones are not for colours
	replacement = string(utf8.RuneError)
)

// next reads the first token of s, which is not empty.
func next(s string) token {
	switch b := s[0]; {
	case isPrintable(b):
		return token{kind: text, size: 1, put: s[:1], char: rune(b)}
	case b == esc:
		return escape(s)
	case b == '\r' || b == '\b' || b == '\t':
		return token{kind: motion, size: 1, final: b}
	case b < utf8.RuneSelf:
		return token{size: 1}
	}
	return wide(s)
}

// wide reads a character beyond ASCII, or one of the controls U+0080 to U+009F.
func wide(s string) token {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && size == 1:
		return token{kind: text, size: 1, put: replacement, char: r}
	case r == 0x9b:
		return csi(s, size)
	case r == 0x90, r == 0x98, r == 0x9d, r == 0x9e, r == 0x9f:
		return controlString(s, size)
	case r == '\u2028' || r == '\u2029': // line and paragraph separator
		return token{kind: text, size: size, put: " ", char: ' '}
	case !hidden.Shows(r):
		return token{size: size}
	}
	return token{kind: text, size: size, put: s[:size], char: r}
}

// escape reads what follows an ESC.
func escape(s string) token {
	if len(s) == 1 {
		return token{size: 1}
	}
	switch s[1] {
	case '[':
		return csi(s, 2)
	case 'P', 'X', ']', '^', '_': // DCS, SOS, OSC, PM, APC
		return controlString(s, 2)
	}
	n := 1 + span(s[1:], 0x20, 0x2f)
	if n < len(s) && s[n] >= 0x30 && s[n] <= 0x7e {
		n++
	}
	return token{size: n}
}

// csi reads a control sequence whose introducer is start bytes long. One that is broken off by
// another control, or by the line's end, counts as far as it got.
func csi(s string, start int) token {
	n := start + span(s[start:], 0x30, 0x3f)
	params := s[start:n]
	inter := span(s[n:], 0x20, 0x2f)
	n += inter
	if n == len(s) || s[n] < 0x40 || s[n] > 0x7e {
		return token{size: n}
	}
	t := token{size: n + 1, final: s[n], params: params}
	if inter > 0 || span(params, '0', ';') < len(params) || len(params) > maxStyle {
		return t
	}
	switch {
	case t.final == 'm':
		t.kind, t.put = style, s[:t.size]
		if s[0] != esc {
			t.put = "\x1b[" + params + "m"
		}
	case strings.IndexByte("CDGJKX`a", t.final) >= 0:
		t.kind = motion
	}
	return t
}

// controlString reads a string for the terminal itself: to ST or BEL, or to the control or line
// end that breaks it off.
func controlString(s string, start int) token {
	for n := start; n < len(s); n++ {
		switch s[n] {
		case 0x07, 0x18, 0x1a: // BEL, CAN, SUB
			return token{size: n + 1}
		case '\n':
			return token{size: n}
		case esc:
			if n+1 < len(s) && s[n+1] == '\\' {
				return token{size: n + 2}
			}
			return token{size: n}
		case 0x9c:
			if s[n-1] == 0xc2 && n > start { // U+009C, in UTF-8
				return token{size: n + 1}
			}
		}
	}
	return token{size: len(s)}
}

// span counts the leading bytes of s that lie between low and high.
func span(s string, low, high byte) int {
	for i := range len(s) {
		if s[i] < low || s[i] > high {
			return i
		}
	}
	return len(s)
}
