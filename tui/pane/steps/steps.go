// Package steps is the pane with the steps: a tree in which groups can be folded.
package steps

import (
	"cmp"
	"slices"

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

// Pane is the tree of steps. Its selection can follow the run.
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
	upcomingInstance   cachedUpcomingInstance
	isFolded           map[*track.Row]bool
	rowsVersion        int // Track.RowsVersion when visibleRows were made; -1: they have to be made again
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
	return &Pane{followsRun: true, isFolded: map[*track.Row]bool{}, rowsVersion: -1, isStale: true}
}

// Resize implements pane.Pane.
func (sp *Pane) Resize(box layout.Rect) { sp.box, sp.isStale = box, true }

// Redraw makes the next View draw the pane again.
func (sp *Pane) Redraw() { sp.isStale = true }

// MarkUntakenRoutes marks steps with how many of their routes no run has taken. nil removes the marks.
func (sp *Pane) MarkUntakenRoutes(n map[*plan.Step]int) {
	if n != nil || sp.untakenRouteCounts != nil {
		sp.untakenRouteCounts, sp.isStale = n, true
	}
}

// FollowsRun reports whether the selection follows the run.
func (sp *Pane) FollowsRun() bool { return sp.followsRun }

// FollowRun lets the selection follow the run from now on.
func (sp *Pane) FollowRun() { sp.followsRun = true }

// UpcomingInstance returns the instance of a step that a paused run is about to enter.
func (sp *Pane) UpcomingInstance() cachedUpcomingInstance { return sp.upcomingInstance }

// Sync takes over the shown state of the run. If the selection follows the run, it selects RunPosition.
func (sp *Pane) Sync(run *runview.Run) {
	tr := run.ShownTrack
	if sp.track != tr {
		sp.switchTrack(tr)
	}
	next := run.ShownStatus().NextEvent
	if run.Status.State != engine.Paused {
		next = nil
	}
	sp.setUpcomingInstance(tr, next)
	sp.runPosition = cmp.Or(sp.nextRowToEnter(tr, next), wording.DecisiveFailureRow(tr), tr.CurrentRow)
	if sp.rowsVersion != tr.RowsVersion {
		sp.RebuildRows(tr)
	}
	if sp.labelAfterReload != "" && tr.Plan != sp.previousPlan {
		if row := tr.RowByLabel(sp.labelAfterReload); row != nil {
			sp.SelectRow(tr, row)
		}
		sp.labelAfterReload = ""
	}
	if sp.followsRun && sp.runPosition != nil {
		sp.RevealRow(tr, sp.runPosition)
	}
	sp.isStale = true
}

// nextRowToEnter returns the row that a paused run is about to enter, nil if there is none.
func (sp *Pane) nextRowToEnter(tr *track.Track, next *machine.Event) *track.Row {
	if next == nil {
		return nil
	}
	return cmp.Or(tr.RowOfEvent(*next), sp.upcomingInstance.Row)
}

// RunPosition returns the row that the run is at, is about to enter or failed at, nil before the run has begun.
func (sp *Pane) RunPosition() *track.Row { return sp.runPosition }

// RebuildRows lists the rows that are not folded away, and keeps the selection.
func (sp *Pane) RebuildRows(tr *track.Track) {
	selected := sp.SelectedRow()
	sp.visibleRows = sp.visibleRows[:0]
	sp.addVisibleRows(tr.Rows, 0)
	sp.rowsVersion = tr.RowsVersion
	sp.isStale = true
	for r := selected; r != nil; r = r.Parent {
		if i := sp.indexOf(r); i >= 0 {
			sp.selectedIndex = i
			return
		}
	}
	sp.selectedIndex = min(sp.selectedIndex, max(0, len(sp.visibleRows)-1))
}

// maxAlignedLabel is the maximum width of labels that are aligned.
const maxAlignedLabel = 5

// labelOffset is the column at which the label of a row starts, after the gutter and the status.
const labelOffset = 5

func (sp *Pane) addVisibleRows(rows []*track.Row, depth int) {
	rows = sp.upcomingInstance.InsertInto(rows)
	labels := labelColumnWidth(rows)
	for _, r := range rows {
		if r.IsHidden {
			continue
		}
		sp.visibleRows = append(sp.visibleRows, visibleRow{r, depth, labels})
		if sp.isUnfolded(r) {
			sp.addVisibleRows(r.Children, depth+1)
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
	return !isArm(r) && r.LocalLabel != "" && r.LocalLabel[0] >= '0' && r.LocalLabel[0] <= '9'
}

func isArm(r *track.Row) bool { return r.Step != nil && r.Step.IsArm() }

// isUnfolded reports whether the children of a row show. Those of an included document show at first once
// the run has reached it.
func (sp *Pane) isUnfolded(r *track.Row) bool {
	if folded, set := sp.isFolded[r]; set {
		return !folded
	}
	return r.IncludedDocument == nil || r.Status != track.Pending
}

func (sp *Pane) indexOf(r *track.Row) int {
	return slices.IndexFunc(sp.visibleRows, func(it visibleRow) bool { return it.row == r })
}

// SelectedRow returns the selected row, nil in an empty tree.
func (sp *Pane) SelectedRow() *track.Row {
	if sp.selectedIndex < len(sp.visibleRows) {
		return sp.visibleRows[sp.selectedIndex].row
	}
	return nil
}

// RevealRow selects a row and unfolds its groups. Unlike SelectRow, it does not change whether the selection follows the
// run.
func (sp *Pane) RevealRow(tr *track.Track, r *track.Row) {
	if sp.SelectedRow() == r {
		return
	}
	for p := r.Parent; p != nil; p = p.Parent {
		if !sp.isUnfolded(p) {
			sp.isFolded[p] = false
			sp.rowsVersion = -1
		}
	}
	if sp.rowsVersion != tr.RowsVersion {
		sp.RebuildRows(tr)
	}
	if i := sp.indexOf(r); i >= 0 {
		sp.selectedIndex = i
		sp.isStale = true
	}
}

// SelectIndex selects the row with an index. On the run's current row, the selection follows the run again.
func (sp *Pane) SelectIndex(to int) {
	sp.selectedIndex = min(max(0, to), max(0, len(sp.visibleRows)-1))
	sp.followsRun = sp.SelectedRow() == sp.runPosition
	sp.isStale = true
}

// SetFolded folds or unfolds the selected row. If there is nothing to fold, it selects the parent.
func (sp *Pane) SetFolded(tr *track.Track, folded bool) {
	r := sp.SelectedRow()
	if r == nil {
		return
	}
	if folded && (!HasChildren(r) || !sp.isUnfolded(r)) {
		if r.Parent != nil {
			sp.SelectIndex(sp.indexOf(r.Parent))
		}
		return
	}
	if !folded {
		tr.ExpandDocument(r)
		sp.upcomingInstance.ExpandDocument(r)
	}
	sp.isFolded[r] = folded
	sp.RebuildRows(tr)
}

// NoStepsMessage is what panes about a step show if the document has none.
const NoStepsMessage = "The document has no steps that can run. {why} to see the reason."

// Title returns the name of the pane, and how many steps are done if the document can run.
func (sp *Pane) Title(run *runview.Run) layout.PaneTitle {
	if !run.Plan.Runnable() {
		return layout.PaneTitle{Left: "STEPS"}
	}
	return layout.PaneTitle{Left: "STEPS", Right: run.DrawContext.Muted.Paint(wording.ProgressText(run.ShownTrack))}
}

// View implements pane.Pane.
func (sp *Pane) View(run *runview.Run) []string {
	dc, box := run.DrawContext, sp.box
	if !sp.isStale && len(sp.drawnLines) == box.H {
		return sp.drawnLines
	}
	at := sp.runPosition
	if run.ShownStatus().State == engine.Over {
		at = nil
	}
	sp.scrollToSelection(box.H)
	sp.drawnLines = make([]string, box.H)
	for i := range sp.drawnLines {
		if n := sp.topIndex + i; n < len(sp.visibleRows) {
			sp.drawnLines[i] = sp.rowLine(run, n, at)
		} else {
			sp.drawnLines[i] = cells.Spaces(box.W)
		}
	}
	if len(sp.visibleRows) == 0 && box.H > 0 {
		sp.drawnLines[0] = dc.Fit(dc.Muted.Paint("The document has no steps."), box.W)
	}
	sp.isStale = false
	return sp.drawnLines
}

// RowCount returns how many rows there are, without those in folded groups.
func (sp *Pane) RowCount() int { return len(sp.visibleRows) }

// Overflow returns how many rows are out of sight.
func (sp *Pane) Overflow(*runview.Run) layout.Overflow {
	return layout.OverflowOf(sp.topIndex, sp.box.H, len(sp.visibleRows))
}

// Update moves the selection and folds groups.
func (sp *Pane) Update(run *runview.Run, msg tea.Msg) (requests []tea.Msg, handled bool) {
	switch msg := msg.(type) {
	case pane.Move:
		sp.SelectIndex(sp.selectedIndex + msg.Lines)
		return nil, true
	case pane.Click:
		return sp.click(run, msg), true
	case pane.Action:
		switch {
		case msg.Name == "left" || msg.Name == "right":
			sp.SetFolded(run.ShownTrack, msg.Name == "left")
		case msg.Name == "open" && sp.SelectedRow() != nil && HasChildren(sp.SelectedRow()):
			sp.ToggleFold(run.ShownTrack)
		default:
			return nil, false
		}
		return nil, true
	}
	return nil, false
}

// click selects the row of a line. A click on the fold marker also folds or unfolds the row, and a double click acts
// like the key that opens a row.
func (sp *Pane) click(run *runview.Run, at pane.Click) []tea.Msg {
	n := sp.topIndex + at.Y
	if n < 0 || n >= len(sp.visibleRows) {
		return nil
	}
	sp.SelectIndex(n)
	marker := 2 + indentWidth(sp.visibleRows[n].depth, sp.box.W)
	switch {
	case at.X >= marker && at.X < marker+2 && HasChildren(sp.visibleRows[n].row):
		sp.ToggleFold(run.ShownTrack)
	case at.IsDouble:
		return []tea.Msg{request.PressKeyOf{Action: "open"}}
	}
	return nil
}

// ToggleFold folds or unfolds the selected row.
func (sp *Pane) ToggleFold(tr *track.Track) { sp.SetFolded(tr, sp.isUnfolded(sp.SelectedRow())) }

// SelectRow selects a row and unfolds its groups. On the run's current row, the selection follows the run.
func (sp *Pane) SelectRow(tr *track.Track, r *track.Row) {
	sp.RevealRow(tr, r)
	sp.followsRun = r == sp.runPosition
}

// SelectAfterReload selects a step of the next version of the document, by its label, once the run uses that
// version.
func (sp *Pane) SelectAfterReload(label string) {
	sp.labelAfterReload, sp.previousPlan = label, sp.track.Plan
}

// switchTrack changes to the track of another moment of the run, and selects its first row. Folded rows stay folded.
func (sp *Pane) switchTrack(tr *track.Track) {
	isFolded := map[*track.Row]bool{}
	for r, folded := range sp.isFolded {
		if r := tr.RowByLabel(r.Label); r != nil {
			isFolded[r] = folded
		}
	}
	sp.track, sp.isFolded = tr, isFolded
	sp.visibleRows, sp.selectedIndex, sp.rowsVersion, sp.followsRun, sp.upcomingInstance = nil, 0, -1, true, cachedUpcomingInstance{}
}

// scrollToSelection keeps the selection in sight, with a line above and below it if possible. While the
// selection follows the run, more lines below it show.
func (sp *Pane) scrollToSelection(h int) {
	ahead := 1
	if sp.followsRun {
		ahead = max(1, h/4)
	}
	sp.topIndex = min(sp.topIndex, max(0, sp.selectedIndex-1))
	sp.topIndex = max(sp.topIndex, min(sp.selectedIndex+1+ahead, len(sp.visibleRows))-h)
	sp.topIndex = max(0, min(sp.topIndex, len(sp.visibleRows)-h))
}

// cachedUpcomingInstance is the instance of a step that a paused run is about to enter.
type cachedUpcomingInstance struct {
	track.UpcomingInstance
	eventCount int // the number of the track's events when it was computed
}

// setUpcomingInstance updates the upcoming instance for the next event of a paused run, nil if the run is not
// paused.
func (sp *Pane) setUpcomingInstance(tr *track.Track, n *machine.Event) {
	old := sp.upcomingInstance
	switch {
	case n == nil:
		sp.upcomingInstance = cachedUpcomingInstance{}
	case old.Row == nil || old.Row.Label != n.Step || old.eventCount != tr.EventCount:
		sp.upcomingInstance = cachedUpcomingInstance{tr.UpcomingInstance(*n), tr.EventCount}
	}
	if sp.upcomingInstance.Row != old.Row {
		sp.rowsVersion = -1
	}
}
