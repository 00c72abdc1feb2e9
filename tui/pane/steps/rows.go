package steps

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/cells"
	"playhead/tui/dialog/breakpoints"
	"playhead/tui/draw"
	"playhead/tui/layout"
	"playhead/tui/runview"
)

// rowLine draws the visible row with index n. at is the row of the run's position, nil if the run is over.
func (sp *Pane) rowLine(run *runview.Run, n int, at *track.Row) string {
	dc, w, it := run.DrawContext, sp.box.W, sp.visibleRows[n]
	selected := draw.SelectionOf(n == sp.selectedIndex, run.Focus == layout.StepsPane)
	gutter := dc.Gutter(selected, breakpoints.SignAt(dc, run.Breakpoints, it.row), it.row == at)
	indent := cells.Spaces(indentWidth(it.depth, w))
	label := labelAndTitle(dc, it, at)
	room := w - labelOffset - len(indent) - dc.Width(label) - 1
	details := func(withTime bool) string {
		return rowDetails(dc, it.row, room, run.ShownTime, withTime && sp.areTimesShown(dc, w))
	}
	sign, right := dc.StatusGlyph(it.row), sp.detailsWithUntaken(dc, it.row, details, room)
	if HasChildren(it.row) {
		if it.row.Status != track.Pending {
			right = draw.JoinWords(sign, right) // so that the times of all rows stay at the right end
		}
		sign = sp.foldSign(dc, it.row)
	}
	s := dc.LeftRight(gutter+indent+sign+" "+sp.search.HighlightMatches(dc, label, n == sp.selectedIndex), right, w)
	return dc.HighlightRow(s, w, selected)
}

// detailsWithUntaken returns the right end of a row: how many of its routes no run has taken, then the details. If there
// is no room beside the title, it leaves out the time, and then shows only the number of routes.
func (sp *Pane) detailsWithUntaken(dc *draw.Context, r *track.Row, details func(withTime bool) string, room int) string {
	n := sp.untakenRouteCounts[r.Step]
	if n == 0 || r.IsHidden {
		return details(true)
	}
	if HasChildren(r) {
		room -= 2 // for the sign of its status
	}
	for _, withTime := range []bool{true, false} {
		if text := draw.JoinWords(dc.Muted.Paint(fmt.Sprintf("%d untaken", n)), details(withTime)); dc.Width(text) <= room {
			return text
		}
	}
	return draw.JoinWords(dc.Muted.Paint(fmt.Sprintf("(%d)", n)), details(false))
}

// WidestRowWidth returns the width of the widest row, among those of at most maxWidth cells, with the step's time if it
// fits. Folded rows count, so that the column does not change when somebody folds.
func (sp *Pane) WidestRowWidth(dc *draw.Context, maxWidth int) int {
	if sp.track == nil {
		return 0
	}
	if w := sp.widestRow; w.track != sp.track || w.rowsVersion != sp.rowsVersion || w.maxWidth != maxWidth {
		sp.widestRow = widestRow{sp.track, sp.rowsVersion, maxWidth, widestRowWidthOf(dc, sp.track.Rows, 0, maxWidth)}
	}
	return sp.widestRow.width
}

// widestRow caches a row width, with what it was computed for.
type widestRow struct {
	track                        *track.Track
	rowsVersion, maxWidth, width int
}

// stepTimeWidth is the number of cells for the time of a step, with a blank before it: 00:07.
const stepTimeWidth = 6

func widestRowWidthOf(dc *draw.Context, rows []*track.Row, depth, maxWidth int) (width int) {
	labels := labelColumnWidth(rows)
	for _, r := range rows {
		n := labelOffset + 2*depth + dc.Width(labelAndTitle(dc, visibleRow{r, depth, labels}, nil))
		if r.IsExecutable() && n+stepTimeWidth <= maxWidth {
			n += stepTimeWidth
		}
		if n <= maxWidth && !r.IsHidden {
			width = max(width, n)
		}
		width = max(width, widestRowWidthOf(dc, r.Children, depth+1, maxWidth))
	}
	return width
}

// areTimesShown reports whether a pane of w cells shows how long steps took. If a title would be cut for that, no
// step shows its time, because a column with gaps misleads.
func (sp *Pane) areTimesShown(dc *draw.Context, w int) bool {
	if sp.track == nil {
		return false
	}
	if c := sp.timesShown; c.track != sp.track || c.rowsVersion != sp.rowsVersion || c.width != w {
		sp.timesShown = timesShown{sp.track, sp.rowsVersion, w, timesFit(dc, sp.track.Rows, 0, w)}
	}
	return sp.timesShown.isShown
}

// timesShown caches whether times show, with what it was computed for.
type timesShown struct {
	track              *track.Track
	rowsVersion, width int
	isShown            bool
}

// timesFit reports whether the times of rows fit beside all titles that fit themselves.
func timesFit(dc *draw.Context, rows []*track.Row, depth, w int) bool {
	labels := labelColumnWidth(rows)
	for _, r := range rows {
		n := labelOffset + indentWidth(depth, w) + dc.Width(labelAndTitle(dc, visibleRow{r, depth, labels}, nil))
		if takesTime(r) && n <= w && n+stepTimeWidth > w || !timesFit(dc, r.Children, depth+1, w) {
			return false
		}
	}
	return true
}

// takesTime reports whether a row has an action that is more than a question.
func takesTime(r *track.Row) bool {
	return r.IsExecutable() && !r.IsHidden && slices.ContainsFunc(r.Step.Actions, func(a plan.Action) bool {
		switch a.Work.(type) {
		case plan.Ask, plan.Decide, plan.JudgeOnly:
			return false
		}
		return true
	})
}

// HasChildren reports whether a row has rows below it, or a document that is included there but not opened yet.
func HasChildren(r *track.Row) bool {
	return len(r.Children) > 0 || r.IncludedDocument != nil && r.IncludedDocument.Plan != nil
}

// indentWidth returns how many cells a row of a pane of w cells is indented.
func indentWidth(depth, w int) int { return min(2*depth, w/3) }

// foldSign returns the fold marker of a row with children. The sign of its status is at the right end instead.
func (sp *Pane) foldSign(dc *draw.Context, r *track.Row) string {
	if sp.isUnfolded(r) {
		return dc.Muted.Paint("▾")
	}
	return dc.Muted.Paint("▸")
}

// labelAndTitle returns a row's label and title, painted. at is the row of the run's position.
func labelAndTitle(dc *draw.Context, it visibleRow, at *track.Row) string {
	r := it.row
	s := treeLabel(r)
	if isArm(r) {
		s = draw.StepName(r)
	}
	if pad := it.labelColumnWidth - len(r.LocalLabel); pad > 0 && hasNumberLabel(r) {
		s += cells.Spaces(pad)
	}
	if r.Title != r.LocalLabel && !isArm(r) && !strings.EqualFold(r.Title, treeLabel(r)) {
		s += " " + draw.CleanLine(r.Title)
	}
	switch {
	case r == at || r.Status == track.Waiting:
		return dc.Bold.Paint(s)
	case r.Status == track.Pending && (r.IsTargetOnly() || r.IsTemplate), r.Status == track.Skipped, r.Status == track.LeftUndecided:
		return dc.Muted.Paint(s)
	}
	return s
}

// treeLabel returns a row's label in the tree. Below a phase it leaves out the label of the phase.
func treeLabel(r *track.Row) string {
	if p := r.Parent; p != nil && p.IsPhase() {
		rest, ok := strings.CutPrefix(r.LocalLabel, p.LocalLabel)
		if ok && len(rest) > 1 && strings.ContainsRune(".-_/:", rune(rest[0])) {
			return draw.CleanLine(rest[1:])
		}
	}
	return draw.CleanLine(r.LocalLabel)
}

// rowDetails returns the right end of a row: changed by a person, warning, the number of attempts, and what is known
// about the last one. The number is left out only where the name is whole without it.
func rowDetails(dc *draw.Context, r *track.Row, room int, now time.Time, withTime bool) string {
	s := ""
	if r.IsChangedByPerson() {
		s = dc.Warn.Paint("!")
	}
	if r.HasWarnings() {
		s = draw.JoinWords(s, dc.Warn.Paint("△"))
	}
	details := addAttemptDetails(dc, s, r, room, now, withTime)
	if n := r.TotalAttempts(); n > 1 && r.Status != track.Pending {
		s = draw.JoinWords(s, dc.Muted.Paint(fmt.Sprintf("×%d", n)))
		if all := addAttemptDetails(dc, s, r, room, now, withTime); dc.Width(all) <= room || dc.Width(details) > room {
			return all
		}
	}
	return details
}

// addAttemptDetails adds the time of a row if withTime is set, and other texts as far as they fit beside the name. It
// cuts answers.
func addAttemptDetails(dc *draw.Context, s string, r *track.Row, room int, now time.Time, withTime bool) string {
	took := ""
	if withTime && r.Status.IsOver() && r.IsExecutable() {
		took = wording.ColumnDuration(r.Duration)
	}
	if took != "" {
		room -= stepTimeWidth
	}
	answer := answerText(r)
	switch by := draw.AnsweredBy(r); {
	case answer != "":
		if s != "" {
			room -= dc.Width(s) + 1
		}
		if room >= minAnswerWidth {
			s = draw.JoinWords(s, dc.Person.Paint(dc.Cut(answer, room)))
		}
		s = draw.JoinWords(s, dc.Muted.Paint(took))
	case r.Status.IsOver() && (wording.PreparedByText(by) != "" || r.HasManualReply() && !r.IsChangedByPerson()):
		s = draw.JoinWords(s, dc.Muted.Paint(by))
	case r.Status == track.Running && r.IsExecutable():
		if call := r.NewestStepAttempt().RunningCall(); call != nil {
			s = addIfFits(dc, s, dc.Muted.Paint(draw.CleanLine(call.Tool)), room)
		}
		if withTime && r.IsExecuting() {
			s = addIfFits(dc, s, dc.Focus.Paint(wording.RunningDuration(r.Elapsed(now))), room)
		}
	case took != "":
		s = draw.JoinWords(s, dc.Muted.Paint(took))
	case r.Status == track.Pending && r.IsTargetOnly():
		if word := targetOnlyText(r); ansi.StringWidth(word) <= room {
			s = draw.JoinWords(s, dc.Muted.Paint(word))
		}
	case r.Status == track.Pending && r.IsTemplate:
		s = draw.JoinWords(s, dc.Muted.Paint("dynamic"))
	}
	return s
}

// addIfFits adds a text if both texts fit in room cells.
func addIfFits(dc *draw.Context, s, text string, room int) string {
	if both := draw.JoinWords(s, text); dc.Width(both) <= room {
		return both
	}
	return s
}

// answerText returns the answer that decided a step that has ended or set its value, "" if there is none.
func answerText(r *track.Row) string {
	if !r.Status.IsOver() || r.Overridden {
		return ""
	}
	if q := r.NewestStepAttempt().DecidingQuestion(); q != nil {
		return "› " + wording.AnswerText(q)
	}
	return ""
}

// minAnswerWidth is the minimum number of cells in which an answer shows: its mark, cut off.
const minAnswerWidth = 2

// targetOnlyText returns a word for a row that is reached only by a route: "named", or for a step of a flow the
// brief description from its format.
func targetOnlyText(r *track.Row) string {
	if len(r.Step.FlowEdges) > 0 || r.Step.TitleNote != "" {
		return sanitize.Plain(r.Step.TitleNote)
	}
	return "named"
}
