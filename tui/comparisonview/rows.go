package comparisonview

import (
	"fmt"
	"strings"
	"time"

	"playhead/engine/compare"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/cells"
	"playhead/tui/draw"
)

// headerLineCount is the number of lines above the list, which name the runs.
const headerLineCount = 1

// Widths in cells: of the mark before the two columns of the list, and of the line between them.
const (
	markWidth = 2
	gapWidth  = 3
)

// Lines returns the list, a line, and the details of the selected item.
func (v *View) Lines(dc *draw.Context, w, h int) []string {
	v.visibleCount = min(len(v.items), max(3, (h-headerLineCount-1)*2/5))
	v.firstVisible = max(0, min(max(v.firstVisible, v.selectedItem-v.visibleCount+1), v.selectedItem, len(v.items)-v.visibleCount))
	left, right := columnWidths(w - 1)
	out := []string{" " + v.rowInColumns(dc, " ", runHeaderLine(dc, v.comparison.A, "this run", left-markWidth), runHeaderLine(dc, v.comparison.B, v.comparison.B.Started.Local().Format("2006-01-02 15:04"), right), w-1)}
	for i := v.firstVisible; i < min(v.firstVisible+v.visibleCount, len(v.items)); i++ {
		selected := draw.SelectionOf(i == v.selectedItem, true)
		out = append(out, dc.HighlightRow(dc.SelectionMark(selected)+dc.Fit(v.itemLine(dc, v.items[i], w-1), w-1), w, selected))
	}
	out = append(out, v.dividerLine(dc, w))
	v.detailFirstRow, v.detailHeight = len(out), max(0, h-len(out))
	return append(out, v.VisibleLines(dc, v.detailLines(dc, w), v.detailHeight)...)
}

// dividerLine returns the line that names the selected item.
func (v *View) dividerLine(dc *draw.Context, w int) string {
	at := dc.Muted.Paint(fmt.Sprintf(" %d of %d", v.selectedItem+1, len(v.items)))
	head := dc.Cut(" "+v.selectedName()+" ", w-2-dc.Width(at))
	return dc.Border.Paint("─") + dc.Title.PaintOver(head) + dc.Border.Paint(cells.HorizontalLine(w-1-dc.Width(head)-dc.Width(at))) + at
}

// columnWidths returns the widths of the two columns. The left one includes the mark.
func columnWidths(w int) (left, right int) {
	left = markWidth + (w-markWidth-gapWidth)/2
	return left, w - gapWidth - left
}

// detailWidths returns the widths of the two columns below the list. The rows there begin with the mark of
// the selection.
func detailWidths(w int) (left, right int) {
	left, right = columnWidths(w - 1)
	return left + 1, right
}

// twoColumnLine returns a line with two texts in columns of these widths.
func twoColumnLine(dc *draw.Context, a, b string, left, right int) string {
	return dc.Fit(a, left) + dc.Border.Paint(" │ ") + dc.Cut(b, right)
}

// rowInColumns returns two texts in columns, after a mark.
func (v *View) rowInColumns(dc *draw.Context, mark, a, b string, w int) string {
	left, right := columnWidths(w)
	return twoColumnLine(dc, dc.Fit(mark, markWidth)+a, b, left, right)
}

// runHeaderLine returns the name of a run and how it ended in w cells, and between them which run it is if
// there is room.
func runHeaderLine(dc *draw.Context, r compare.Run, which string, w int) string {
	name, end := dc.Title.Paint(draw.CleanLine(r.ID)), " "+resultLabel(dc, r)
	if r.Result == "" {
		at := ""
		if row := r.Track.DestinationOrCurrentRow(); row != nil {
			at = ", at " + draw.CleanLine(row.Label)
		}
		end = dc.Muted.Paint(" · not over" + at)
	}
	if whole := name + " " + which + end; dc.Width(whole) <= w {
		return whole
	}
	return name + end
}

// itemLine returns the line of an item.
func (v *View) itemLine(dc *draw.Context, it listItem, w int) string {
	left, right := columnWidths(w)
	switch it {
	case divergenceItem:
		return v.rowInColumns(dc, dc.Bold.Paint("≠"), departureText(dc, v.comparison.Divergence.A, left-markWidth), departureText(dc, v.comparison.Divergence.B, right), w)
	case endsItem:
		mark := ""
		if v.itemDiffers(endsItem) {
			mark = dc.Warn.Paint("~")
		}
		return v.rowInColumns(dc, mark, endText(dc, v.comparison.A), endText(dc, v.comparison.B), w)
	}
	p := v.comparison.Pairs[it]
	a, b := attemptText(dc, p.A, left-markWidth), attemptText(dc, p.B, right)
	switch {
	case p.B == nil:
		return v.rowInColumns(dc, dc.Fail.Paint("-"), a, "", w)
	case p.A == nil:
		return v.rowInColumns(dc, dc.Pass.Paint("+"), "", b, w)
	case len(p.Differences) > 0:
		return v.rowInColumns(dc, dc.Warn.Paint("~"), a, b, w)
	}
	return v.rowInColumns(dc, "", a, b, w)
}

// departureText returns where a run went where the paths diverge, and the route that it took if that fits into
// w cells.
func departureText(dc *draw.Context, t compare.Departure, w int) string {
	n := len(t.Decisions)
	if n == 0 {
		return dc.Bold.Paint(draw.CleanLine(t.NoDecisionReason))
	}
	last := t.Decisions[n-1]
	s := "→ "
	if last.Overridden {
		s = "⇢ ! "
	}
	route, destination := draw.CleanLine(last.RouteLabel()), last.Record.Destination
	if destination.Message != "" && strings.Contains(route, wording.Quote(destination.Message)) { // once is enough
		return dc.Bold.Paint(dc.Cut(s+wording.EndText(destination.Result, "")+"  "+route, w))
	}
	s += wording.DestinationText(last.Record)
	if whole := s + "  " + route; dc.Width(whole) <= w {
		s = whole
	}
	return dc.Bold.Paint(s)
}

// resultLabel returns the sign and the word for how a run ended or was left.
func resultLabel(dc *draw.Context, r compare.Run) string {
	if r.Track != nil && r.Track.Finished != nil && r.Track.Finished.IsPaused() {
		return dc.Muted.Paint("‖ " + track.EndWord(r.Track.Finished))
	}
	return dc.ResultLabel(r.Result)
}

// endText returns how a run ended, in one line.
func endText(dc *draw.Context, r compare.Run) string {
	if r.Result == "" {
		return dc.Muted.Paint("not over")
	}
	s := resultLabel(dc, r)
	if r.Message != "" {
		s += " " + wording.Quote(r.Message)
	}
	return s
}

// attemptText returns the outcome of an attempt, its step and its duration.
func attemptText(dc *draw.Context, attempt *compare.Attempt, w int) string {
	if attempt == nil {
		return ""
	}
	s := resultGlyph(dc, attempt.Result) + " " + draw.CleanLine(attempt.Step)
	if attempt.Title != "" && attempt.Title != attempt.Step {
		s += " " + draw.CleanLine(attempt.Title)
	}
	var right []string
	if attempt.Overridden || len(attempt.Interventions) > 0 {
		right = append(right, dc.Warn.Paint("!"))
	}
	if attempt.Number > 1 {
		right = append(right, dc.Muted.Paint(fmt.Sprintf("×%d", attempt.Number)))
	}
	took := ""
	if attempt.DurationMS != nil {
		took = wording.ColumnDuration(time.Duration(*attempt.DurationMS) * time.Millisecond)
	}
	return dc.LeftRight(s, draw.JoinWords(strings.Join(right, " "), dc.Muted.Paint(took)), w)
}

// resultGlyph returns the sign of an outcome.
func resultGlyph(dc *draw.Context, r plan.Result) string {
	switch r {
	case plan.Passed:
		return dc.Pass.Paint("✓")
	case plan.Failed, plan.Errored:
		return dc.Fail.Paint("✗")
	case plan.Skipped:
		return dc.Muted.Paint("–")
	}
	return dc.Text.Paint("•")
}
