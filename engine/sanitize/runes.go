package sanitize

import "unicode"

// isShown says whether a character beyond ASCII shows as itself. Controls do not, nor format
// characters: bidi overrides and isolates, zero-width spaces, tags, the soft hyphen. The joiners
// and the few format characters that have a shape pass; joints decides about the former.
func isShown(r rune) bool {
	switch {
	case r < 0xa0:
		return false
	case r < 0x300:
		return r != 0xad
	case r >= 0xe0000 && r <= 0xe0fff: // tags and variation selectors 17 to 256: text in hiding
		return false
	case isJoiner(r), unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return true
	}
	return !unicode.Is(unicode.Cf, r)
}

// isJoiner says whether r is the zero-width joiner or non-joiner.
func isJoiner(r rune) bool { return r == '\u200d' || r == '\u200c' }

// maxMarks is how many combining marks one character may carry. Living scripts need fewer;
// heaps of them cover the rows above and below.
const maxMarks = 8

// joints follows what one character does to the next: joiners stay only between two characters
// that can be joined, as in emoji and in Indic or Persian words, and marks do not pile up.
type joints struct {
	joinable bool // the last character stayed, and is not ASCII
	marks    int
}

// interrupt notes that something stood here that will be gone: marks before and after it meet.
func (j *joints) interrupt() { j.joinable = false }

// keep says whether r stays; rest is what follows it in the source.
func (j *joints) keep(r rune, rest string) bool {
	switch {
	case isJoiner(r):
		stays := j.joinable && joinsOn(rest)
		j.joinable = false
		return stays
	case r >= 0x300 && unicode.Is(unicode.M, r):
		j.marks++
		j.joinable = j.joinable && j.marks <= maxMarks
		return j.marks <= maxMarks
	}
	*j = joints{joinable: r > 0xff}
	return true
}

// joinsOn says whether s begins with a character that a joiner can join to another.
func joinsOn(s string) bool {
	if s == "" || s[0] < 0xc0 {
		return false
	}
	t := wide(s)
	return t.kind == text && t.char > 0xff && !isJoiner(t.char) && !unicode.Is(unicode.M, t.char)
}
