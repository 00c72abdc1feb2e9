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

// Search finds text in a pane. It searches in the background, so that no key has to wait, and cancels a
// search when the query changes. There is one search at a time. A nil Search finds nothing.
type Search struct {
	Pane      panes.Pane // the searched pane
	Content   any        // identifies what the pane showed when the search began
	Editing   bool       // the person is typing the query
	Query     string
	Origin    int    // the first visible line when the search began
	Restore   func() // scrolls back to where the search began
	TextLines int    // the number of lines of the step's text
	text      Text
	line      int  // the line of the current match, -1 for none
	nth       int  // number of the current match, from 1; while they are counted, the steps since the first
	missing   bool // the last search found no match in its direction
	matches   int  // the number of matches, -1 while they are being counted
	id        int  // the id of the newest commands; results of older ones are dropped
	ctx       context.Context
	cancel    context.CancelFunc
}

// New returns an inactive search.
func New() Search { return Search{line: -1} }

// Result is the result of a command of a search.
type Result struct {
	id       int
	line     int
	ok       bool
	step     int  // the number of matches since the previous one; 0: the matches must be counted
	hasCount bool // the result is a count, not a line
	before   int  // the number of matches before the current one
	matches  int
	err      error
}

// IsActive reports whether there is a search.
func (s *Search) IsActive() bool { return s.Editing || s.Query != "" }

// Stop ends the search.
func (s *Search) Stop() {
	if s.cancel != nil {
		s.cancel()
	}
	*s = Search{id: s.id + 1, line: -1}
}

// Begin begins a search of a pane, and lets the person type the query.
func (s *Search) Begin(p panes.Pane, of any, at int) {
	s.Stop()
	s.Pane, s.Content, s.Origin, s.Editing = p, of, at, true
}

// Edit changes the query by a key, and reports whether it has changed.
func (s *Search) Edit(keys keymap.Map, k tea.KeyPressMsg) bool {
	query, changed := list.LineAfter(keys, s.Query, k)
	s.Query = query
	return changed
}

// cancelPending cancels running commands and drops their results.
func (s *Search) cancelPending() {
	if s.cancel != nil {
		s.cancel()
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.id++
	s.line, s.nth, s.matches, s.missing = -1, 0, -1, false
}

// Find searches for a new query from a line on. If there is no match after that line, it takes the nearest
// before it.
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

// Next searches for the next match, or for the previous one if by is negative.
func (s *Search) Next(in Text, by int) tea.Cmd {
	if s.text = in; in.Lines == nil || s.Query == "" || s.ctx == nil {
		return nil
	}
	from, dir, step := in.At.First, logs.Forward, by
	if by < 0 {
		from, dir = in.At.Last, logs.Backward
	}
	if s.line < 0 || s.line != from {
		step = 0 // the person has moved away from the match
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

// Recount counts the matches again after the lines have changed. No match is current then.
func (s *Search) Recount(in Text) tea.Cmd {
	if s.text = in; s.Query == "" {
		return nil
	}
	s.cancelPending()
	return s.count()
}

func (s *Search) count() tea.Cmd {
	s.nth, s.matches = 0, -1
	ctx, id, what, in, line := s.ctx, s.id, logs.Containing(s.Query), s.text.Lines, s.line
	return func() tea.Msg {
		before, all, err := in.Count(ctx, what, line)
		return Result{id: id, hasCount: true, before: before, matches: all, err: err}
	}
}

// MatchLine returns the line of the current match, -1 if there is none.
func (s *Search) MatchLine() int { return s.line }

// ShowMatch goes to the current match.
func (s *Search) ShowMatch() []tea.Msg { return s.text.Show(s.line) }

// Take takes a result. It returns a command for what follows, and whether there is a line to go to.
func (s *Search) Take(f Result) (cmd tea.Cmd, moved bool) {
	switch {
	case f.id != s.id, errors.Is(f.err, context.Canceled):
		return nil, false
	case f.hasCount:
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
	if f.step == 0 || s.matches >= 0 && (s.nth < 1 || s.nth > s.matches) { // the number of matches has changed
		cmd = s.count()
	}
	return cmd, true
}

// Summary returns the query and the count of matches in w cells, for the title of the pane.
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

// Reach returns the reach of a pane of h lines: the current match if it is in sight, else the visible
// lines.
func (s *Search) Reach(top, h, total int) Reach {
	if s.line >= top && s.line < top+h {
		return LineReach(s.line)
	}
	return Reach{First: top, Last: max(top, min(top+h, total)-1)}
}

// IsCurrent reports whether a line is the current match.
func (s *Search) IsCurrent(line int) bool { return s != nil && s.line == line }

// Highlight highlights the matches in a line.
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
