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
	Content []string
	Open    bool // the last line has no line end
}

func (l *Log) bytes() (n int64) {
	for _, s := range l.Content {
		n += int64(len(s)) + 1
	}
	return n
}

func (l *Log) Size() (int64, int) { return l.bytes(), len(l.Content) }
func (l *Log) Text(int) string {
	if l.Open {
		return strings.Join(l.Content, "\n")
	}
	return strings.Join(l.Content, "\n") + "\n"
}

func (l *Log) Watch() <-chan struct{}  { return nil }
func (l *Log) Unwatch(<-chan struct{}) {}

func (l *Log) Lines(from, n int) ([]string, error) {
	from = min(from, len(l.Content))
	return l.Content[from:min(from+n, len(l.Content))], nil
}

func (l *Log) Search(ctx context.Context, m logs.Matcher, from int, dir logs.Direction) (int, bool, error) {
	return search.LinesOf(l.Content).Search(ctx, m, from, dir)
}

func (l *Log) Count(ctx context.Context, m logs.Matcher, line int) (before, all int, err error) {
	return search.LinesOf(l.Content).Count(ctx, m, line)
}
