package logs

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"playhead/engine/sanitize"
	"playhead/parse/hidden"
)

// Direction is the direction of a Search.
type Direction int

// The directions of a Search.
const (
	Forward Direction = iota
	Backward
)

// A Matcher decides which lines are found. It judges lines as they are shown, without colours.
type Matcher struct {
	lower   string // text in lower case
	escaped bool   // hidden characters show as escapes, as in Escaped
}

// Containing returns a Matcher for lines that contain text, in upper or lower case.
func Containing(text string) Matcher { return Matcher{lower: strings.ToLower(text)} }

// Matches reports whether a line without control characters matches.
func (m Matcher) Matches(line string) bool { return strings.Contains(strings.ToLower(line), m.lower) }

// Search returns the matching line nearest to from in the given direction. Line from itself counts.
// If ctx ends, Search returns its error.
func (l *Log) Search(ctx context.Context, m Matcher, from int, dir Direction) (line int, found bool, err error) {
	_, total := l.Size()
	if dir == Backward {
		return l.searchBack(ctx, m, min(from, total-1))
	}
	err = l.find(ctx, m, max(from, 0), total, func(number int) bool {
		line, found = number, true
		return false
	})
	return line, found, err
}

// backward is about how many lines are examined at a time if the last match is wanted.
const backward = 4096

// searchBack examines ranges of lines, the last one first, because lines can only be read forwards.
func (l *Log) searchBack(ctx context.Context, m Matcher, from int) (line int, found bool, err error) {
	for end := from + 1; end > 0 && !found && err == nil; {
		start := l.lastMarkedLine(max(0, min(end-1, end-backward)))
		err = l.find(ctx, m, start, end, func(number int) bool {
			line, found = number, true
			return true
		})
		end = start
	}
	return line, found, err
}

// lastMarkedLine returns the last line up to line that the index has.
func (l *Log) lastMarkedLine(line int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	marked, _ := l.index.markedLine(line)
	return marked
}

// Count returns how many lines match, before a line and in all.
func (l *Log) Count(ctx context.Context, m Matcher, line int) (before, all int, err error) {
	_, total := l.Size()
	err = l.find(ctx, m, 0, total, func(number int) bool {
		if number < line {
			before++
		}
		all++
		return true
	})
	return before, all, err
}

// find calls visit with the matching lines in [from, to) until visit returns false or ctx ends.
// Blocks whose bytes show that no line matches are skipped.
func (l *Log) find(ctx context.Context, m Matcher, from, to int, visit func(number int) bool) error {
	const often = 256 // lines between two checks of ctx
	s := newSearch(m)
	pass := func(block []byte) bool { return ctx.Err() == nil && s.lacks(block) }
	err := l.each(from, to, pass, func(number int, line []byte) bool {
		if number%often == 0 && ctx.Err() != nil {
			return false
		}
		return !s.matches(line) || visit(number)
	})
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// A search applies a Matcher to many lines. Most lines are text, perhaps with colours. One pass
// over their bytes gives what they show, in lower case. Other lines have to be drawn first, which
// takes many times as long.
type search struct {
	lower   []byte
	spaced  bool // the text has a space, so it matters how many of them a tab stands for
	show    func(line []byte) string
	escaped bool // colours show as escapes
	folded  []byte
}

func newSearch(m Matcher) *search {
	s := &search{lower: []byte(m.lower), spaced: strings.Contains(m.lower, " "), show: sanitize.OutputPlain[[]byte]}
	if s.escaped = m.escaped; s.escaped {
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

// lacks reports whether certainly no line of a block matches.
func (s *search) lacks(block []byte) bool { return s.fold(block) && !bytes.Contains(s.folded, s.lower) }

// lowerCase maps bytes that show as they are, and line ends, to lower case, and all others to 0.
var lowerCase = func() (table [256]byte) {
	for b := byte(' '); b <= '~'; b++ {
		table[b] = b
		if 'A' <= b && b <= 'Z' {
			table[b] = b + 'a' - 'A'
		}
	}
	table['\n'] = '\n'
	return table
}()

// fold stores what lines show, in lower case. It returns false if the lines have to be drawn.
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

// foldBytes folds at least n bytes. It returns what is left, nil if the lines have to be drawn.
func (s *search) foldBytes(lines []byte, n int) []byte {
	for end := len(lines) - n; len(lines) > end; {
		if c := lowerCase[lines[0]]; c != 0 {
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

// lowerWord converts eight bytes to lower case at once, if all are printable ASCII or line ends.
func lowerWord(w uint64) (lower uint64, ok bool) {
	const each, high = 0x0101010101010101, 0x8080808080808080
	if (w|(w+each))&high != 0 {
		return 0, false // not ASCII, or DEL
	}
	top := w | high // the high bit of a byte is cleared by subtracting b if the byte is less than b
	controls := ^(top - ' '*each) & high
	if ends := ^((top ^ '\n'*each) - each) & high; controls != ends {
		return 0, false
	}
	capitals := (top - 'A'*each) &^ (top - ('Z'+1)*each) & high
	return w | capitals>>2, true
}

// foldOther folds a control character or a character outside ASCII and returns its length in bytes,
// 0 if the line has to be drawn.
func (s *search) foldOther(p []byte) int {
	switch {
	case p[0] >= utf8.RuneSelf:
		r, size := utf8.DecodeRune(p)
		if !unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) || r == utf8.RuneError || !hidden.Shows(r) {
			return 0 // it does not always show
		}
		s.folded = utf8.AppendRune(s.folded, unicode.ToLower(r))
		return size
	case p[0] == '\t' && !s.spaced:
		s.folded = append(s.folded, ' ')
		return 1
	case bytes.HasPrefix(p, []byte("\r\n")):
		return 1
	case bytes.HasPrefix(p, []byte("\x1b[")) && !s.escaped:
		return colour(p)
	}
	return 0
}

// colour returns the length in bytes of the colour sequence that p begins with, 0 if it begins with
// none.
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
