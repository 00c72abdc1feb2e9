package logs

import (
	"context"
	"io"
	"sync"

	"playhead/engine/sanitize"
)

// Masked is a text that says something of a secret, without the secret.
func Masked(text, secret string) string { return NewSecrets([]string{secret}).Text(text) }

// A Masker writes to another writer, with Hidden in the place of every secret that a person
// could read there: also of one that arrives in several writes, that has control sequences
// in it, that is broken by a line end, or that the cursor's moves put together. It holds
// back what may be the beginning of a secret, nothing else. Its methods may be called from any
// goroutine.
type Masker struct {
	w       io.Writer
	secrets *Secrets

	mu      sync.Mutex
	matcher matcher
	screen  screen
	out     []byte
}

// Mask returns a Masker that writes to w. Secrets that overlap are hidden together.
func Mask(w io.Writer, secrets []string) *Masker {
	s := NewSecrets(secrets)
	return &Masker{w: w, secrets: s, matcher: matcher{secrets: s}, screen: screen{secrets: s}}
}

// Write writes p as far as it is certain what is in it.
func (m *Masker) Write(p []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.secrets == nil {
		return m.w.Write(p)
	}
	m.out = m.matcher.add(m.out[:0], p)
	if err := m.put(); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes what is held back, for whoever looks now: more may come. Should it turn out to
// have been the beginning of a secret, the rest of that is hidden.
func (m *Masker) Flush() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.out = m.matcher.tell(m.out[:0])
	return m.put()
}

// Close writes what was held back, and leaves the other writer open.
func (m *Masker) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.out = m.matcher.end(m.out[:0])
	return m.put()
}

func (m *Masker) put() error {
	if len(m.out) == 0 {
		return nil
	}
	_, err := m.w.Write(m.screen.add(m.out))
	return err
}

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
