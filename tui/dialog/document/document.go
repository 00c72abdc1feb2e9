// Package document is the dialog that shows the source of the document beside the state of the run: the
// current step, the visited steps, and the breakpoints.
package document

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/rewrite"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/dialog/breakpoints"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/layout"
	"playhead/tui/list"
	"playhead/tui/request"
	"playhead/tui/runview"
	"playhead/tui/search"
)

// Dialog shows the source of one document. The marked line and the selected step follow each other: selecting a step marks its
// first line, and marking a line selects its step.
type Dialog struct {
	dialog.FullScreen
	selectedRow           *track.Row       // the selected step
	shownPlan             *plan.Plan       // the document that shows
	lines                 []string         // its source, as it shows
	longLines             search.LongLines // the same lines, to search in
	colours               sourceColours
	stepByFirstLine       map[int]*track.Row // the steps by the line on which they begin, as of the last frame or key
	markedLine            int                // the marked line, from 0
	topLine               int
	visibleLineCount      int            // how many lines show
	markedFrom            int            // the byte of the marked line from which it shows, 0 unless it has more rows than fit
	markedRows            []string       // the rows of the wrapped marked line that are visible or near the visible ones
	markedRowsFrom        int            // the byte of the line at which they begin
	markedTopRow          int            // the first visible one of them
	visibleMarkedRowCount int            // how many of them show
	search                *search.Search // its matches are highlighted

	hasEdits bool // shownPlan includes this run's edits, which the file may lack
}

// New returns the dialog at the lines of the selected step.
func New(run *runview.Run) *Dialog {
	d := &Dialog{visibleMarkedRowCount: 1}
	d.followSelection(run)
	d.stepByFirstLine = d.stepsByFirstLine(run)
	return d
}

// selectedPlan returns the document of the selected step.
func selectedPlan(run *runview.Run) *plan.Plan {
	if run.SelectedRow == nil {
		return run.ShownTrack.Plan
	}
	return run.SelectedRow.Plan()
}

// followSelection goes to the lines of the selected step if another one is selected.
func (d *Dialog) followSelection(run *runview.Run) {
	if d.shownPlan != nil && run.SelectedRow == d.selectedRow {
		return
	}
	d.selectedRow = run.SelectedRow
	if doc := selectedPlan(run); doc != d.shownPlan {
		d.shownPlan, d.lines = doc, strings.Split(plainSource(strings.TrimSuffix(string(doc.Source), "\n")), "\n")
		d.longLines = search.NewLongLines(d.lines)
		d.colours = newSourceColours(doc, d.lines)
		_, edits := rewrite.EditSnapshots(run.Events)
		d.hasEdits = edits != "" && doc == run.Plan
	}
	d.markedLine, d.markedFrom = 0, 0
	if d.selectedRow != nil && d.selectedRow.Step != nil {
		d.markedLine = min(max(0, d.selectedRow.Step.Span.Line-1), len(d.lines)-1)
	}
	d.topLine = d.markedLine - contextLines
}

// contextLines is how many lines show above a step to which the dialog goes.
const contextLines = 2

// Title returns the name of the file and the number of the marked line.
func (d *Dialog) Title(run *runview.Run) layout.PaneTitle {
	d.followSelection(run)
	place := fmt.Sprintf("line %d of %d", d.markedLine+1, len(d.lines))
	name := "DOCUMENT " + draw.CleanLine(filepath.Base(d.shownPlan.Path))
	if d.hasEdits {
		name += " with this run's edits"
	}
	return layout.PaneTitle{Left: name, Right: run.DrawContext.Muted.Paint(place)}
}

// AllowsAction implements dialog.ActionFilter: the keys of the screen act on the step of the marked line. Coverage would
// only mark steps, which nobody sees.
func (d *Dialog) AllowsAction(a *keymap.KeyAction) bool { return a.Name != "coverage" }

// Overflow returns how many lines, and rows of the marked line, are out of sight.
func (d *Dialog) Overflow() layout.Overflow {
	o := layout.OverflowOf(d.topLine, d.visibleLineCount, len(d.lines))
	o.Above, o.Below = o.Above+d.markedTopRow, o.Below+d.markedRowsBelow()
	return o
}

// Legend explains the signs in the margin.
func (d *Dialog) Legend() [][2]string {
	return [][2]string{{"▶", "where the run is"}, {"●", "a breakpoint at this step"}, {"◌", "a breakpoint that does not pause"}, {"✓ ✗", "the outcome of the last visit to this step"}}
}

// View implements dialog.Dialog. It draws only the lines in sight. The marked line is wrapped, and the others are cut.
func (d *Dialog) View(run *runview.Run, w, h int) []string {
	d.followSelection(run)
	dc, digits, textWidth := run.DrawContext, d.digits(), d.textWidth(w)
	d.wrapMarkedLine(dc, w, h)
	d.visibleLineCount = h - d.visibleMarkedRowCount + 1
	d.scrollToMark(d.visibleLineCount)
	d.stepByFirstLine = d.stepsByFirstLine(run)
	end := min(d.topLine+d.visibleLineCount, len(d.lines))
	code := d.colours.colouredLines(d.topLine, end, dc.Styles)
	out := make([]string, 0, h)
	for n := d.topLine; n < end; n++ {
		mark, state := draw.SelectionOf(n == d.markedLine, true), " "
		gutter := dc.Gutter(mark, "", false)
		if r := d.stepByFirstLine[n+1]; r != nil {
			gutter = dc.Gutter(mark, breakpoints.SignAt(dc, run.Breakpoints, r), r == run.ShownPosition())
			if r.Status != track.Pending {
				state = dc.StatusGlyph(r)
			}
		}
		head := gutter + state + dc.Muted.Paint(fmt.Sprintf(" %*d  ", digits, n+1))
		var rows []string
		if line := code[n-d.topLine]; n == d.markedLine {
			rows = d.styledMarkedRows(dc, line, textWidth)
		} else { // cut first: a line can have megabytes of matches
			rows = []string{d.highlightMatches(dc, dc.Slice(line, 0, w), n, 0)}
		}
		for _, row := range rows {
			out = append(out, dc.HighlightRow(dc.Cut(head+row, w), w, mark))
			head = dc.Fit(dc.SelectionMark(mark), w-textWidth)
		}
	}
	return out
}

// digits returns how many digits the highest line number has.
func (d *Dialog) digits() int { return len(fmt.Sprint(len(d.lines))) }

// textWidth returns the width of the text of lines in a dialog of w cells.
func (d *Dialog) textWidth(w int) int { return max(1, w-gutterWidth-d.digits()-numberMargin) }

// wrapMarkedLine finds the rows of the marked line in a dialog of w × h cells, and which of them show.
func (d *Dialog) wrapMarkedLine(dc *draw.Context, w, h int) {
	line := d.wrappedLine(dc, d.markedLine, w, h)
	d.markedRows, d.markedRowsFrom = line.rowsAround(d.markedFrom)
	top, end := 0, d.markedRowsFrom
	for _, row := range d.markedRows {
		if end += len(row); end > d.markedFrom {
			break
		}
		top++
	}
	d.visibleMarkedRowCount = min(h, len(d.markedRows))
	d.scrollMarkedLine(top)
}

// wrappedLine returns a line as a dialog of w × h cells wraps it.
func (d *Dialog) wrappedLine(dc *draw.Context, line, w, h int) wrappedLine {
	return newWrappedLine(dc, d.lines[line], d.textWidth(w), h)
}

// scrollMarkedLine shows the marked line from one of its known rows on, or from an earlier one if less than a page would
// follow.
func (d *Dialog) scrollMarkedLine(top int) {
	d.markedTopRow = max(0, min(top, len(d.markedRows)-d.visibleMarkedRowCount))
	d.markedFrom = d.markedRowsFrom + len(strings.Join(d.markedRows[:d.markedTopRow], ""))
}

// markedRowsBelow returns how many rows of the marked line are known to be out of sight below the visible ones.
func (d *Dialog) markedRowsBelow() int {
	return len(d.markedRows) - d.markedTopRow - d.visibleMarkedRowCount
}

// styledMarkedRows returns the visible rows of the marked line, which is styled, with the matches of the search. If more rows
// follow, the last one is longer than its room of w cells, so that it is cut.
func (d *Dialog) styledMarkedRows(dc *draw.Context, line string, w int) []string {
	rows := slices.Clone(d.markedRows[d.markedTopRow:][:d.visibleMarkedRowCount])
	from := dc.Width(d.lines[d.markedLine][:d.markedFrom])
	line = dc.Slice(line, from, from+w*len(rows)+1)
	line = d.highlightMatches(dc, line, d.markedLine, d.markedFrom)
	from = 0
	for i, row := range rows {
		to := from + dc.Width(row)
		if i == len(rows)-1 {
			to = dc.Width(line)
		}
		rows[i], from = dc.Slice(line, from, to), to
	}
	return rows
}

// highlightMatches highlights the matches in a part of a line, which is styled and begins at a byte of the line.
func (d *Dialog) highlightMatches(dc *draw.Context, part string, line, from int) string {
	start := d.longLines.Offset(line, from)
	return d.search.HighlightMatchesAt(dc, part, d.search.CurrentMatchAt(start, d.longLines.Offset(line, lineEnd)-start))
}

// plainSource returns lines of the document as they show.
func plainSource(text string) string {
	text = strings.ReplaceAll(text, "\r", "")
	return strings.ReplaceAll(sanitize.PlainLines(text), "\t", "    ")
}

// lineAtRow returns the line in a row of the dialog. All rows of the marked line are one line.
func (d *Dialog) lineAtRow(y int) int {
	line := d.topLine + y
	return line - max(0, min(line-d.markedLine, d.visibleMarkedRowCount-1))
}

// numberMargin is the number of cells around the number of a line.
const numberMargin = 3

// gutterWidth is the width in cells of the margin in which a click sets or clears a breakpoint.
const gutterWidth = 4

// scrollToMark scrolls so that the marked line is among the given number of lines.
func (d *Dialog) scrollToMark(count int) {
	d.topLine = max(0, min(d.topLine, d.markedLine, len(d.lines)-count))
	d.topLine = max(d.topLine, d.markedLine-count+1)
}

// stepsByFirstLine returns the steps by the line on which they begin. Of several instances it takes the current
// one, else the selected one, else the last visited.
func (d *Dialog) stepsByFirstLine(run *runview.Run) map[int]*track.Row {
	out, position := map[int]*track.Row{}, run.ShownPosition()
	for _, r := range run.ShownTrack.AllRows() {
		if r.Step == nil || r.Plan() != d.shownPlan {
			continue
		}
		line := r.Step.Span.Line
		switch known := out[line]; {
		case known == nil, r == position:
			out[line] = r
		case known == position, known == d.selectedRow:
		case r == d.selectedRow, r.Status != track.Pending:
			out[line] = r
		}
	}
	return out
}

// markedStep returns the innermost step that contains the marked line, nil above the first step.
func (d *Dialog) markedStep() (found *track.Row) {
	for first, r := range d.stepByFirstLine {
		if first <= d.markedLine+1 && (found == nil || first > found.Step.Span.Line) {
			found = r
		}
	}
	return found
}

// lineEnd is a byte position beyond the end of any line.
const lineEnd = list.BeyondEnd

// moveMark moves the mark by lines. If the marked line has more rows than fit, it first moves by rows in that line.
func (d *Dialog) moveMark(run *runview.Run, by int) []tea.Msg {
	d.wrapMarkedLine(run.DrawContext, run.DialogArea.W, run.DialogArea.H)
	switch {
	case by == -list.BeyondEnd:
		return d.markLineFrom(0, 0)
	case by == list.BeyondEnd:
		return d.markLineFrom(len(d.lines)-1, lineEnd)
	case by > 0 && d.markedRowsBelow() > 0, by < 0 && d.markedTopRow > 0:
		d.scrollMarkedLine(d.markedTopRow + by)
		return nil
	}
	line := d.lineAfterMove(run, by)
	if line < d.markedLine {
		return d.markLineFrom(line, lineEnd)
	}
	return d.markLine(line)
}

// lineAfterMove returns the line that is marked after a move by lines. The move ends at a line that has more rows than fit,
// so that no row of it is passed over.
func (d *Dialog) lineAfterMove(run *runview.Run, by int) int {
	to, direction := max(0, min(d.markedLine+by, len(d.lines)-1)), 1
	if by < 0 {
		direction = -1
	}
	for line := d.markedLine; line != to; {
		line += direction
		if d.wrappedLine(run.DrawContext, line, run.DialogArea.W, run.DialogArea.H).isLongerThanPage() {
			return line
		}
	}
	return to
}

// markLine marks a line and selects its step. Another line shows from its beginning.
func (d *Dialog) markLine(line int) []tea.Msg {
	if line == d.markedLine {
		return d.markLineFrom(line, d.markedFrom)
	}
	return d.markLineFrom(line, 0)
}

// markLineFrom marks a line, which shows from a byte on if it has more rows than fit, and selects its step.
func (d *Dialog) markLineFrom(line, from int) []tea.Msg {
	d.markedLine, d.markedFrom = max(0, min(line, len(d.lines)-1)), from
	found := d.markedStep()
	if found == nil || found == d.selectedRow {
		return nil
	}
	d.selectedRow = found
	return []tea.Msg{request.SelectStep{Row: found}}
}

// visibleMarkedBytes returns how many bytes of the marked line show, at least 1.
func (d *Dialog) visibleMarkedBytes() int {
	end := min(d.markedTopRow+d.visibleMarkedRowCount, len(d.markedRows))
	return max(1, len(strings.Join(d.markedRows[min(d.markedTopRow, end):end], "")))
}

// toggleBreakpoint sets a breakpoint at the step of the marked line, or clears it.
func (d *Dialog) toggleBreakpoint() []tea.Msg {
	if d.markedStep() == nil {
		return []tea.Msg{request.Say{Text: fmt.Sprintf("Line %d is not part of a step.", d.markedLine+1)}}
	}
	return []tea.Msg{request.PressKeyOf{Action: "break"}}
}

// Update moves the mark and closes the dialog. Keys that act on a step act on the step of the marked line.
func (d *Dialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	d.followSelection(run)
	d.stepByFirstLine = d.stepsByFirstLine(run) // a key may come before the next frame
	switch msg := msg.(type) {
	case dialog.Click:
		requests := d.markLine(d.lineAtRow(msg.Y))
		if msg.X < gutterWidth {
			requests = append(requests, d.toggleBreakpoint()...)
		}
		return requests, true
	case tea.KeyPressMsg:
		if run.DrawContext.Keys.IsKeyOf(msg, "close", "document") {
			return dialog.Handled(dialog.Close{})
		}
		if run.DrawContext.Keys.IsKeyOf(msg, "break") {
			return d.toggleBreakpoint(), true
		}
		by, moves := list.KeyMovement(run.DrawContext.Keys, msg, max(1, run.DialogArea.H))
		if !moves {
			return nil, false
		}
		return d.moveMark(run, by), true
	}
	return dialog.Unhandled()
}

// Hints implements dialog.Dialog.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	dc := run.DrawContext
	out := []draw.Hint{dc.ActionHint("close", "close"), dc.UpDownHint("line"), dc.ActionHint("break", "break")}
	return append(out, run.AvailableHints("find", "over", "continue")...)
}

// DocumentPlace returns the marked line.
func (d *Dialog) DocumentPlace(*runview.Run) runview.DocumentPlace {
	return runview.DocumentPlace{File: d.shownPlan.SourcePath(), Line: d.markedLine + 1}
}

// SearchText returns the document. The person's position in it is what shows of the marked line.
func (d *Dialog) SearchText(s *search.Search) search.Text {
	text := d.longLines
	position := s.PanePosition(text.Offset(d.markedLine, d.markedFrom), d.visibleMarkedBytes(), text.Size())
	return search.Text{Lines: text, Position: position, ShowLine: func(offset int) []tea.Msg { return d.markLineFrom(text.Place(offset)) }}
}

// Highlight sets the search whose matches are highlighted.
func (d *Dialog) Highlight(m *search.Search) { d.search = m }
