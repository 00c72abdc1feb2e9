// Package document is the dialog that shows the source of the document beside the state of the run: the
// current step, the visited steps, and the breakpoints.
package document

import (
	"fmt"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/rewrite"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/parse/source"
	"playhead/themes"
	"playhead/tui/dialog"
	"playhead/tui/dialog/breakpoints"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/markdown"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/runview"
	"playhead/tui/search"
)

// Source is the dialog. The marked line and the selected step follow each other: selecting a step marks its
// first line, and marking a line selects its step.
type Source struct {
	row    *track.Row         // the selected step
	doc    *plan.Plan         // the document of lines
	lines  []string           // of doc
	rows   map[int]*track.Row // the steps by the line on which they begin, as of the last frame or key
	at     int                // the marked line, from 0
	top    int
	height int            // how many lines show
	search *search.Search // its matches are highlighted

	edited bool // doc includes this run's edits, which the file may lack
}

// New returns the dialog at the lines of the selected step.
func New(run *runview.Run) *Source {
	s := &Source{}
	s.follow(run)
	s.rows = s.rowsByLine(run)
	return s
}

func docOf(run *runview.Run) *plan.Plan {
	if run.Selected == nil {
		return run.Shown.Plan
	}
	return run.Selected.Plan()
}

// follow goes to the lines of the selected step if another one is selected.
func (s *Source) follow(run *runview.Run) {
	if s.doc != nil && run.Selected == s.row {
		return
	}
	s.row = run.Selected
	if doc := docOf(run); doc != s.doc {
		s.doc, s.lines = doc, strings.Split(strings.TrimSuffix(string(doc.Source), "\n"), "\n")
		_, edits := rewrite.DocumentEdits(run.Events)
		s.edited = edits != "" && doc == run.Plan
	}
	s.at = 0
	if s.row != nil && s.row.Step != nil {
		s.at = min(max(0, s.row.Step.Span.Line-1), len(s.lines)-1)
	}
	s.top = s.at - linesAbove
}

// linesAbove is how many lines show above a step to which the dialog goes.
const linesAbove = 2

// Title returns the name of the file and the number of the marked line.
func (s *Source) Title(run *runview.Run) panes.Title {
	s.follow(run)
	place := fmt.Sprintf("line %d of %d", s.at+1, len(s.lines))
	name := "DOCUMENT " + draw.Clean(filepath.Base(s.doc.Path))
	if s.edited {
		name += " with this run's edits"
	}
	return panes.Title{Left: name, Right: run.Look.Muted.Paint(place)}
}

// Height returns 1: the dialog fills the screen anyway.
func (s *Source) Height(*runview.Run, int) int { return 1 }

// MayCoverOutput implements dialog.Dialog.
func (s *Source) MayCoverOutput(*runview.Run) bool { return true }

// IsFullScreen implements dialog.FullScreen.
func (s *Source) IsFullScreen() bool { return true }

// Overflow returns how many lines are out of sight.
func (s *Source) Overflow() panes.Overflow { return panes.Outside(s.top, s.height, len(s.lines)) }

// Signs explains the signs in the margin.
func (s *Source) Signs() [][2]string {
	return [][2]string{{"▶", "where the run is"}, {"●", "the run pauses before this step"}, {"✓ ✗", "the outcome of the last visit to this step"}}
}

// View implements dialog.Dialog. It draws only the lines in sight.
func (s *Source) View(run *runview.Run, w, h int) []string {
	s.follow(run)
	s.keepInSight(h)
	s.height = h
	l := run.Look
	s.rows = s.rowsByLine(run)
	end := min(s.top+h, len(s.lines))
	digits := len(fmt.Sprint(len(s.lines)))
	code := s.coloured(l, end)
	out := make([]string, 0, h)
	for n := s.top; n < end; n++ {
		mark, state := draw.SelectionOf(n == s.at, true), " "
		gutter := l.Gutter(mark, false, false)
		if r := s.rows[n+1]; r != nil {
			gutter = l.Gutter(mark, breakpoints.AnyAt(run.Breaks, r), r == run.ShownPosition())
			if r.Status != track.Pending {
				state = l.Glyph(r)
			}
		}
		number := l.Muted.Paint(fmt.Sprintf(" %*d  ", digits, n+1))
		text := s.search.Highlight(l, code[n-s.top], s.search.IsCurrent(n))
		out = append(out, l.Raise(l.Cut(gutter+state+number+text, w), w, mark))
	}
	return out
}

// gutterWidth is the width in cells of the margin in which a click sets or clears a breakpoint.
const gutterWidth = 4

func (s *Source) keepInSight(h int) {
	s.top = max(0, min(s.top, s.at, len(s.lines)-h))
	s.top = max(s.top, s.at-h+1)
}

// rowsByLine returns the steps by the line on which they begin. Of several instances it takes the current
// one, else the selected one, else the last visited.
func (s *Source) rowsByLine(run *runview.Run) map[int]*track.Row {
	out, position := map[int]*track.Row{}, run.ShownPosition()
	for _, r := range run.Shown.AllRows() {
		if r.Step == nil || r.Plan() != s.doc {
			continue
		}
		line := r.Step.Span.Line
		switch known := out[line]; {
		case known == nil, r == position:
			out[line] = r
		case known == position, known == s.row:
		case r == s.row, r.Status != track.Pending:
			out[line] = r
		}
	}
	return out
}

// coloured returns the lines in sight up to end. It colours from the start of a step, because lines above
// decide what is code.
func (s *Source) coloured(l *draw.Look, end int) []string {
	from := 0
	for line := range s.rows {
		if line-1 <= s.top {
			from = max(from, line-1)
		}
	}
	text := strings.ReplaceAll(strings.Join(s.lines[from:end], "\n"), "\r", "")
	text = strings.ReplaceAll(sanitize.Text(text), "\t", "    ")
	c := colouring{styles: l.Styles, prose: language(s.doc.Path)}
	for line := range strings.SplitSeq(text, "\n") {
		c.add(line)
	}
	c.flush()
	return c.out[s.top-from:]
}

// colouring colours the lines of a document: prose, and the code in its fences by its own language.
type colouring struct {
	styles *themes.Styles
	prose  string       // the language outside fences
	fence  source.Fence // the open one; Char is 0 outside
	part   []string     // lines that are not coloured yet
	out    []string
}

func (c *colouring) add(line string) {
	f, isFence := source.ReadFence(line)
	switch {
	case c.prose != "markdown" || !isFence:
		c.part = append(c.part, line)
	case c.fence.Char != 0 && !f.Closes(c.fence):
		c.part = append(c.part, line)
	case c.fence.Char != 0:
		c.flush()
		c.out, c.fence = append(c.out, c.styles.Muted.Paint(line)), source.Fence{}
	case f.CanOpen():
		c.flush()
		c.out, c.fence = append(c.out, c.styles.Muted.Paint(line)), f
	default: // a one-line directive of a playbook
		c.flush()
		c.out = append(c.out, c.styles.Tool.Paint(line))
	}
}

// flush colours the lines that are not coloured yet.
func (c *colouring) flush() {
	if len(c.part) == 0 {
		return
	}
	language := c.prose
	if c.fence.Char != 0 {
		language, _, _ = strings.Cut(strings.TrimSpace(c.fence.Info), " ")
	}
	ended := strings.Join(c.part, "\n") + "\n" // a heading is one only with its line end
	c.out, c.part = append(c.out, markdown.Code(ended, language, c.styles)[:len(c.part)]...), nil
}

// language returns the language of a file, for its colours. The path of a built-in example has no
// extension.
func language(path string) string {
	switch filepath.Ext(path) {
	case ".json":
		return "json"
	case ".yaml", ".yml":
		return "yaml"
	}
	return "markdown"
}

// stepAt returns the innermost step that contains the marked line, nil above the first step.
func (s *Source) stepAt() (found *track.Row) {
	for first, r := range s.rows {
		if first <= s.at+1 && (found == nil || first > found.Step.Span.Line) {
			found = r
		}
	}
	return found
}

// mark marks a line and selects its step.
func (s *Source) mark(line int) []tea.Msg {
	s.at = max(0, min(line, len(s.lines)-1))
	found := s.stepAt()
	if found == nil || found == s.row {
		return nil
	}
	s.row = found
	return []tea.Msg{request.Select{Row: found}}
}

// toggle sets a breakpoint at the step of the marked line, or clears it.
func (s *Source) toggle() []tea.Msg {
	if s.stepAt() == nil {
		return []tea.Msg{request.Say{Text: fmt.Sprintf("Line %d is not part of a step.", s.at+1)}}
	}
	return []tea.Msg{request.Press{Action: "break"}}
}

// Update moves the mark and closes the dialog. Keys that act on a step act on the step of the marked line.
func (s *Source) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	s.follow(run)
	s.rows = s.rowsByLine(run) // a key may come before the next frame
	switch msg := msg.(type) {
	case dialog.Click:
		requests := s.mark(s.top + msg.Y)
		if msg.X < gutterWidth {
			requests = append(requests, s.toggle()...)
		}
		return requests, true
	case tea.KeyPressMsg:
		if run.Look.Keys.Is(msg, "close", "document") {
			return dialog.Send(dialog.Close{})
		}
		if run.Look.Keys.Is(msg, "break") {
			return s.toggle(), true
		}
		by, moves := list.Movement(run.Look.Keys, msg, max(1, run.Room.H))
		if !moves {
			return nil, false
		}
		return s.mark(s.at + by), true
	}
	return dialog.Unhandled()
}

// Hints implements dialog.Dialog.
func (s *Source) Hints(run *runview.Run) []draw.Hint {
	l := run.Look
	out := []draw.Hint{l.Press("close", "close"), l.UpDown("line"), l.Press("break", "break")}
	return append(out, run.Hints("next-match", "find", "over", "continue")...)
}

// Place returns the marked line.
func (s *Source) Place(*runview.Run) runview.Place {
	return runview.Place{File: s.doc.SourceFile(), Line: s.at + 1}
}

// SearchText returns the document.
func (s *Source) SearchText() search.Text {
	return search.Text{Lines: search.LinesOf(s.lines), At: search.LineReach(s.at), Show: s.mark}
}

// Highlight sets the search whose matches are highlighted.
func (s *Source) Highlight(m *search.Search) { s.search = m }
