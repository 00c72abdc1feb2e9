package logs

import (
	"context"

	"playhead/engine/sanitize"
)

// Visible reads the log of what a model or a tool said. It was not meant for a terminal, so its
// hidden characters are escapes and none of them takes effect.
type Visible struct{ *Log }

// Lines is Log.Lines.
func (v Visible) Lines(from, n int) ([]string, error) {
	lines, err := v.Log.Lines(from, n)
	for i, line := range lines {
		lines[i] = sanitize.Text(line)
	}
	return lines, err
}

// Text is Log.Text.
func (v Visible) Text(max int) string { return v.excerpt(max, sanitize.Text[[]byte]) }

// Search is Log.Search.
func (v Visible) Search(ctx context.Context, m Matcher, from int, dir Direction) (line int, found bool, err error) {
	m.visible = true
	return v.Log.Search(ctx, m, from, dir)
}

// Count is Log.Count.
func (v Visible) Count(ctx context.Context, m Matcher, line int) (before, all int, err error) {
	m.visible = true
	return v.Log.Count(ctx, m, line)
}
