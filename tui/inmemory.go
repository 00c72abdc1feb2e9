package tui

import (
	"context"

	"playhead/engine/logs"
)

// inMemory is lines that are at hand, made when they are looked at.
type inMemory struct {
	n    int
	line func(i int) string
}

// linesOf is lines that are made already.
func linesOf(lines []string) inMemory {
	return inMemory{len(lines), func(i int) string { return lines[i] }}
}

// Search looks through the lines.
func (t inMemory) Search(ctx context.Context, m logs.Matcher, from int, dir logs.Direction) (line int, found bool, err error) {
	i, by := max(0, from), 1
	if dir == logs.Backward {
		i, by = min(from, t.n-1), -1
	}
	for ; i >= 0 && i < t.n && ctx.Err() == nil; i += by {
		if m.Matches(t.line(i)) {
			return i, true, nil
		}
	}
	return 0, false, ctx.Err()
}

// Count looks through all of them.
func (t inMemory) Count(ctx context.Context, m logs.Matcher, line int) (before, all int, err error) {
	for i := range t.n {
		if ctx.Err() != nil {
			break
		}
		if m.Matches(t.line(i)) {
			all++
			if i < line {
				before++
			}
		}
	}
	return before, all, ctx.Err()
}
