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
	"playhead/tui/keymap"
	"playhead/tui/layout"
	"playhead/tui/list"
	"playhead/tui/markdown"
	"playhead/tui/request"
	"playhead/tui/runview"
	"playhead/tui/search"
)

// Dialog is the dialog. The marked line and the selected step follow each other: selecting a step marks its
// first line, and marking a line selects its step.
type Dialog struct {
	selectedRow      *track.Row         // the selected step
	shownPlan        *plan.Plan         // the document that shows
	lines            []string           // its source
	stepByFirstLine  map[int]*track.Row // the steps by the line on which they begin, as of the last frame or key
	markedLine       int                // the marked line, from 0
	topLine          int
	visibleLineCount int            // how many lines show
	search           *search.Search // its matches are highlighted

	hasEdits bool // shownPlan includes this run's edits, which the file may lack
}

// New returns the dialog at the lines of the selected step.
func New(run *runview.Run) *Dialog {
	s := &Dialog{}
	s.followSelection(run)
	s.stepByFirstLine = s.stepsByFirstLine(run)
	return s
}

func selectedPlan(run *runview.Run) *plan.Plan {
	if run.SelectedRow == nil {
		return run.ShownTrack.Plan
	}
	return run.SelectedRow.Plan()
}

// followSelection goes to the lines of the selected step if another one is selected.
func (s *Dialog) followSelection(run *runview.Run) {
	if s.shownPlan != nil && run.SelectedRow == s.selectedRow {
		return
	}
	s.selectedRow = run.SelectedRow
	if doc := selectedPlan(run); doc != s.shownPlan {
		s.shownPlan, s.lines = doc, strings.Split(strings.TrimSuffix(string(doc.Source), "\n"), "\n")
		_, edits := rewrite.EditSnapshots(run.Events)
		s.hasEdits = edits != "" && doc == run.Plan
	}
	s.markedLine = 0
	if s.selectedRow != nil && s.selectedRow.Step != nil {
		s.markedLine = min(max(0, s.selectedRow.Step.Span.Line-1), len(s.lines)-1)
	}
	s.topLine = s.markedLine - contextLines
}

// contextLines is how many lines show above a step to which the dialog goes.
const contextLines = 2

// Title returns the name of the file and the number of the marked line.
func (s *Dialog) Title(run *runview.Run) layout.PaneTitle {
	s.followSelection(run)
	place := fmt.Sprintf("line %d of %d", s.markedLine+1, len(s.lines))
	name := "DOCUMENT " + draw.CleanLine(filepath.Base(s.shownPlan.Path))
	if s.hasEdits {
		name += " with this run's edits"
	}
	return layout.PaneTitle{Left: name, Right: run.DrawContext.Muted.Paint(place)}
}

// Height returns 1: the dialog fills the screen anyway.
func (s *Dialog) Height(*runview.Run, int) int { return 1 }

// MayCoverOutput implements dialog.Dialog.
func (s *Dialog) MayCoverOutput(*runview.Run) bool { return true }

// AllowsAction implements dialog.ActionFilter: the keys of the screen act on the step of the marked line.
func (s *Dialog) AllowsAction(*keymap.KeyAction) bool { return true }

// IsFullScreen implements dialog.FullScreen.
func (s *Dialog) IsFullScreen() bool { return true }

// Overflow returns how many lines are out of sight.
func (s *Dialog) Overflow() layout.Overflow {
	return layout.OverflowOf(s.topLine, s.visibleLineCount, len(s.lines))
}

// Legend explains the signs in the margin.
func (s *Dialog) Legend() [][2]string {
	return [][2]string{{"▶", "where the run is"}, {"●", "a breakpoint at this step"}, {"✓ ✗", "the outcome of the last visit to this step"}}
}

// View implements dialog.Dialog. It draws only the lines in sight.
func (s *Dialog) View(run *runview.Run, w, h int) []string {
	s.followSelection(run)
	s.scrollToMark(h)
	s.visibleLineCount = h
	dc := run.DrawContext
	s.stepByFirstLine = s.stepsByFirstLine(run)
	end := min(s.topLine+h, len(s.lines))
	digits := len(fmt.Sprint(len(s.lines)))
	code := s.colouredLines(dc, end)
	out := make([]string, 0, h)
	for n := s.topLine; n < end; n++ {
		mark, state := draw.SelectionOf(n == s.markedLine, true), " "
		gutter := dc.Gutter(mark, false, false)
		if r := s.stepByFirstLine[n+1]; r != nil {
			gutter = dc.Gutter(mark, breakpoints.AnyAt(run.Breakpoints, r), r == run.ShownPosition())
			if r.Status != track.Pending {
				state = dc.StatusGlyph(r)
			}
		}
		number := dc.Muted.Paint(fmt.Sprintf(" %*d  ", digits, n+1))
		text := s.search.HighlightMatches(dc, code[n-s.topLine], s.search.IsCurrentMatch(n))
		out = append(out, dc.HighlightRow(dc.Cut(gutter+state+number+text, w), w, mark))
	}
	return out
}

// gutterWidth is the width in cells of the margin in which a click sets or clears a breakpoint.
const gutterWidth = 4

func (s *Dialog) scrollToMark(h int) {
	s.topLine = max(0, min(s.topLine, s.markedLine, len(s.lines)-h))
	s.topLine = max(s.topLine, s.markedLine-h+1)
}

// stepsByFirstLine returns the steps by the line on which they begin. Of several instances it takes the current
// one, else the selected one, else the last visited.
func (s *Dialog) stepsByFirstLine(run *runview.Run) map[int]*track.Row {
	out, position := map[int]*track.Row{}, run.ShownPosition()
	for _, r := range run.ShownTrack.AllRows() {
		if r.Step == nil || r.Plan() != s.shownPlan {
			continue
		}
		line := r.Step.Span.Line
		switch known := out[line]; {
		case known == nil, r == position:
			out[line] = r
		case known == position, known == s.selectedRow:
		case r == s.selectedRow, r.Status != track.Pending:
			out[line] = r
		}
	}
	return out
}

// colouredLines returns the lines in sight up to end. It colours from the start of a step, because lines above
// decide what is code.
func (s *Dialog) colouredLines(dc *draw.Context, end int) []string {
	from := 0
	for line := range s.stepByFirstLine {
		if line-1 <= s.topLine {
			from = max(from, line-1)
		}
	}
	text := strings.ReplaceAll(strings.Join(s.lines[from:end], "\n"), "\r", "")
	text = strings.ReplaceAll(sanitize.PlainLines(text), "\t", "    ")
	c := sourceColourer{styles: dc.Styles, proseLanguage: languageOf(s.shownPlan.Path)}
	for line := range strings.SplitSeq(text, "\n") {
		c.addLine(line)
	}
	c.colourPendingLines()
	return c.colouredLines[s.topLine-from:]
}

// sourceColourer colours the lines of a document: prose, and the code in its fences by its own language.
type sourceColourer struct {
	styles        *themes.Styles
	proseLanguage string       // the language outside fences
	openFence     source.Fence // the open one; Char is 0 outside
	pendingLines  []string     // lines that are not coloured yet
	colouredLines []string
}

func (c *sourceColourer) addLine(line string) {
	f, isFence := source.ReadFence(line)
	switch {
	case c.proseLanguage != "markdown" || !isFence:
		c.pendingLines = append(c.pendingLines, line)
	case c.openFence.Char != 0 && !f.Closes(c.openFence):
		c.pendingLines = append(c.pendingLines, line)
	case c.openFence.Char != 0:
		c.colourPendingLines()
		c.colouredLines, c.openFence = append(c.colouredLines, c.styles.Muted.Paint(line)), source.Fence{}
	case f.CanOpen():
		c.colourPendingLines()
		c.colouredLines, c.openFence = append(c.colouredLines, c.styles.Muted.Paint(line)), f
	default: // a one-line directive of a playbook
		c.colourPendingLines()
		c.colouredLines = append(c.colouredLines, c.styles.Tool.Paint(line))
	}
}

// colourPendingLines colours the lines that are not coloured yet.
func (c *sourceColourer) colourPendingLines() {
	if len(c.pendingLines) == 0 {
		return
	}
	language := c.proseLanguage
	if c.openFence.Char != 0 {
		language, _, _ = strings.Cut(strings.TrimSpace(c.openFence.Info), " ")
	}
	if !markdown.IsKnownLanguage(language) { // such as a prompt
		c.colouredLines, c.pendingLines = append(c.colouredLines, c.pendingLines...), nil
		return
	}
	ended := strings.Join(c.pendingLines, "\n") + "\n" // a heading is one only with its line end
	c.colouredLines, c.pendingLines = append(c.colouredLines, markdown.HighlightCode(ended, language, c.styles)[:len(c.pendingLines)]...), nil
}

// languageOf returns the name by which chroma knows the syntax of a file. The path of a built-in example
// has no extension.
func languageOf(path string) string {
	switch filepath.Ext(path) {
	case ".json":
		return "json"
	case ".yaml", ".yml":
		return "yaml"
	}
	return "markdown"
}

// markedStep returns the innermost step that contains the marked line, nil above the first step.
func (s *Dialog) markedStep() (found *track.Row) {
	for first, r := range s.stepByFirstLine {
		if first <= s.markedLine+1 && (found == nil || first > found.Step.Span.Line) {
			found = r
		}
	}
	return found
}

// markLine marks a line and selects its step.
func (s *Dialog) markLine(line int) []tea.Msg {
	s.markedLine = max(0, min(line, len(s.lines)-1))
	found := s.markedStep()
	if found == nil || found == s.selectedRow {
		return nil
	}
	s.selectedRow = found
	return []tea.Msg{request.SelectStep{Row: found}}
}

// toggleBreakpoint sets a breakpoint at the step of the marked line, or clears it.
func (s *Dialog) toggleBreakpoint() []tea.Msg {
	if s.markedStep() == nil {
		return []tea.Msg{request.Say{Text: fmt.Sprintf("Line %d is not part of a step.", s.markedLine+1)}}
	}
	return []tea.Msg{request.PressKeyOf{Action: "break"}}
}

// Update moves the mark and closes the dialog. Keys that act on a step act on the step of the marked line.
func (s *Dialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	s.followSelection(run)
	s.stepByFirstLine = s.stepsByFirstLine(run) // a key may come before the next frame
	switch msg := msg.(type) {
	case dialog.Click:
		requests := s.markLine(s.topLine + msg.Y)
		if msg.X < gutterWidth {
			requests = append(requests, s.toggleBreakpoint()...)
		}
		return requests, true
	case tea.KeyPressMsg:
		if run.DrawContext.Keys.IsKeyOf(msg, "close", "document") {
			return dialog.Handled(dialog.Close{})
		}
		if run.DrawContext.Keys.IsKeyOf(msg, "break") {
			return s.toggleBreakpoint(), true
		}
		by, moves := list.KeyMovement(run.DrawContext.Keys, msg, max(1, run.DialogArea.H))
		if !moves {
			return nil, false
		}
		return s.markLine(s.markedLine + by), true
	}
	return dialog.Unhandled()
}

// Hints implements dialog.Dialog.
func (s *Dialog) Hints(run *runview.Run) []draw.Hint {
	dc := run.DrawContext
	out := []draw.Hint{dc.ActionHint("close", "close"), dc.UpDownHint("line"), dc.ActionHint("break", "break")}
	return append(out, run.AvailableHints("next-match", "find", "over", "continue")...)
}

// Place returns the marked line.
func (s *Dialog) Place(*runview.Run) runview.Place {
	return runview.Place{File: s.shownPlan.SourceFile(), Line: s.markedLine + 1}
}

// SearchText returns the document.
func (s *Dialog) SearchText() search.Text {
	return search.Text{Lines: search.MemoryLinesOf(s.lines), Position: search.LinePosition(s.markedLine), ShowLine: s.markLine}
}

// Highlight sets the search whose matches are highlighted.
func (s *Dialog) Highlight(m *search.Search) { s.search = m }
