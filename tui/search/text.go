package search

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/logs"
)

// Lines are numbered lines that can be looked through: those of a log on disk, or some in memory.
type Lines interface {
	// Search returns the matching line nearest to from, itself included.
	Search(ctx context.Context, m logs.Matcher, from int, dir logs.Direction) (line int, found bool, err error)
	// Count returns how many lines match, before a line and in all.
	Count(ctx context.Context, m logs.Matcher, line int) (before, all int, err error)
}

// Text is the searchable text of a pane. The zero Text is empty.
type Text struct {
	Lines Lines
	At    Reach
	Show  func(line int) []tea.Msg // goes to a line, and returns what else is to be done
}

// Reach is where the person is in a text: the lines in sight, or the one that is chosen.
type Reach struct {
	First, Last int
	IsChosen    bool
}

// Chosen returns the reach of one line that is chosen.
func Chosen(line int) Reach { return Reach{line, line, true} }

// InMemory is lines that are at hand, made when they are looked at.
type InMemory struct {
	N    int
	Line func(i int) string
}

// LinesOf returns lines that are made already.
func LinesOf(lines []string) InMemory {
	return InMemory{len(lines), func(i int) string { return lines[i] }}
}

// Search looks through the lines.
func (t InMemory) Search(ctx context.Context, m logs.Matcher, from int, dir logs.Direction) (line int, found bool, err error) {
	i, by := max(0, from), 1
	if dir == logs.Backward {
		i, by = min(from, t.N-1), -1
	}
	for ; i >= 0 && i < t.N && ctx.Err() == nil; i += by {
		if m.Matches(t.Line(i)) {
			return i, true, nil
		}
	}
	return 0, false, ctx.Err()
}

// Count looks through all of them.
func (t InMemory) Count(ctx context.Context, m logs.Matcher, line int) (before, all int, err error) {
	for i := range t.N {
		if ctx.Err() != nil {
			break
		}
		if m.Matches(t.Line(i)) {
			all++
			if i < line {
				before++
			}
		}
	}
	return before, all, ctx.Err()
}
