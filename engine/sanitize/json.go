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
	for len(p) > 0 {
		r, n := utf8.DecodeRune(p)
		switch {
		case r < 0x7f || r != utf8.RuneError && hidden.Shows(r):
			out = append(out, p[:n]...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		p = p[n:]
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
