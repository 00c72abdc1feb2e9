package logs

import (
	"context"
	"strings"
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
	lower   string // text in lower case
	visible bool   // the lines are of a Visible
}

// Containing matches the lines with text in them, in capitals or not.
func Containing(text string) Matcher { return Matcher{lower: strings.ToLower(text)} }

// Matches says whether a line matches that has no controls in it.
func (m Matcher) Matches(line string) bool { return strings.Contains(strings.ToLower(line), m.lower) }

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

// backward is about how many lines are looked at at a time, where the last match counts.
const backward = 4096

// searchBack looks at stretches of lines, the last one first: lines can only be read forwards.
func (l *Log) searchBack(ctx context.Context, m Matcher, from int) (line int, found bool, err error) {
	for end := from + 1; end > 0 && !found && err == nil; {
		start := l.marked(max(0, min(end-1, end-backward)))
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
// returns false or ctx ends. Lines without a match are left out by the block where that can
// be told from their bytes.
func (l *Log) find(ctx context.Context, m Matcher, from, to int, visit func(number int) bool) error {
	const often = 256 // lines between two looks at ctx
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
