package search

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/logs"
)

// Lines are numbered lines that can be searched: those of a log on disk, or some in memory.
type Lines interface {
	// Search returns the matching line nearest to from, including from itself.
	Search(ctx context.Context, m logs.Matcher, from int, dir logs.Direction) (line int, found bool, err error)
	// Count returns how many lines match, before a line and in total.
	Count(ctx context.Context, m logs.Matcher, line int) (before, all int, err error)
}

// Text is the searchable text of a pane. The zero Text is empty.
type Text struct {
	Lines Lines
	At    Reach
	Show  func(line int) []tea.Msg // goes to a line, and returns further requests
}

// Reach is the person's position in a text: the visible lines, or one selected line.
type Reach struct {
	First, Last int
	IsChosen    bool
}

// LineReach returns the reach of one selected line.
func LineReach(line int) Reach { return Reach{line, line, true} }

// InMemory holds lines in memory. Line makes a line when it is read.
type InMemory struct {
	N    int
	Line func(i int) string
}

// LinesOf returns lines that exist already.
func LinesOf(lines []string) InMemory {
	return InMemory{len(lines), func(i int) string { return lines[i] }}
}

// Search implements Lines.
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

// Count implements Lines.
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
