package logs

import (
	"bytes"
	"context"
	"strings"
	"unicode/utf8"

	"playhead/engine/sanitize"
)

// Direction says which way a Search goes.
type Direction int

// The directions of a Search.
const (
	Forward Direction = iota
	Backward
)

// A Matcher says which lines are looked for. It judges them as they are shown, without colours.
type Matcher struct {
	lower string // text in lower case
}

// Containing matches the lines with text in them, in capitals or not.
func Containing(text string) Matcher { return Matcher{lower: strings.ToLower(text)} }

// Matches says whether a line matches that has no controls in it.
func (m Matcher) Matches(line string) bool { return strings.Contains(strings.ToLower(line), m.lower) }

// A search applies a Matcher to many lines.
type search struct {
	Matcher
	scratch []byte
}

// matches judges one raw line.
func (s *search) matches(raw []byte) bool {
	if !isPrintable(raw) {
		raw = []byte(sanitize.Plain(raw))
	}
	s.scratch = appendLower(s.scratch[:0], raw)
	return bytes.Contains(s.scratch, []byte(s.lower))
}

// isPrintable says whether a line is shown as it is.
func isPrintable(line []byte) bool {
	for _, b := range line {
		if b < ' ' || b > '~' {
			return false
		}
	}
	return true
}

// appendLower appends text in lower case.
func appendLower(to, text []byte) []byte {
	start := len(to)
	to = append(to, text...)
	for i, b := range to[start:] {
		if b >= utf8.RuneSelf {
			return append(to[:start], bytes.ToLower(text)...)
		}
		if 'A' <= b && b <= 'Z' {
			to[start+i] = b + 'a' - 'A'
		}
	}
	return to
}

// Search returns the matching line that is nearest to from in the given direction, from itself
// included. It ends early with ctx's error when ctx ends.
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

// searchBack looks at stretches of lines, the last one first: lines can only be read forwards.
func (l *Log) searchBack(ctx context.Context, m Matcher, from int) (line int, found bool, err error) {
	for end := from + 1; end > 0 && !found && err == nil; {
		start := l.marked(end - 1)
		err = l.find(ctx, m, start, end, func(number int) bool {
			line, found = number, true
			return true
		})
		end = start
	}
	return line, found, err
}

// marked returns the last line up to line that the index knows.
func (l *Log) marked(line int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	marked, _ := l.index.before(line)
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

// find calls visit with the matching lines from from up to, but not including, to, until it
// returns false or ctx ends.
func (l *Log) find(ctx context.Context, m Matcher, from, to int, visit func(number int) bool) error {
	const often = 256 // lines between two looks at ctx
	s := search{Matcher: m}
	err := l.each(from, func(number int, line []byte) bool {
		if number >= to || number%often == 0 && ctx.Err() != nil {
			return false
		}
		return !s.matches(line) || visit(number)
	})
	if err == nil {
		err = ctx.Err()
	}
	return err
}
