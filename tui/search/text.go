package search

import (
	"context"
	"slices"
	"sort"

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

// LongLines holds lines of which each may have several matches in different places on the screen, so that every match counts.
// To a search, a match is at the "line" that is its offset: its first byte, counted from the beginning of the text.
type LongLines struct {
	lines       []string
	lineOffsets []int // the offset of each line
	size        int   // in bytes, with line ends
}

// NewLongLines returns lines without control characters.
func NewLongLines(lines []string) LongLines {
	l := LongLines{lines: lines, lineOffsets: make([]int, len(lines))}
	for i, line := range lines {
		l.lineOffsets[i] = l.size
		l.size += len(line) + 1
	}
	return l
}

// Size returns the number of offsets.
func (l LongLines) Size() int { return l.size }

// Offset returns the offset of a byte of a line. A byte beyond the end of the line stands for its end.
func (l LongLines) Offset(line, at int) int { return l.lineOffsets[line] + min(at, len(l.lines[line])) }

// Place returns the line with an offset, and the byte in it.
func (l LongLines) Place(offset int) (line, at int) {
	line = max(0, sort.SearchInts(l.lineOffsets, offset+1)-1)
	return line, offset - l.lineOffsets[line]
}

// matchOffsets returns the offsets of the matches in a line. If the place of a match is unknown, it is the beginning of the
// line.
func (l LongLines) matchOffsets(m logs.LineMatcher, line int) []int {
	offsets := m.MatchStarts(l.lines[line])
	if offsets == nil && m.Matches(l.lines[line]) {
		offsets = []int{0}
	}
	for i := range offsets {
		offsets[i] += l.lineOffsets[line]
	}
	return offsets
}

// Search implements Lines.
func (l LongLines) Search(ctx context.Context, m logs.LineMatcher, from int, dir logs.Direction) (offset int, found bool, err error) {
	by := 1
	if dir == logs.Backward {
		by = -1
	}
	for line, _ := l.Place(from); line >= 0 && line < len(l.lines) && ctx.Err() == nil; line += by {
		offsets := l.matchOffsets(m, line)
		i, _ := slices.BinarySearch(offsets, from)
		if dir == logs.Backward {
			i, _ = slices.BinarySearch(offsets, from+1)
			i--
		}
		if i >= 0 && i < len(offsets) {
			return offsets[i], true, nil
		}
	}
	return 0, false, ctx.Err()
}

// CountMatches implements Lines.
func (l LongLines) CountMatches(ctx context.Context, m logs.LineMatcher, offset int) (before, all int, err error) {
	for line := 0; line < len(l.lines) && ctx.Err() == nil; line++ {
		offsets := l.matchOffsets(m, line)
		earlier, _ := slices.BinarySearch(offsets, offset)
		before, all = before+earlier, all+len(offsets)
	}
	return before, all, ctx.Err()
}

// Text is the searchable text of a pane. The zero Text is empty.
type Text struct {
	Lines     Lines
	IsGrowing bool // lines may still be added
	Position  Position
	ShowLine  func(line int) []tea.Msg // goes to a line, and returns further requests
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
