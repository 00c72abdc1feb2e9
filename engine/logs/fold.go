package logs

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"playhead/engine/sanitize"
	"playhead/parse/hidden"
)

// A search applies a Matcher to many lines. Most are text, perhaps with colours: how they are
// shown, in lower case, is known from one pass over their bytes. The others are shown for it,
// which takes many times as long.
type search struct {
	lower   []byte
	spaced  bool // there is a space in it: how many a tab stands for matters
	show    func(line []byte) string
	visible bool // a colour shows as an escape
	folded  []byte
}

func newSearch(m Matcher) *search {
	s := &search{lower: []byte(m.lower), spaced: strings.Contains(m.lower, " "), show: sanitize.OutputPlain[[]byte]}
	if s.visible = m.visible; s.visible {
		s.show = sanitize.Plain[[]byte]
	}
	return s
}

// matches judges one raw line.
func (s *search) matches(line []byte) bool {
	if s.fold(line) {
		return bytes.Contains(s.folded, s.lower)
	}
	return bytes.Contains(bytes.ToLower([]byte(s.show(line))), s.lower)
}

// lacks reports whether it is certain that none of the lines of a block matches.
func (s *search) lacks(block []byte) bool { return s.fold(block) && !bytes.Contains(s.folded, s.lower) }

// lowered is the lower case of what is shown as it is, and of line ends; 0 for all else.
var lowered = func() (table [256]byte) {
	for b := byte(' '); b <= '~'; b++ {
		table[b] = b
		if 'A' <= b && b <= 'Z' {
			table[b] = b + 'a' - 'A'
		}
	}
	table['\n'] = '\n'
	return table
}()

// fold notes how lines are shown, in lower case. It returns false where that takes more.
func (s *search) fold(lines []byte) bool {
	s.folded = slices.Grow(s.folded[:0], len(lines))
	for len(lines) >= 8 {
		if w, ok := lowerWord(binary.LittleEndian.Uint64(lines)); ok {
			s.folded = binary.LittleEndian.AppendUint64(s.folded, w)
			lines = lines[8:]
			continue
		}
		if lines = s.foldBytes(lines, 8); lines == nil {
			return false
		}
	}
	return len(lines) == 0 || s.foldBytes(lines, len(lines)) != nil
}

// foldBytes folds at least n bytes. It returns what is left, nil where more has to be known.
func (s *search) foldBytes(lines []byte, n int) []byte {
	for end := len(lines) - n; len(lines) > end; {
		if c := lowered[lines[0]]; c != 0 {
			s.folded = append(s.folded, c)
			lines = lines[1:]
			continue
		}
		size := s.foldOther(lines)
		if size == 0 {
			return nil
		}
		lines = lines[size:]
	}
	return lines
}

// lowerWord lowers eight bytes at once, if all are ASCII that is shown, or line ends.
func lowerWord(w uint64) (lower uint64, ok bool) {
	const each, high = 0x0101010101010101, 0x8080808080808080
	if (w|(w+each))&high != 0 {
		return 0, false // beyond ASCII, or DEL
	}
	top := w | high // less than b in a byte: its high bit goes when b is taken away
	controls := ^(top - ' '*each) & high
	if ends := ^((top ^ '\n'*each) - each) & high; controls != ends {
		return 0, false
	}
	capitals := (top - 'A'*each) &^ (top - ('Z'+1)*each) & high
	return w | capitals>>2, true
}

// foldOther folds a control or a character beyond ASCII. It returns how many bytes that
// takes: none where more has to be known of the line.
func (s *search) foldOther(p []byte) int {
	switch {
	case p[0] >= utf8.RuneSelf:
		r, size := utf8.DecodeRune(p)
		if !unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) || r == utf8.RuneError || !hidden.Shows(r) {
			return 0 // not always shown
		}
		s.folded = utf8.AppendRune(s.folded, unicode.ToLower(r))
		return size
	case p[0] == '\t' && !s.spaced:
		s.folded = append(s.folded, ' ')
		return 1
	case bytes.HasPrefix(p, []byte("\r\n")):
		return 1
	case bytes.HasPrefix(p, []byte("\x1b[")) && !s.visible:
		return colour(p)
	}
	return 0
}

// colour is how many bytes the colour that p begins with takes, none for anything else.
func colour(p []byte) int {
	for n, b := range p[2:] {
		switch {
		case b == 'm':
			return 2 + n + 1
		case b < '0' || b > '?':
			return 0
		}
	}
	return 0
}
