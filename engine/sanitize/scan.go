package sanitize

import (
	"strings"
	"unicode/utf8"

	"playhead/parse/hidden"
)

type tokenKind uint8

const (
	droppedToken tokenKind = iota // a control or sequence that must not reach the terminal
	textToken                     // one character to show
	styleToken                    // colours and styles
	motionToken                   // moves the cursor, or erases, within the line
)

// A token is one character, control or control sequence.
type token struct {
	kind      tokenKind
	size      int    // its length in the input, in bytes
	output    string // what to write for a textToken or a styleToken
	char      rune   // the character of a textToken
	finalByte byte   // of a motionToken: CR, BS, TAB or the last byte of its CSI sequence
	params    string // the parameters of a CSI sequence
}

const (
	escByte         = 0x1b
	maxStyleBytes   = 128 // the maximum length of parameters, in bytes; a sequence with longer ones is dropped
	replacementChar = string(utf8.RuneError)
)

// readToken reads the first token of s, which is not empty.
func readToken(s string) token {
	switch b := s[0]; {
	case isPrintable(b):
		return token{kind: textToken, size: 1, output: s[:1], char: rune(b)}
	case b == escByte:
		return readEscape(s)
	case b == '\r' || b == '\b' || b == '\t':
		return token{kind: motionToken, size: 1, finalByte: b}
	case b < utf8.RuneSelf:
		return token{size: 1}
	}
	return readNonASCII(s)
}

// readNonASCII reads a character outside ASCII, or one of the control characters U+0080 to U+009F.
func readNonASCII(s string) token {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && size == 1:
		return token{kind: textToken, size: 1, output: replacementChar, char: r}
	case r == 0x9b:
		return readCSI(s, size)
	case r == 0x90, r == 0x98, r == 0x9d, r == 0x9e, r == 0x9f:
		return readControlString(s, size)
	case r == '\u2028' || r == '\u2029': // line and paragraph separator
		return token{kind: textToken, size: size, output: " ", char: ' '}
	case !hidden.IsVisibleNonASCII(r):
		return token{size: size}
	}
	return token{kind: textToken, size: size, output: s[:size], char: r}
}

// readEscape reads what follows an ESC.
func readEscape(s string) token {
	if len(s) == 1 {
		return token{size: 1}
	}
	switch s[1] {
	case '[':
		return readCSI(s, 2)
	case 'P', 'X', ']', '^', '_': // DCS, SOS, OSC, PM, APC
		return readControlString(s, 2)
	}
	n := 1 + leadingBytesInRange(s[1:], 0x20, 0x2f)
	if n < len(s) && s[n] >= 0x30 && s[n] <= 0x7e {
		n++
	}
	return token{size: n}
}

// readCSI reads a control sequence whose introducer is start bytes long. If another control character or
// the line end interrupts it, the token ends there.
func readCSI(s string, start int) token {
	n := start + leadingBytesInRange(s[start:], 0x30, 0x3f)
	params := s[start:n]
	inter := leadingBytesInRange(s[n:], 0x20, 0x2f)
	n += inter
	if n == len(s) || s[n] < 0x40 || s[n] > 0x7e {
		return token{size: n}
	}
	t := token{size: n + 1, finalByte: s[n], params: params}
	if inter > 0 || leadingBytesInRange(params, '0', ';') < len(params) || len(params) > maxStyleBytes {
		return t
	}
	switch {
	case t.finalByte == 'm':
		t.kind, t.output = styleToken, s[:t.size]
		if s[0] != escByte {
			t.output = "\x1b[" + params + "m"
		}
	case strings.IndexByte("CDGJKX`a", t.finalByte) >= 0:
		t.kind = motionToken
	}
	return t
}

// readControlString reads a string for the terminal itself, whose introducer is start bytes long. It ends at ST or
// BEL, or at the control character or line end that interrupts it.
func readControlString(s string, start int) token {
	for n := start; n < len(s); n++ {
		switch s[n] {
		case 0x07, 0x18, 0x1a: // BEL, CAN, SUB
			return token{size: n + 1}
		case '\n':
			return token{size: n}
		case escByte:
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

// leadingBytesInRange counts the leading bytes of s that lie between low and high.
func leadingBytesInRange(s string, low, high byte) int {
	for i := range len(s) {
		if s[i] < low || s[i] > high {
			return i
		}
	}
	return len(s)
}
