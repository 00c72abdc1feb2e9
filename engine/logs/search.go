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

// A LineMatcher decides which lines are found. It judges lines as they are shown, without colours.
type LineMatcher struct {
	lowerQuery   string // text in lower case
	showsEscapes bool   // hidden characters show as escapes
}

// LinesContaining returns a LineMatcher for lines that contain text, in upper or lower case.
func LinesContaining(text string) LineMatcher { return LineMatcher{lowerQuery: strings.ToLower(text)} }

// Matches reports whether a line without control characters matches.
func (m LineMatcher) Matches(line string) bool {
	return strings.Contains(strings.ToLower(line), m.lowerQuery)
}

// MatchStarts returns the bytes of a line without control characters at which its matches begin. It returns none if lower
// case changes the length of the line, because then its bytes are elsewhere.
func (m LineMatcher) MatchStarts(line string) (starts []int) {
	low := strings.ToLower(line)
	if len(low) != len(line) || m.lowerQuery == "" {
		return nil
	}
	for at := 0; ; at += len(m.lowerQuery) {
		i := strings.Index(low[at:], m.lowerQuery)
		if i < 0 {
			return starts
		}
		at += i
		starts = append(starts, at)
	}
}

// Search returns the matching line nearest to from in the given direction. Line from itself counts.
// If ctx ends, Search returns its error.
func (l *Log) Search(ctx context.Context, m LineMatcher, from int, dir Direction) (line int, found bool, err error) {
	_, total := l.Size()
	if dir == Backward {
		return l.searchBackward(ctx, m, min(from, total-1))
	}
	err = l.forEachMatch(ctx, m, max(from, 0), total, func(number int) bool {
		line, found = number, true
		return false
	})
	return line, found, err
}

// backwardBlockLines is roughly how many lines a backward search examines at a time.
const backwardBlockLines = 4096

// searchBackward examines ranges of lines, the last one first, because lines can only be read forwards.
func (l *Log) searchBackward(ctx context.Context, m LineMatcher, from int) (line int, found bool, err error) {
	for end := from + 1; end > 0 && !found && err == nil; {
		start := l.markedLineAtOrBefore(max(0, min(end-1, end-backwardBlockLines)))
		err = l.forEachMatch(ctx, m, start, end, func(number int) bool {
			line, found = number, true
			return true
		})
		end = start
	}
	return line, found, err
}

// markedLineAtOrBefore returns the last line at or before line whose offset the index has.
func (l *Log) markedLineAtOrBefore(line int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	marked, _ := l.index.lastMarkedLine(line)
	return marked
}

// CountMatches returns how many lines match, before a line and in all.
func (l *Log) CountMatches(ctx context.Context, m LineMatcher, line int) (before, all int, err error) {
	_, total := l.Size()
	err = l.forEachMatch(ctx, m, 0, total, func(number int) bool {
		if number < line {
			before++
		}
		all++
		return true
	})
	return before, all, err
}

// forEachMatch calls visit with the matching lines in [from, to) until visit returns false or ctx ends.
// Blocks whose bytes show that no line matches are skipped.
func (l *Log) forEachMatch(ctx context.Context, m LineMatcher, from, to int, visit func(number int) bool) error {
	const often = 256 // lines between two checks of ctx
	s := newLineSearch(m)
	canSkip := func(block []byte) bool { return ctx.Err() == nil && s.canSkipBlock(block) }
	err := l.forEachLine(from, to, canSkip, func(number int, line []byte) bool {
		if number%often == 0 && ctx.Err() != nil {
			return false
		}
		return !s.matchesLine(line) || visit(number)
	})
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// A lineSearch applies a LineMatcher to many lines. Most lines are text, perhaps with colours. For these, foldLines gets
// what they show, in lower case, in one pass. Other lines have to be drawn first, which takes many times as long.
type lineSearch struct {
	lowerQuery   []byte
	hasSpace     bool // the query has a space, so it matters how many of them a tab stands for
	showLine     func(line []byte) string
	showsEscapes bool // colours show as escapes
	foldedLines  []byte
}

func newLineSearch(m LineMatcher) *lineSearch {
	s := &lineSearch{lowerQuery: []byte(m.lowerQuery), hasSpace: strings.Contains(m.lowerQuery, " "), showLine: sanitize.OutputPlain[[]byte]}
	if s.showsEscapes = m.showsEscapes; s.showsEscapes {
		s.showLine = sanitize.Plain[[]byte]
	}
	return s
}

// matchesLine judges one raw line.
func (s *lineSearch) matchesLine(line []byte) bool {
	if s.foldLines(line) {
		return bytes.Contains(s.foldedLines, s.lowerQuery)
	}
	return bytes.Contains(bytes.ToLower([]byte(s.showLine(line))), s.lowerQuery)
}

// canSkipBlock reports whether it is certain that no line of a block matches.
func (s *lineSearch) canSkipBlock(block []byte) bool {
	return s.foldLines(block) && !bytes.Contains(s.foldedLines, s.lowerQuery)
}

// lowerCaseOf maps bytes that show as they are, and line ends, to lower case, and all others to 0.
var lowerCaseOf = func() (table [256]byte) {
	for b := byte(' '); b <= '~'; b++ {
		table[b] = b
		if 'A' <= b && b <= 'Z' {
			table[b] = b + 'a' - 'A'
		}
	}
	table['\n'] = '\n'
	return table
}()

// foldLines stores in foldedLines what lines show, in lower case. It returns false if the lines have to be drawn.
func (s *lineSearch) foldLines(lines []byte) bool {
	s.foldedLines = slices.Grow(s.foldedLines[:0], len(lines))
	for len(lines) >= 8 {
		if w, ok := lowerEightBytes(binary.LittleEndian.Uint64(lines)); ok {
			s.foldedLines = binary.LittleEndian.AppendUint64(s.foldedLines, w)
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
func (s *lineSearch) foldBytes(lines []byte, n int) []byte {
	for end := len(lines) - n; len(lines) > end; {
		if c := lowerCaseOf[lines[0]]; c != 0 {
			s.foldedLines = append(s.foldedLines, c)
			lines = lines[1:]
			continue
		}
		size := s.foldSpecial(lines)
		if size == 0 {
			return nil
		}
		lines = lines[size:]
	}
	return lines
}

// lowerEightBytes converts eight bytes to lower case at once, if all are printable ASCII or line ends.
func lowerEightBytes(w uint64) (lower uint64, ok bool) {
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

// foldSpecial folds a control character or a character outside ASCII and returns its length in bytes,
// 0 if the line has to be drawn.
func (s *lineSearch) foldSpecial(p []byte) int {
	switch {
	case p[0] >= utf8.RuneSelf:
		r, size := utf8.DecodeRune(p)
		if !unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) || r == utf8.RuneError || !hidden.IsVisibleNonASCII(r) {
			return 0 // it does not always show
		}
		s.foldedLines = utf8.AppendRune(s.foldedLines, unicode.ToLower(r))
		return size
	case p[0] == '\t' && !s.hasSpace:
		s.foldedLines = append(s.foldedLines, ' ')
		return 1
	case bytes.HasPrefix(p, []byte("\r\n")):
		return 1
	case bytes.HasPrefix(p, []byte("\x1b[")) && !s.showsEscapes:
		return colourSequenceLength(p)
	}
	return 0
}

// colourSequenceLength returns the length in bytes of the colour sequence that p begins with, 0 if it
// begins with none.
func colourSequenceLength(p []byte) int {
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
