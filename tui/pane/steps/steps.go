// Package steps is the pane with the steps: a tree in which groups can be folded.
package steps

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/cells"
	"playhead/tui/layout"
	"playhead/tui/pane"
	"playhead/tui/request"
	"playhead/tui/runview"
	"playhead/tui/search"
)

// Pane implements pane.Pane.
type Pane struct {
	box                layout.Rect
	track              *track.Track // the track of the rows
	visibleRows        []visibleRow
	selectedIndex      int
	topIndex           int
	untakenRouteCounts map[*plan.Step]int // counts of routes that no run has taken; nil: not marked
	followsRun         bool               // the selection follows the run
	labelAfterReload   string             // the step to select in the next version of the document; "": none
	previousPlan       *plan.Plan         // the version before that
	runPosition        *track.Row         // where the run is
	upcomingInstance   UpcomingInstance
	isFolded           map[*track.Row]bool
	rowsShape          int // the shape of the track when visibleRows were made
	widestRow          widestRow
	timesShown         timesShown
	search             *search.Search // its matches are highlighted
	drawnLines         []string
	isStale            bool // lines must be drawn again
}

// visibleRow is a row that is not folded away, and how it is aligned.
type visibleRow struct {
	row              *track.Row
	depth            int
	labelColumnWidth int // width of the column of labels
}

// New returns a pane that follows the run.
func New() *Pane {
	return &Pane{followsRun: true, isFolded: map[*track.Row]bool{}, rowsShape: -1, isStale: true}
}

// Resize implements pane.Pane.
func (t *Pane) Resize(box layout.Rect) { t.box, t.isStale = box, true }

// Redraw makes the next View draw the pane again.
func (t *Pane) Redraw() { t.isStale = true }

// MarkUntakenRoutes marks the steps with routes that no run has taken, nil for none.
func (t *Pane) MarkUntakenRoutes(n map[*plan.Step]int) {
	if n != nil || t.untakenRouteCounts != nil {
		t.untakenRouteCounts, t.isStale = n, true
	}
}

// FollowsRun reports whether the selection follows the run.
func (t *Pane) FollowsRun() bool { return t.followsRun }

// FollowRun lets the selection follow the run from now on.
func (t *Pane) FollowRun() { t.followsRun = true }

// UpcomingInstance returns the instance of a step that a paused run is about to enter.
func (t *Pane) UpcomingInstance() UpcomingInstance { return t.upcomingInstance }

// Sync takes over the state of the run. If the selection follows the run, it selects the current step or,
// after the end, the step that failed.
func (t *Pane) Sync(run *runview.Run) {
	tr := run.ShownTrack
	if t.track != tr {
		t.switchTrack(tr)
	}
	next := run.ShownStatus().NextEvent
	if run.Status.State != engine.Paused {
		next = nil
	}
	t.setUpcomingInstance(tr, next)
	t.runPosition = cmp.Or(t.nextRowToEnter(tr, next), wording.DecisiveFailureRow(tr), tr.CurrentRow)
	if t.rowsShape != tr.RowsVersion {
		t.RebuildRows(tr)
	}
	if t.labelAfterReload != "" && tr.Plan != t.previousPlan {
		if row := tr.RowByLabel(t.labelAfterReload); row != nil {
			t.SelectRow(tr, row)
		}
		t.labelAfterReload = ""
	}
	if t.followsRun && t.runPosition != nil {
		t.RevealRow(tr, t.runPosition)
	}
	t.isStale = true
}

// nextRowToEnter returns the row that a paused run is about to enter, nil if there is none.
func (t *Pane) nextRowToEnter(tr *track.Track, next *machine.Event) *track.Row {
	if next == nil {
		return nil
	}
	return cmp.Or(tr.RowByLabel(next.Step), t.upcomingInstance.Row)
}

// RunPosition returns the row that the run is at, is about to enter or failed at, nil before the run has begun.
func (t *Pane) RunPosition() *track.Row { return t.runPosition }

// RebuildRows lists the rows that are not folded away, and keeps the selection.
func (t *Pane) RebuildRows(tr *track.Track) {
	selected := t.SelectedRow()
	t.visibleRows = t.visibleRows[:0]
	t.addVisibleRows(tr.Rows, 0)
	t.rowsShape = tr.RowsVersion
	t.isStale = true
	for r := selected; r != nil; r = r.Parent {
		if i := t.indexOf(r); i >= 0 {
			t.selectedIndex = i
			return
		}
	}
	t.selectedIndex = min(t.selectedIndex, max(0, len(t.visibleRows)-1))
}

// maxAlignedLabel is the maximum width of labels that are aligned.
const maxAlignedLabel = 5

// labelOffset is the column at which the label of a row starts, after the gutter and the status.
const labelOffset = 5

func (t *Pane) addVisibleRows(rows []*track.Row, depth int) {
	rows = t.upcomingInstance.InsertInto(rows)
	labels := labelColumnWidth(rows)
	for _, r := range rows {
		if r.IsHidden {
			continue
		}
		t.visibleRows = append(t.visibleRows, visibleRow{r, depth, labels})
		if t.isUnfolded(r) {
			t.addVisibleRows(r.Children, depth+1)
		}
	}
}

// labelColumnWidth returns the width of the column of labels that are aligned.
func labelColumnWidth(rows []*track.Row) int {
	labels := 1
	for _, r := range rows {
		if n := len(r.LocalLabel); n <= maxAlignedLabel && !r.IsHidden && hasNumberLabel(r) {
			labels = max(labels, n)
		}
	}
	return labels
}

// hasNumberLabel reports whether a row's label is a number. Only such labels are aligned.
func hasNumberLabel(r *track.Row) bool {
	return !isBranch(r) && r.LocalLabel != "" && r.LocalLabel[0] >= '0' && r.LocalLabel[0] <= '9'
}

func isBranch(r *track.Row) bool { return r.Step != nil && r.Step.IsArm() }

// isUnfolded reports whether the children of a row show. Those of an included document show at first once
// the run has reached it.
func (t *Pane) isUnfolded(r *track.Row) bool {
	if folded, set := t.isFolded[r]; set {
		return !folded
	}
	return r.IncludedDocument == nil || r.Status != track.Pending
}

func (t *Pane) indexOf(r *track.Row) int {
	for i := range t.visibleRows {
		if t.visibleRows[i].row == r {
			return i
		}
	}
	return -1
}

// SelectedRow returns the selected row, nil in an empty tree.
func (t *Pane) SelectedRow() *track.Row {
	if t.selectedIndex < len(t.visibleRows) {
		return t.visibleRows[t.selectedIndex].row
	}
	return nil
}

// RevealRow selects a row and unfolds its groups.
func (t *Pane) RevealRow(tr *track.Track, r *track.Row) {
	if t.SelectedRow() == r {
		return
	}
	for p := r.Parent; p != nil; p = p.Parent {
		if !t.isUnfolded(p) {
			t.isFolded[p] = false
			t.rowsShape = -1
		}
	}
	if t.rowsShape != tr.RowsVersion {
		t.RebuildRows(tr)
	}
	if i := t.indexOf(r); i >= 0 {
		t.selectedIndex = i
		t.isStale = true
	}
}

// SelectIndex selects the row with an index. On the run's current row, the selection follows the run again.
func (t *Pane) SelectIndex(to int) {
	t.selectedIndex = min(max(0, to), max(0, len(t.visibleRows)-1))
	t.followsRun = t.SelectedRow() == t.runPosition
	t.isStale = true
}

// SetFolded folds or unfolds the selected row. If there is nothing to fold, it selects the parent.
func (t *Pane) SetFolded(tr *track.Track, closed bool) {
	r := t.SelectedRow()
	if r == nil {
		return
	}
	if closed && (!HasChildren(r) || !t.isUnfolded(r)) {
		if r.Parent != nil {
			t.SelectIndex(t.indexOf(r.Parent))
		}
		return
	}
	if !closed {
		tr.ExpandDocument(r)
		t.upcomingInstance.ExpandDocument(r)
	}
	t.isFolded[r] = closed
	t.RebuildRows(tr)
}

// NoStepsMessage is what panes about a step show if the document has none.
const NoStepsMessage = "The document has no steps that can run. {why} to see the reason."

// Title returns the name of the pane, and how many steps are done if the document can run.
func (t *Pane) Title(run *runview.Run) layout.PaneTitle {
	if !run.Plan.Runnable() {
		return layout.PaneTitle{Left: "STEPS"}
	}
	return layout.PaneTitle{Left: "STEPS", Right: run.DrawContext.Muted.Paint(wording.ProgressText(run.ShownTrack))}
}

// View implements pane.Pane.
func (t *Pane) View(run *runview.Run) []string {
	dc, box := run.DrawContext, t.box
	if !t.isStale && len(t.drawnLines) == box.H {
		return t.drawnLines
	}
	at := t.runPosition
	if run.ShownStatus().State == engine.Over {
		at = nil
	}
	t.scrollToSelection(box.H)
	t.drawnLines = make([]string, box.H)
	for i := range t.drawnLines {
		if n := t.topIndex + i; n < len(t.visibleRows) {
			t.drawnLines[i] = t.rowLine(run, n, at)
		} else {
			t.drawnLines[i] = cells.Spaces(box.W)
		}
	}
	if len(t.visibleRows) == 0 && box.H > 0 {
		t.drawnLines[0] = dc.Fit(dc.Muted.Paint("The document has no steps."), box.W)
	}
	t.isStale = false
	return t.drawnLines
}

// RowCount returns how many rows there are, without those in folded groups.
func (t *Pane) RowCount() int { return len(t.visibleRows) }

// Overflow returns how many rows are out of sight.
func (t *Pane) Overflow(*runview.Run) layout.Overflow {
	return layout.OverflowOf(t.topIndex, t.box.H, len(t.visibleRows))
}

// Update moves the selection and folds groups.
func (t *Pane) Update(run *runview.Run, msg tea.Msg) (requests []tea.Msg, handled bool) {
	switch msg := msg.(type) {
	case pane.Move:
		t.SelectIndex(t.selectedIndex + msg.Lines)
		return nil, true
	case pane.Click:
		return t.click(run, msg), true
	case pane.Action:
		switch {
		case msg.Name == "left" || msg.Name == "right":
			t.SetFolded(run.ShownTrack, msg.Name == "left")
		case msg.Name == "open" && t.SelectedRow() != nil && HasChildren(t.SelectedRow()):
			t.ToggleFold(run.ShownTrack)
		default:
			return nil, false
		}
		return nil, true
	}
	return nil, false
}

// click selects the row of a line. A click on the fold marker folds or unfolds it, and a double click opens
// it.
func (t *Pane) click(run *runview.Run, at pane.Click) []tea.Msg {
	n := t.topIndex + at.Y
	if n < 0 || n >= len(t.visibleRows) {
		return nil
	}
	t.SelectIndex(n)
	marker := 2 + 2*t.visibleRows[n].depth
	switch {
	case at.X >= marker && at.X < marker+2 && HasChildren(t.visibleRows[n].row):
		t.ToggleFold(run.ShownTrack)
	case at.IsDouble:
		return []tea.Msg{request.PressKeyOf{Action: "open"}}
	}
	return nil
}

// ToggleFold folds or unfolds the selected row.
func (t *Pane) ToggleFold(tr *track.Track) { t.SetFolded(tr, t.isUnfolded(t.SelectedRow())) }

// SelectRow selects a row and unfolds its groups. On the run's current row, the selection follows the run.
func (t *Pane) SelectRow(tr *track.Track, r *track.Row) {
	t.RevealRow(tr, r)
	t.followsRun = r == t.runPosition
}

// SelectAfterReload selects a step of the next version of the document, by its label, once the run uses that
// version.
func (t *Pane) SelectAfterReload(label string) {
	t.labelAfterReload, t.previousPlan = label, t.track.Plan
}

// switchTrack changes to the track of another moment of the run. Folded rows stay folded.
func (t *Pane) switchTrack(tr *track.Track) {
	folded := map[*track.Row]bool{}
	for r, closed := range t.isFolded {
		if r := tr.RowByLabel(r.Label); r != nil {
			folded[r] = closed
		}
	}
	t.track, t.isFolded = tr, folded
	t.visibleRows, t.selectedIndex, t.rowsShape, t.followsRun, t.upcomingInstance = nil, 0, -1, true, UpcomingInstance{}
}

// scrollToSelection keeps the selection in sight, with a line above and below it if possible. While the
// selection follows the run, more lines below it show.
func (t *Pane) scrollToSelection(h int) {
	ahead := 1
	if t.followsRun {
		ahead = max(1, h/4)
	}
	t.topIndex = min(t.topIndex, max(0, t.selectedIndex-1))
	t.topIndex = max(t.topIndex, min(t.selectedIndex+1+ahead, len(t.visibleRows))-h)
	t.topIndex = max(0, min(t.topIndex, len(t.visibleRows)-h))
}

// UpcomingInstance is the instance of a step that a paused run is about to enter.
type UpcomingInstance struct {
	track.Upcoming
	eventCount int // the number of the track's events when it was computed
}

// setUpcomingInstance updates the upcoming instance for the next event of a paused run, nil if the run is not
// paused.
func (t *Pane) setUpcomingInstance(tr *track.Track, n *machine.Event) {
	old := t.upcomingInstance
	switch {
	case n == nil:
		t.upcomingInstance = UpcomingInstance{}
	case old.Row == nil || old.Row.Label != n.Step || old.eventCount != tr.EventCount:
		t.upcomingInstance = UpcomingInstance{tr.Upcoming(*n), tr.EventCount}
	}
	if t.upcomingInstance.Row != old.Row {
		t.rowsShape = -1
	}
}
