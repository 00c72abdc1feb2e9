// Package hidden knows which characters of a text do not show: controls, which a terminal obeys;
// format characters, which turn the reading direction or have no width; tags and selectors, which
// carry a second text; bytes that are no character at all. Who reads such a text sees another
// one than a shell or a model gets.
//
// Tabs and line ends, LF and CRLF, show by what they do. Joiners and marks show where they
// belong to the character before them, as in emoji and in Indic or Persian words (joints.go).
package hidden

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Shows reports whether a character beyond ASCII shows as itself. Joiners and marks may, and
// Joints decides about those.
func Shows(r rune) bool {
	switch {
	case r < 0xa0:
		return false
	case r < 0x300:
		return r != 0xad
	case r == '\u2028' || r == '\u2029': // line and paragraph separator
		return false
	case r >= 0xe0000 && r <= 0xe0fff: // tags and variation selectors 17 to 256: text in hiding
		return false
	case isJoiner(r), unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return true
	}
	return !unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point)
}

// A Scanner goes through a text. The zero value is ready.
type Scanner struct{ joints Joints }

// Next returns how many bytes the first character of s takes, which is not empty, and whether it
// is hidden. A CR before an LF, or at the very end, belongs to a line end and is not.
func (c *Scanner) Next(s string) (size int, hidden bool) {
	switch b := s[0]; {
	case b >= ' ' && b < 0x7f, b == '\n', b == '\t':
		c.joints = Joints{}
		return 1, false
	case b == '\r':
		c.joints = Joints{}
		return 1, len(s) > 1 && s[1] != '\n'
	case b < utf8.RuneSelf:
		c.joints = Joints{}
		return 1, true
	}
	r, size := utf8.DecodeRuneInString(s)
	broken := r == utf8.RuneError && size == 1
	if broken || !Shows(r) || !c.joints.Keep(r, s[size:]) {
		c.joints = Joints{} // what is shown in its place ends in ASCII
		return size, true
	}
	return size, false
}

// Index returns where the first hidden character of a text is, in bytes, -1 if it has none.
func Index(s string) int {
	var c Scanner
	for i := 0; i < len(s); {
		if b := s[i]; b >= ' ' && b < 0x7f || b == '\n' || b == '\t' { // most are
			c, i = Scanner{}, i+1
			continue
		}
		size, hidden := c.Next(s[i:])
		if hidden {
			return i
		}
		i += size
	}
	return -1
}

// In reports whether one of the texts has a hidden character.
func In(texts ...string) bool {
	for _, s := range texts {
		if Index(s) >= 0 {
			return true
		}
	}
	return false
}

// Escape is a hidden character in letters, as programming languages write it: \r, \x1b, \u202e.
// Bytes that are no character are written one by one.
func Escape(char string) string {
	r, size := utf8.DecodeRuneInString(char)
	if short := strings.IndexRune("\a\b\f\r\v", r); short >= 0 && size == 1 {
		return `\` + `abfrv`[short:short+1]
	}
	switch {
	case r == utf8.RuneError && size <= 1, r < utf8.RuneSelf:
		return fmt.Sprintf(`\x%02x`, char[0])
	case r > 0xffff:
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
