package tui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"playhead/engine/logs"
)

// search finds text in the whole of a log, without ever making a key wait: it
// looks in commands of its own, and typing on cancels them.
type search struct {
	editing bool
	query   string
	line    int  // of the current match, -1 for none
	missing bool // there is no match in the direction last asked for
	matches int  // -1 while they are being counted
	id      int  // of the newest commands; answers to older ones are dropped
	cancel  context.CancelFunc
}

// found is what a search came to.
type found struct {
	id      int
	line    int
	ok      bool
	counted bool
	matches int
	err     error
}

func (s *search) shown() bool { return s.editing || s.query != "" }

// stop forgets the search.
func (s *search) stop() {
	if s.cancel != nil {
		s.cancel()
	}
	*s = search{id: s.id + 1, line: -1}
}

// begin opens the line for the query.
func (s *search) begin() { s.editing = true }

// edit changes the query by a key, and reports whether it is another one.
func (s *search) edit(k tea.KeyPressMsg) bool {
	query, changed := lineAfter(s.query, k)
	s.query = query
	return changed
}

// look searches from a line on. For a new query it counts too, and takes what is
// behind if there is nothing ahead.
func (s *search) look(log logStore, from int, dir logs.Direction, fresh bool) tea.Cmd {
	if log == nil || s.query == "" {
		return nil
	}
	if fresh {
		if s.cancel != nil {
			s.cancel()
		}
		s.id++
		s.matches = -1
	}
	ctx, cancel := context.WithCancel(context.Background())
	if old := s.cancel; !fresh && old != nil {
		s.cancel = func() { old(); cancel() }
	} else {
		s.cancel = cancel
	}
	id, what := s.id, logs.Containing(s.query)
	if !fresh {
		return func() tea.Msg { return nearest(ctx, log, what, from, dir, id) }
	}
	return tea.Batch(func() tea.Msg {
		f := nearest(ctx, log, what, from, dir, id)
		if !f.ok && f.err == nil {
			f = nearest(ctx, log, what, from, logs.Backward, id)
		}
		return f
	}, func() tea.Msg {
		n, err := log.Count(ctx, what)
		return foundMsg{id: id, counted: true, matches: n, err: err}
	})
}

func nearest(ctx context.Context, log logStore, m logs.Matcher, from int, dir logs.Direction, id int) foundMsg {
	line, ok, err := log.Search(ctx, m, from, dir)
	return foundMsg{id: id, line: line, ok: ok, err: err}
}

// take notes an answer, and reports whether there is a line to go to.
func (s *search) take(f found) bool {
	switch {
	case f.id != s.id || f.err != nil:
		return false
	case f.counted:
		s.matches = f.matches
		return false
	}
	s.missing = !f.ok
	if f.ok {
		s.line = f.line
	}
	return f.ok
}

// facts is what the title says of the search.
func (s *search) facts(l *look) string {
	text := "/" + clean(s.query)
	if s.editing {
		text = l.Accent.Paint(text) + l.Caret.Paint(" ")
	} else {
		text = l.Accent.Paint(text)
	}
	switch {
	case s.query == "":
		return text
	case s.matches < 0:
		return text + l.Muted.Paint(" counting…")
	case s.matches == 0:
		return text + l.Warn.Paint(" no match")
	case s.missing:
		return text + l.Warn.Paint(fmt.Sprintf(" no more of %s", count(s.matches, "line")))
	}
	return text + l.Muted.Paint(fmt.Sprintf(" in %s", count(s.matches, "line")))
}

// mark highlights the matches in a line.
func (s *search) mark(l *look, line string, n int) string {
	if s.query == "" {
		return line
	}
	text := ansi.Strip(line)
	low, query := strings.ToLower(text), strings.ToLower(s.query)
	if len(low) != len(text) || !strings.Contains(low, query) {
		return line
	}
	ink := l.Match
	if n == s.line {
		ink = l.Current
	}
	var b strings.Builder
	at, col := 0, 0
	for {
		i := strings.Index(low[at:], query)
		if i < 0 {
			break
		}
		before, hit := text[at:at+i], text[at+i:at+i+len(query)]
		from := col + l.width(before)
		b.WriteString(l.slice(line, col, from) + ink.Paint(hit))
		at += i + len(query)
		col = from + l.width(hit)
	}
	b.WriteString(l.slice(line, col, l.width(text)))
	return b.String()
}
