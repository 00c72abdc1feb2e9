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
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/layout"
	"playhead/tui/list"
)

// Search finds text in a pane. It searches in the background, so that no key has to wait, and cancels a
// search when the query changes. There is one search at a time. A nil Search finds nothing.
type Search struct {
	Pane                layout.PaneID // the searched pane
	ContentKey          any           // identifies what the pane showed when the search began
	IsEditing           bool          // the person is typing the query
	Query               string
	StartLine           int    // the first visible line when the search began
	RestoreScroll       func() // scrolls back to where the search began
	StepTextLineCount   int    // the number of lines of the step's text
	searchedText        Text
	matchLine           int   // the line of the current match, -1 for none
	matchNumber         int   // number of the current match, from 1; during a count, the moves since it began
	foundNothingFurther bool  // the last search found no match in its direction
	matchCount          int   // the number of matches, -1 while they are being counted
	isFinding           bool  // a match is being searched for
	waitingMoves        []int // moves to the next match (1) or the previous one (-1) that wait for the running search
	commandID           int   // the id of the newest commands; results of older ones are dropped
	searchCtx           context.Context
	cancel              context.CancelFunc
}

// New returns an inactive search.
func New() Search { return Search{matchLine: -1} }

// Result is the result of a command of a search.
type Result struct {
	commandID     int
	matchLine     int
	isFound       bool
	by            int  // the move that was made: 1 to the next match, -1 to the previous one, 0 to the first
	matchDelta    int  // the number of matches since the previous one; 0: the matches must be counted
	isCount       bool // the result is a count, not a line
	matchesBefore int  // the number of matches before the current one
	matchCount    int
	err           error
}

// IsActive reports whether there is a search.
func (s *Search) IsActive() bool { return s.IsEditing || s.Query != "" }

// Reset ends the search.
func (s *Search) Reset() {
	if s.cancel != nil {
		s.cancel()
	}
	*s = Search{commandID: s.commandID + 1, matchLine: -1}
}

// StartQuery begins a search of a pane, and lets the person type the query. contentKey identifies what the pane shows, and
// startLine is its first visible line.
func (s *Search) StartQuery(p layout.PaneID, contentKey any, startLine int) {
	s.Reset()
	s.Pane, s.ContentKey, s.StartLine, s.IsEditing = p, contentKey, startLine, true
}

// EditQuery changes the query by a key, and reports whether it has changed.
func (s *Search) EditQuery(keys keymap.Map, k tea.KeyPressMsg) bool {
	query, changed := list.EditQueryByKey(keys, s.Query, k)
	s.Query = query
	return changed
}

// cancelPending cancels running commands and drops their results.
func (s *Search) cancelPending() {
	if s.cancel != nil {
		s.cancel()
	}
	s.searchCtx, s.cancel = context.WithCancel(context.Background())
	s.commandID++
	s.matchLine, s.matchNumber, s.matchCount, s.foundNothingFurther = -1, 0, -1, false
	s.isFinding, s.waitingMoves = false, nil
}

// FindFrom searches for a new query from a line on. If there is no match after that line, it takes the nearest
// before it.
func (s *Search) FindFrom(in Text, from int) tea.Cmd {
	s.cancelPending()
	if s.searchedText = in; in.Lines == nil || s.Query == "" {
		return nil
	}
	s.isFinding = true
	ctx, id, matcher := s.searchCtx, s.commandID, logs.LinesContaining(s.Query)
	return func() tea.Msg {
		f := findNearest(ctx, in.Lines, matcher, from, logs.Forward, id)
		if !f.isFound && f.err == nil {
			f = findNearest(ctx, in.Lines, matcher, from, logs.Backward, id)
		}
		return f
	}
}

// FindNext searches for the next match, or for the previous one if by is negative. While a search is running, the move
// waits: TakeWaitingMove returns it after the search.
func (s *Search) FindNext(in Text, by int) tea.Cmd {
	if s.searchedText = in; in.Lines == nil || s.Query == "" || s.searchCtx == nil {
		return nil
	}
	if s.isFinding {
		s.waitingMoves = append(s.waitingMoves, by)
		return nil
	}
	s.isFinding = true
	from, dir, step := in.Position.FirstLine, logs.Forward, by
	if by < 0 {
		from, dir = in.Position.LastLine, logs.Backward
	}
	if s.matchLine < 0 || s.matchLine != from {
		step = 0 // the person has moved away from the match
	}
	if s.matchLine >= 0 && in.Position.IsSelectedLine {
		from += by
	}
	ctx, id, matcher := s.searchCtx, s.commandID, logs.LinesContaining(s.Query)
	return func() tea.Msg {
		f := findNearest(ctx, in.Lines, matcher, from, dir, id)
		f.matchDelta, f.by = step, by
		return f
	}
}

// TakeWaitingMove removes the next waiting move and returns it, 0 if none waits or a search is running.
func (s *Search) TakeWaitingMove() int {
	if s.isFinding || len(s.waitingMoves) == 0 {
		return 0
	}
	by := s.waitingMoves[0]
	s.waitingMoves = s.waitingMoves[1:]
	return by
}

func findNearest(ctx context.Context, in Lines, m logs.LineMatcher, from int, dir logs.Direction, id int) Result {
	line, ok, err := in.Search(ctx, m, from, dir)
	return Result{commandID: id, matchLine: line, isFound: ok, err: err}
}

// Recount counts the matches again after the lines have changed. No match is current then.
func (s *Search) Recount(in Text) tea.Cmd {
	if s.searchedText = in; s.Query == "" {
		return nil
	}
	s.cancelPending()
	return s.countMatches()
}

func (s *Search) countMatches() tea.Cmd {
	s.matchNumber, s.matchCount = 0, -1
	ctx, id, matcher, in, line := s.searchCtx, s.commandID, logs.LinesContaining(s.Query), s.searchedText.Lines, s.matchLine
	return func() tea.Msg {
		before, all, err := in.CountMatches(ctx, matcher, line)
		return Result{commandID: id, isCount: true, matchesBefore: before, matchCount: all, err: err}
	}
}

// CountAfterGrowth counts the matches again once the searched text has stopped growing. The current match stays.
func (s *Search) CountAfterGrowth(in Text) tea.Cmd {
	if s.searchedText.Lines == nil || !s.searchedText.IsGrowing || in.IsGrowing || s.searchCtx == nil {
		return nil
	}
	s.searchedText, s.foundNothingFurther = in, false
	return s.countMatches()
}

// ShowMatch goes to the current match.
func (s *Search) ShowMatch() []tea.Msg { return s.searchedText.ShowLine(s.matchLine) }

// HandleResult handles a result. It returns the next command, nil for none, and whether there is a line to go
// to.
func (s *Search) HandleResult(f Result) (cmd tea.Cmd, moved bool) {
	switch {
	case f.commandID != s.commandID, errors.Is(f.err, context.Canceled):
		return nil, false
	case f.isCount:
		s.matchNumber, s.matchCount = s.matchNumber+f.matchesBefore+1, f.matchCount
		return nil, false
	}
	s.isFinding = false
	if !f.isFound {
		s.dropWaitingMoves(f.by)
		s.foundNothingFurther = s.matchLine >= 0
		if !s.foundNothingFurther {
			s.matchCount = 0
		}
		return nil, false
	}
	again := f.matchLine == s.matchLine
	s.matchLine, s.foundNothingFurther = f.matchLine, false
	if f.matchDelta != 0 && !again {
		s.matchNumber += f.matchDelta
	}
	if f.matchDelta == 0 || s.matchCount >= 0 && (s.matchNumber < 1 || s.matchNumber > s.matchCount) { // the number of matches has changed
		cmd = s.countMatches()
	}
	return cmd, true
}

// dropWaitingMoves drops the waiting moves up to the first one in the other direction, because a move in this direction
// has found no match. If by is 0, there is no match at all, and it drops all.
func (s *Search) dropWaitingMoves(by int) {
	for len(s.waitingMoves) > 0 && (by == 0 || s.waitingMoves[0] == by) {
		s.waitingMoves = s.waitingMoves[1:]
	}
}

// Summary returns the query and the count of matches in w cells, for the title of the pane.
func (s *Search) Summary(dc *draw.Context, w int) string {
	count := ""
	switch {
	case s.Query == "":
	case s.matchCount < 0:
		count = dc.Muted.Paint(" counting…")
	case s.matchCount == 0:
		count = dc.Warn.Paint(" no match")
	case s.matchLine < 0:
		count = dc.Muted.Paint(" " + plan.FormatThousands(s.matchCount) + " in all")
	default:
		count = dc.Muted.Paint(fmt.Sprintf(" %s of %s", plan.FormatThousands(s.matchNumber), plan.FormatThousands(s.matchCount)))
	}
	if s.foundNothingFurther {
		count += dc.Warn.Paint(" · no more")
	}
	if count != "" && s.matchCount >= 0 && s.searchedText.IsGrowing {
		count += dc.Muted.Paint(" so far")
	}
	query := dc.Bold.Paint(dc.Cut("/"+draw.CleanLine(s.Query), max(4, w-dc.Width(count)-1)))
	if s.IsEditing {
		query += dc.Caret.Paint(" ")
	}
	return query + count
}

// PanePosition returns the position in a pane of h lines that shows a text of total lines from line top on: the current
// match if it is in sight, else the visible lines.
func (s *Search) PanePosition(top, h, total int) Position {
	if s.matchLine >= top && s.matchLine < top+h {
		return LinePosition(s.matchLine)
	}
	return Position{FirstLine: top, LastLine: max(top, min(top+h, total)-1)}
}

// IsCurrentMatch reports whether a line is the current match.
func (s *Search) IsCurrentMatch(line int) bool { return s != nil && s.matchLine == line }

// CurrentMatchAt returns the byte after from at which the current match begins in a LongLines, -1 if it does not begin in
// the n bytes from there.
func (s *Search) CurrentMatchAt(from, n int) int {
	if s == nil || s.matchLine < from || s.matchLine >= from+n {
		return -1
	}
	return s.matchLine - from
}

// HighlightMatches highlights the matches in a line, which may be the current one.
func (s *Search) HighlightMatches(dc *draw.Context, line string, current bool) string {
	return s.highlight(dc, line, func(int) bool { return current })
}

// HighlightMatchesAt highlights the matches in a line, of which the one that begins at a byte of its text is the current
// one.
func (s *Search) HighlightMatchesAt(dc *draw.Context, line string, current int) string {
	return s.highlight(dc, line, func(start int) bool { return start == current })
}

func (s *Search) highlight(dc *draw.Context, line string, isCurrent func(start int) bool) string {
	if s == nil || s.Query == "" {
		return line
	}
	text := ansi.Strip(line)
	starts := logs.LinesContaining(s.Query).MatchStarts(text)
	if len(starts) == 0 {
		return line
	}
	var b strings.Builder
	at, col := 0, 0
	for _, start := range starts {
		style, end := dc.Match, start+len(strings.ToLower(s.Query))
		if isCurrent(start) {
			style = dc.CurrentMatch
		}
		from := col + dc.Width(text[at:start])
		b.WriteString(dc.Slice(line, col, from) + style.Paint(text[start:end]))
		at, col = end, from+dc.Width(text[start:end])
	}
	b.WriteString(dc.Slice(line, col, dc.Width(text)))
	return b.String()
}
