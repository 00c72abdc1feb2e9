package tui

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

// searchable is numbered lines that can be looked through: those of a log on disk, or
// some in memory.
type searchable interface {
	// Search is the matching line nearest to from, itself included.
	Search(ctx context.Context, m logs.Matcher, from int, dir logs.Direction) (line int, found bool, err error)
	// Count is how many lines match, before a line and in all.
	Count(ctx context.Context, m logs.Matcher, line int) (before, all int, err error)
}

// passage is what a pane has to be searched.
type passage struct {
	lines searchable // nil: nothing
	at    reach
	show  func(line int)
}

// reach is where one is in a passage: the lines in sight, or the one that is chosen.
type reach struct {
	first, last int
	chosen      bool
}

func chosen(line int) reach { return reach{line, line, true} }

// search finds text in a pane, without ever making a key wait: it looks in commands of
// its own, and typing on cancels them. There is one at a time.
type search struct {
	pane    panes.Pane // that is searched
	of      any        // what that showed when the search began
	editing bool
	query   string
	origin  int    // where one looked when the search began
	back    func() // goes there
	in      passage
	height  int  // of the step's text
	line    int  // of the current match, -1 for none
	nth     int  // of the matches, from 1; while they are being counted, so many after the first
	missing bool // there is no match in the direction last asked for
	matches int  // -1 while they are being counted
	id      int  // of the newest commands; answers to older ones are dropped
	ctx     context.Context
	cancel  context.CancelFunc
}

// found is what a search came to.
type found struct {
	id      int
	line    int
	ok      bool
	step    int // so many matches after the one before; 0: they are to be counted
	counted bool
	before  int // of the matches, how many come before the current one
	matches int
	err     error
}

// shown reports whether there is a search.
func (s *search) shown() bool { return s.editing || s.query != "" }

// stop forgets the search.
func (s *search) stop() {
	if s.cancel != nil {
		s.cancel()
	}
	*s = search{id: s.id + 1, line: -1}
}

// begin opens the line for the query.
func (s *search) begin(p panes.Pane, of any, at int) {
	s.stop()
	s.pane, s.of, s.origin, s.editing = p, of, at, true
}

// edit changes the query by a key, and reports whether it is another one.
func (s *search) edit(keys keymap.Map, k tea.KeyPressMsg) bool {
	query, changed := list.LineAfter(keys, s.query, k)
	s.query = query
	return changed
}

// anew makes the answers that are still to come void.
func (s *search) anew() {
	if s.cancel != nil {
		s.cancel()
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.id++
	s.line, s.nth, s.matches, s.missing = -1, 0, -1, false
}

// look searches for a new query from a line on, and takes what is behind if there is
// nothing ahead.
func (s *search) look(in passage, from int) tea.Cmd {
	s.anew()
	if s.in = in; in.lines == nil || s.query == "" {
		return nil
	}
	ctx, id, what := s.ctx, s.id, logs.Containing(s.query)
	return func() tea.Msg {
		f := nearest(ctx, in.lines, what, from, logs.Forward, id)
		if !f.ok && f.err == nil {
			f = nearest(ctx, in.lines, what, from, logs.Backward, id)
		}
		return f
	}
}

// next searches for the next match, or the one before.
func (s *search) next(in passage, by int) tea.Cmd {
	if s.in = in; in.lines == nil || s.query == "" || s.ctx == nil {
		return nil
	}
	from, dir, step := in.at.first, logs.Forward, by
	if by < 0 {
		from, dir = in.at.last, logs.Backward
	}
	if s.line < 0 || s.line != from {
		step = 0 // the person has gone elsewhere
	}
	if s.line >= 0 && in.at.chosen {
		from += by
	}
	ctx, id, what := s.ctx, s.id, logs.Containing(s.query)
	return func() tea.Msg {
		f := nearest(ctx, in.lines, what, from, dir, id)
		f.step = step
		return f
	}
}

func nearest(ctx context.Context, in searchable, m logs.Matcher, from int, dir logs.Direction, id int) foundMsg {
	line, ok, err := in.Search(ctx, m, from, dir)
	return foundMsg{id: id, line: line, ok: ok, err: err}
}

// recount counts the matches in lines that have changed, of which none is current.
func (s *search) recount(in passage) tea.Cmd {
	if s.in = in; s.query == "" {
		return nil
	}
	s.anew()
	return s.count()
}

// count counts the matches.
func (s *search) count() tea.Cmd {
	s.nth, s.matches = 0, -1
	ctx, id, what, in, line := s.ctx, s.id, logs.Containing(s.query), s.in.lines, s.line
	return func() tea.Msg {
		before, all, err := in.Count(ctx, what, line)
		return foundMsg{id: id, counted: true, before: before, matches: all, err: err}
	}
}

// take notes an answer. It returns what is to be done next, and whether there is a line
// to go to.
func (s *search) take(f found) (cmd tea.Cmd, moved bool) {
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

// facts is what the title of the pane says of the search, in w cells.
func (s *search) facts(l *look, w int) string {
	said := ""
	switch {
	case s.query == "":
	case s.matches < 0:
		said = l.Muted.Paint(" counting…")
	case s.matches == 0:
		said = l.Warn.Paint(" no match")
	case s.line < 0:
		said = l.Muted.Paint(" " + track.Thousands(s.matches) + " in all")
	default:
		said = l.Muted.Paint(fmt.Sprintf(" %s of %s", track.Thousands(s.nth), track.Thousands(s.matches)))
	}
	if s.missing {
		said += l.Warn.Paint(" no more")
	}
	query := l.Accent.Paint(l.Cut("/"+draw.Clean(s.query), max(4, w-l.Width(said)-1)))
	if s.editing {
		query += l.Caret.Paint(" ")
	}
	return query + said
}

// seen is the reach of a pane of h lines: the current match if it is in sight, else the
// lines that are.
func (s *search) seen(top, h, total int) reach {
	if s.line >= top && s.line < top+h {
		return chosen(s.line)
	}
	return reach{first: top, last: max(top, min(top+h, total)-1)}
}

// at reports whether a line is the current match.
func (s *search) at(line int) bool { return s != nil && s.line == line }

// mark highlights the matches in a line; no search highlights none.
func (s *search) mark(l *look, line string, current bool) string {
	if s == nil || s.query == "" {
		return line
	}
	text := ansi.Strip(line)
	low, query := strings.ToLower(text), strings.ToLower(s.query)
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
