// Package search finds text in what a pane or a dialog shows.
package search

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"playhead/engine/logs"
	"playhead/engine/track"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/list"
	"playhead/tui/panes"
)

// Search finds text in a pane, without ever making a key wait: it looks in commands of
// its own, and typing on cancels them. There is one at a time. A nil Search finds nothing.
type Search struct {
	Pane    panes.Pane // that is searched
	Content any        // what that showed when the search began
	Editing bool       // the query is being written
	Query   string
	Origin  int    // the line in sight when the search began
	Restore func() // goes there
	Height  int    // of the step's text
	text    Text
	line    int  // of the current match, -1 for none
	nth     int  // of the matches, from 1; while they are being counted, so many after the first
	missing bool // there is no match in the direction last asked for
	matches int  // -1 while they are being counted
	id      int  // of the newest commands; answers to older ones are dropped
	ctx     context.Context
	cancel  context.CancelFunc
}

// New returns no search.
func New() Search { return Search{line: -1} }

// Result is what a command of a search came to.
type Result struct {
	id      int
	line    int
	ok      bool
	step    int // so many matches after the one before; 0: they are to be counted
	counted bool
	before  int // of the matches, how many come before the current one
	matches int
	err     error
}

// IsActive reports whether there is a search.
func (s *Search) IsActive() bool { return s.Editing || s.Query != "" }

// Stop forgets the search.
func (s *Search) Stop() {
	if s.cancel != nil {
		s.cancel()
	}
	*s = Search{id: s.id + 1, line: -1}
}

// Begin opens the line for the query.
func (s *Search) Begin(p panes.Pane, of any, at int) {
	s.Stop()
	s.Pane, s.Content, s.Origin, s.Editing = p, of, at, true
}

// Edit changes the query by a key, and reports whether it is another one.
func (s *Search) Edit(keys keymap.Map, k tea.KeyPressMsg) bool {
	query, changed := list.LineAfter(keys, s.Query, k)
	s.Query = query
	return changed
}

// cancelPending drops the answers that are still to come.
func (s *Search) cancelPending() {
	if s.cancel != nil {
		s.cancel()
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.id++
	s.line, s.nth, s.matches, s.missing = -1, 0, -1, false
}

// Find searches for a new query from a line on, and takes what is behind if there is
// nothing ahead.
func (s *Search) Find(in Text, from int) tea.Cmd {
	s.cancelPending()
	if s.text = in; in.Lines == nil || s.Query == "" {
		return nil
	}
	ctx, id, what := s.ctx, s.id, logs.Containing(s.Query)
	return func() tea.Msg {
		f := nearest(ctx, in.Lines, what, from, logs.Forward, id)
		if !f.ok && f.err == nil {
			f = nearest(ctx, in.Lines, what, from, logs.Backward, id)
		}
		return f
	}
}

// Next searches for the next match, or the one before.
func (s *Search) Next(in Text, by int) tea.Cmd {
	if s.text = in; in.Lines == nil || s.Query == "" || s.ctx == nil {
		return nil
	}
	from, dir, step := in.At.First, logs.Forward, by
	if by < 0 {
		from, dir = in.At.Last, logs.Backward
	}
	if s.line < 0 || s.line != from {
		step = 0 // the person has gone elsewhere
	}
	if s.line >= 0 && in.At.IsChosen {
		from += by
	}
	ctx, id, what := s.ctx, s.id, logs.Containing(s.Query)
	return func() tea.Msg {
		f := nearest(ctx, in.Lines, what, from, dir, id)
		f.step = step
		return f
	}
}

func nearest(ctx context.Context, in Lines, m logs.Matcher, from int, dir logs.Direction, id int) Result {
	line, ok, err := in.Search(ctx, m, from, dir)
	return Result{id: id, line: line, ok: ok, err: err}
}

// Recount counts the matches in lines that have changed, of which none is current.
func (s *Search) Recount(in Text) tea.Cmd {
	if s.text = in; s.Query == "" {
		return nil
	}
	s.cancelPending()
	return s.count()
}

// count counts the matches.
func (s *Search) count() tea.Cmd {
	s.nth, s.matches = 0, -1
	ctx, id, what, in, line := s.ctx, s.id, logs.Containing(s.Query), s.text.Lines, s.line
	return func() tea.Msg {
		before, all, err := in.Count(ctx, what, line)
		return Result{id: id, counted: true, before: before, matches: all, err: err}
	}
}

// MatchLine returns the line of the current match, -1 without one.
func (s *Search) MatchLine() int { return s.line }

// ShowMatch goes to the current match.
func (s *Search) ShowMatch() []tea.Msg { return s.text.Show(s.line) }

// Take notes an answer. It returns what is to be done next, and whether there is a line
// to go to.
func (s *Search) Take(f Result) (cmd tea.Cmd, moved bool) {
	switch {
	case f.id != s.id, errors.Is(f.err, context.Canceled):
		return nil, false
	case f.counted:
		s.nth, s.matches = s.nth+f.before+1, f.matches
		return nil, false
	case !f.ok:
		s.missing = s.line >= 0
		if !s.missing {
			s.matches = 0
		}
		return nil, false
	}
	again := f.line == s.line
	s.line, s.missing = f.line, false
	if f.step != 0 && !again {
		s.nth += f.step
	}
	if f.step == 0 || s.matches >= 0 && (s.nth < 1 || s.nth > s.matches) { // there are more now
		cmd = s.count()
	}
	return cmd, true
}

// Summary is what the title of the pane says of the search, in w cells.
func (s *Search) Summary(l *draw.Look, w int) string {
	count := ""
	switch {
	case s.Query == "":
	case s.matches < 0:
		count = l.Muted.Paint(" counting…")
	case s.matches == 0:
		count = l.Warn.Paint(" no match")
	case s.line < 0:
		count = l.Muted.Paint(" " + track.Thousands(s.matches) + " in all")
	default:
		count = l.Muted.Paint(fmt.Sprintf(" %s of %s", track.Thousands(s.nth), track.Thousands(s.matches)))
	}
	if s.missing {
		count += l.Warn.Paint(" no more")
	}
	query := l.Bold.Paint(l.Cut("/"+draw.Clean(s.Query), max(4, w-l.Width(count)-1)))
	if s.Editing {
		query += l.Caret.Paint(" ")
	}
	return query + count
}

// Reach is the reach of a pane of h lines: the current match if it is in sight, else the
// lines that are.
func (s *Search) Reach(top, h, total int) Reach {
	if s.line >= top && s.line < top+h {
		return Chosen(s.line)
	}
	return Reach{First: top, Last: max(top, min(top+h, total)-1)}
}

// IsCurrent reports whether a line is the current match.
func (s *Search) IsCurrent(line int) bool { return s != nil && s.line == line }

// Highlight marks the matches in a line; no search highlights none.
func (s *Search) Highlight(l *draw.Look, line string, current bool) string {
	if s == nil || s.Query == "" {
		return line
	}
	text := ansi.Strip(line)
	low, query := strings.ToLower(text), strings.ToLower(s.Query)
	if len(low) != len(text) || !strings.Contains(low, query) {
		return line
	}
	ink := l.Match
	if current {
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
		from := col + l.Width(before)
		b.WriteString(l.Slice(line, col, from) + ink.Paint(hit))
		at += i + len(query)
		col = from + l.Width(hit)
	}
	b.WriteString(l.Slice(line, col, l.Width(text)))
	return b.String()
}
