// Package sessiontest has substitutes for parts of a session in tests of the screen.
package sessiontest

import (
	"context"
	"strings"

	"playhead/engine/logs"
	"playhead/tui/search"
)

// Log is a log in memory.
type Log struct {
	LogLines       []string
	IsLastLineOpen bool // the last line has no line end
}

func (l *Log) byteCount() (n int64) {
	for _, s := range l.LogLines {
		n += int64(len(s)) + 1
	}
	return n
}

func (l *Log) Size() (int64, int) { return l.byteCount(), len(l.LogLines) }
func (l *Log) ShortenedText(int) string {
	if l.IsLastLineOpen {
		return strings.Join(l.LogLines, "\n")
	}
	return strings.Join(l.LogLines, "\n") + "\n"
}

func (l *Log) Watch() <-chan struct{}  { return nil }
func (l *Log) Unwatch(<-chan struct{}) {}

func (l *Log) Lines(from, n int) ([]string, error) {
	from = min(from, len(l.LogLines))
	return l.LogLines[from:min(from+n, len(l.LogLines))], nil
}

func (l *Log) Search(ctx context.Context, m logs.LineMatcher, from int, dir logs.Direction) (int, bool, error) {
	return search.MemoryLinesOf(l.LogLines).Search(ctx, m, from, dir)
}

func (l *Log) CountMatches(ctx context.Context, m logs.LineMatcher, line int) (before, all int, err error) {
	return search.MemoryLinesOf(l.LogLines).CountMatches(ctx, m, line)
}
