package search

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/logs"
)

// Lines are numbered lines that can be searched: those of a log on disk, or some in memory.
type Lines interface {
	// Search returns the matching line nearest to from, including from itself.
	Search(ctx context.Context, m logs.LineMatcher, from int, dir logs.Direction) (line int, found bool, err error)
	// CountMatches returns how many lines match, before a line and in total.
	CountMatches(ctx context.Context, m logs.LineMatcher, line int) (before, all int, err error)
}

// Text is the searchable text of a pane. The zero Text is empty.
type Text struct {
	Lines    Lines
	Position Position
	ShowLine func(line int) []tea.Msg // goes to a line, and returns further requests
}

// Position is the person's position in a text: the visible lines, or one selected line.
type Position struct {
	FirstLine, LastLine int
	IsSelectedLine      bool
}

// LinePosition returns the position at one selected line.
func LinePosition(line int) Position { return Position{line, line, true} }

// MemoryLines holds lines in memory. LineAt makes a line when it is read.
type MemoryLines struct {
	LineCount int
	LineAt    func(i int) string
}

// MemoryLinesOf returns lines that exist already.
func MemoryLinesOf(lines []string) MemoryLines {
	return MemoryLines{len(lines), func(i int) string { return lines[i] }}
}

// Search implements Lines.
func (l MemoryLines) Search(ctx context.Context, m logs.LineMatcher, from int, dir logs.Direction) (line int, found bool, err error) {
	i, by := max(0, from), 1
	if dir == logs.Backward {
		i, by = min(from, l.LineCount-1), -1
	}
	for ; i >= 0 && i < l.LineCount && ctx.Err() == nil; i += by {
		if m.Matches(l.LineAt(i)) {
			return i, true, nil
		}
	}
	return 0, false, ctx.Err()
}

// CountMatches implements Lines.
func (l MemoryLines) CountMatches(ctx context.Context, m logs.LineMatcher, line int) (before, all int, err error) {
	for i := range l.LineCount {
		if ctx.Err() != nil {
			break
		}
		if m.Matches(l.LineAt(i)) {
			all++
			if i < line {
				before++
			}
		}
	}
	return before, all, ctx.Err()
}
