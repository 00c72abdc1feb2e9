// Package hidden recognises characters of a text that do not show: controls, which a terminal
// obeys; format characters, which change the reading direction or have no width; tags and
// selectors, which can carry a second text; and bytes that are not valid characters. A reader of
// such a text sees something else than a shell or a model gets.
//
// Tabs and the line ends LF and CRLF are visible by their effect. Joiners and marks are visible if
// they belong to the character before them, as in emoji and in Indic or Persian words.
package hidden

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsVisibleNonASCII reports whether a character outside ASCII is visible as itself. Joiners and marks count as
// visible, although that also depends on the characters around them.
func IsVisibleNonASCII(r rune) bool {
	switch {
	case r < 0xa0:
		return false
	case r < 0x300:
		return r != 0xad
	case r == '\u2028' || r == '\u2029': // line and paragraph separator
		return false
	case r >= 0xe0000 && r <= 0xe0fff: // tags and variation selectors 17 to 256, which can hide text
		return false
	case isJoiner(r), unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return true
	}
	return !unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point)
}

// Scanner goes through a text and finds its hidden characters. The zero value is ready.
type Scanner struct{ joiners JoinerFilter }

// Next returns the length in bytes of the first character of s, which is not empty, and whether the
// character is hidden. A CR before an LF or at the very end belongs to a line end and is not
// hidden.
func (scanner *Scanner) Next(s string) (size int, hidden bool) {
	switch b := s[0]; {
	case b >= ' ' && b < 0x7f, b == '\n', b == '\t':
		scanner.joiners = JoinerFilter{}
		return 1, false
	case b == '\r':
		scanner.joiners = JoinerFilter{}
		return 1, len(s) > 1 && s[1] != '\n'
	case b < utf8.RuneSelf:
		scanner.joiners = JoinerFilter{}
		return 1, true
	}
	r, size := utf8.DecodeRuneInString(s)
	broken := r == utf8.RuneError && size == 1
	if broken || !IsVisibleNonASCII(r) || !scanner.joiners.AdmitNext(r, s[size:]) {
		scanner.joiners = JoinerFilter{} // the escape shown in its place ends in ASCII
		return size, true
	}
	return size, false
}

// Index returns the byte index of the first hidden character of a text, -1 if there is none.
func Index(s string) int {
	var c Scanner
	for i := 0; i < len(s); {
		if b := s[i]; b >= ' ' && b < 0x7f || b == '\n' || b == '\t' { // most characters
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

// ContainsHidden reports whether one of the texts has a hidden character.
func ContainsHidden(texts ...string) bool {
	for _, s := range texts {
		if Index(s) >= 0 {
			return true
		}
	}
	return false
}

// Escape returns a hidden character as an escape of programming languages: \r, \x1b, \u202e. Of bytes that
// are not a valid character it escapes the first.
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

// isJoiner reports whether r is the zero-width joiner or non-joiner.
func isJoiner(r rune) bool { return r == '\u200d' || r == '\u200c' }

// isVariationSelector reports whether r chooses between the shapes of the character before it.
func isVariationSelector(r rune) bool {
	return r >= 0x180b && unicode.Is(unicode.Variation_Selector, r)
}

const keycap = '\u20e3' // the sign around a digit, which a selector may precede

// maxCombiningMarks limits the combining marks on one character. Living scripts need fewer, and more of them
// would cover the rows above and below.
const maxCombiningMarks = 8

// JoinerFilter goes through a text and decides whether joiners, selectors and marks stay. Joiners stay only between two
// characters that can be joined, as in emoji and in Indic or Persian words; selectors only after a
// character that has several shapes; and marks up to maxCombiningMarks. The zero value stands for plain
// ASCII.
type JoinerFilter struct {
	canJoinLast    bool // the last character stayed, and is not Latin
	canSelectShape bool // a selector may follow: the last character is not ASCII and has none yet
	markCount      int
}

// NoteRemoval records that something was removed here, so that marks before and after it now meet.
func (j *JoinerFilter) NoteRemoval() { j.canJoinLast = false }

// AdmitNext reports whether the next character r stays. rest is the text after r.
func (j *JoinerFilter) AdmitNext(r rune, rest string) bool {
	switch {
	case isJoiner(r):
		stays := j.canJoinLast && beginsJoinable(rest)
		j.canJoinLast = false
		return stays
	case isVariationSelector(r):
		stays := j.canSelectShape || firstRune(rest) == keycap && j.markCount == 0
		j.canSelectShape = false
		return stays
	case r >= 0x300 && unicode.Is(unicode.M, r):
		j.markCount++
		j.canJoinLast = j.canJoinLast && j.markCount <= maxCombiningMarks
		return j.markCount <= maxCombiningMarks
	}
	*j = JoinerFilter{canJoinLast: r > 0xff, canSelectShape: true}
	return true
}

// beginsJoinable reports whether s begins with a character that a joiner can join to another.
func beginsJoinable(s string) bool {
	r := firstRune(s)
	return r > 0xff && IsVisibleNonASCII(r) && !isJoiner(r) && !unicode.Is(unicode.M, r)
}

// firstRune returns the first character of s, 0 if there is none.
func firstRune(s string) rune {
	if r, size := utf8.DecodeRuneInString(s); size > 1 || r != utf8.RuneError {
		return r
	}
	return 0
}
