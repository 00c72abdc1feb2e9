// Package document is the dialog that shows the document as it is written, beside what the run did:
// where it is, which steps it visited, and where it pauses.
package document

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/rewrite"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/parse/plan"
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

// Source is the dialog. Its marked line is in the selected step: whatever selects a step goes to its
// lines, and whatever marks a line selects its step, which is what the keys of the screen act on.
type Source struct {
	row    *track.Row         // the selected step
	doc    *plan.Plan         // that its lines are in
	lines  []string           // of doc
	rows   map[int]*track.Row // by the line of doc that its step begins at, as of the last frame or key
	at     int                // the marked line, from 0
	top    int
	height int            // how many of them show
	search *search.Search // whose matches stand out

	edited bool // doc has a person's edits, which the file may lack
}

// New shows the lines of the selected step.
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

// linesAbove is how many lines show above a step that the dialog goes to.
const linesAbove = 2

// Title names the file and says which line is marked.
func (s *Source) Title(run *runview.Run) panes.Title {
	s.follow(run)
	place := fmt.Sprintf("line %d of %d", s.at+1, len(s.lines))
	name := "DOCUMENT " + draw.Clean(filepath.Base(s.doc.Path))
	if s.edited {
		name += " with this run's edits"
	}
	return panes.Title{Left: name, Right: run.Look.Muted.Paint(place)}
}

// Height is one line: the dialog takes what there is.
func (s *Source) Height(*runview.Run, int) int { return 1 }

// MayCoverOutput implements dialog.Dialog.
func (s *Source) MayCoverOutput(*runview.Run) bool { return true }

// IsFullScreen is true.
func (s *Source) IsFullScreen() bool { return true }

// Overflow is how many lines are out of sight.
func (s *Source) Overflow() panes.Overflow { return panes.Outside(s.top, s.height, len(s.lines)) }

// Signs explains the margin.
func (s *Source) Signs() [][2]string {
	return [][2]string{{"▶", "where the run is"}, {"●", "the run pauses before this step"}, {"✓ ✗", "what the last visit to this step ended with"}}
}

// View draws the lines in sight, and no others.
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
		mark, state := draw.SelectedIf(n == s.at, true), " "
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

// gutterWidth is how many cells are left of the number of a line: a press there sets a breakpoint.
const gutterWidth = 4

func (s *Source) keepInSight(h int) {
	s.top = max(0, min(s.top, s.at, len(s.lines)-h))
	s.top = max(s.top, s.at-h+1)
}

// rowsByLine are the steps by the lines that they begin at: of several instances the one that the run
// is at, else the selected one, else the last that was visited.
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

// coloured returns the lines in sight up to one. They are coloured from the beginning of a step on,
// since what is code depends on the lines above.
func (s *Source) coloured(l *draw.Look, end int) []string {
	from := 0
	for line := range s.rows {
		if line-1 <= s.top {
			from = max(from, line-1)
		}
	}
	text := strings.ReplaceAll(strings.Join(s.lines[from:end], "\n"), "\r", "")
	text = strings.ReplaceAll(sanitize.Text(text), "\t", "    ")
	var out, part []string
	colour := func() {
		if len(part) > 0 {
			out = append(out, markdown.Code(strings.Join(part, "\n"), language(s.doc.Path), l.Styles)...)
		}
		part = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		if !directive.MatchString(line) {
			part = append(part, line)
			continue
		}
		colour()
		out = append(out, l.Tool.Paint(line))
	}
	colour()
	return out[s.top-from:]
}

// directive is a line of a playbook that Markdown would take for the start of a block of code, down to the
// next one.
var directive = regexp.MustCompile("^\\s*```[^`]+```\\s*$")

// language is that of a file, for colours. A built-in example has no ending.
func language(path string) string {
	switch filepath.Ext(path) {
	case ".json":
		return "json"
	case ".yaml", ".yml":
		return "yaml"
	}
	return "markdown"
}

// stepAt is the innermost step that the marked line is in; nil: it is above them all.
func (s *Source) stepAt() (found *track.Row) {
	for first, r := range s.rows {
		if first <= s.at+1 && (found == nil || first > found.Step.Span.Line) {
			found = r
		}
	}
	return found
}

// mark marks a line and selects the step that it is in.
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

// Update marks lines and closes. What acts on a step acts on that of the marked line.
func (s *Source) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	s.follow(run)
	s.rows = s.rowsByLine(run) // a key may come before the frame that shows them
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

// Place is the marked line.
func (s *Source) Place(*runview.Run) runview.Place {
	return runview.Place{File: s.doc.SourceFile(), Line: s.at + 1}
}

// SearchText is the document.
func (s *Source) SearchText() search.Text {
	return search.Text{Lines: search.LinesOf(s.lines), At: search.LineReach(s.at), Show: s.mark}
}

// Highlight has the matches of a search stand out.
func (s *Source) Highlight(m *search.Search) { s.search = m }
