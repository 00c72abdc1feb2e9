package hidden

import (
	"unicode"
	"unicode/utf8"
)

// isJoiner reports whether r is the zero-width joiner or non-joiner.
func isJoiner(r rune) bool { return r == '\u200d' || r == '\u200c' }

// isSelector reports whether r chooses between the shapes of the character before it.
func isSelector(r rune) bool { return r >= 0x180b && unicode.Is(unicode.Variation_Selector, r) }

const keycap = '\u20e3' // the sign around a digit, which a selector may precede

// maxMarks is how many combining marks one character may carry. Living scripts need fewer;
// heaps of them cover the rows above and below.
const maxMarks = 8

// Joints follows what one character does to the next: joiners stay only between two characters
// that can be joined, as in emoji and in Indic or Persian words, selectors only behind one that
// has shapes, and marks do not pile up. The zero value stands for plain ASCII.
type Joints struct {
	joinable bool // the last character stayed, and is not Latin
	shapes   bool // a selector may follow: the last character is not ASCII, and has none yet
	marks    int
}

// Interrupt notes that something stood here that will be gone: marks before and after it meet.
func (j *Joints) Interrupt() { j.joinable = false }

// Keep decides whether r stays; rest is what follows it in the source.
func (j *Joints) Keep(r rune, rest string) bool {
	switch {
	case isJoiner(r):
		stays := j.joinable && joinsOn(rest)
		j.joinable = false
		return stays
	case isSelector(r):
		stays := j.shapes || first(rest) == keycap && j.marks == 0
		j.shapes = false
		return stays
	case r >= 0x300 && unicode.Is(unicode.M, r):
		j.marks++
		j.joinable = j.joinable && j.marks <= maxMarks
		return j.marks <= maxMarks
	}
	*j = Joints{joinable: r > 0xff, shapes: true}
	return true
}

// joinsOn reports whether s begins with a character that a joiner can join to another.
func joinsOn(s string) bool {
	r := first(s)
	return r > 0xff && Shows(r) && !isJoiner(r) && !unicode.Is(unicode.M, r)
}

// first is the first character of s, 0 if there is none.
func first(s string) rune {
	if r, size := utf8.DecodeRuneInString(s); size > 1 || r != utf8.RuneError {
		return r
	}
	return 0
}
