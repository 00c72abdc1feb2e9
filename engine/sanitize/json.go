package sanitize

import (
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

	"playhead/parse/hidden"
)

// JSON returns JSON of the same meaning in which no text can steer a terminal: every
// character that does not show as itself is an escape.
func JSON(p []byte) []byte {
	if isASCII(p) {
		return p
	}
	out := make([]byte, 0, len(p)+len(p)/8)
	var scan hidden.Scanner
	for rest := string(p); rest != ""; {
		size, isHidden := scan.Next(rest)
		r, _ := utf8.DecodeRuneInString(rest)
		switch {
		case !isHidden && r != utf8.RuneError:
			out = append(out, rest[:size]...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		rest = rest[size:]
	}
	return out
}

func isASCII(p []byte) bool {
	for _, b := range p {
		if b >= 0x7f {
			return false
		}
	}
	return true
}
