// Package steps is the pane with the steps: a tree in which groups can be folded.
package steps

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/cells"
	"playhead/tui/dialog/breakpoints"
	"playhead/tui/draw"
	"playhead/tui/pane"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/runview"
	"playhead/tui/search"
)

// Pane implements pane.Pane.
type Pane struct {
	box           panes.Rect
	track         *track.Track // the track of the rows
	items         []item
	sel           int
	top           int
	untakenRoutes map[*plan.Step]int // counts of routes that no run has taken; nil: not marked
	follow        bool               // the selection follows the run
	next          string             // the step to select in the next version of the document; "": none
	before        *plan.Plan         // the version before that
	position      *track.Row         // where the run is
	upcoming      Upcoming
	folded        map[*track.Row]bool
	shape         int // the shape of the track when items were made
	widest        widest
	search        *search.Search // its matches are highlighted
	lines         []string
	stale         bool // lines must be drawn again
}

// item is a row that is not folded away, and how it is aligned.
type item struct {
	row    *track.Row
	depth  int
	labels int // width of the column of labels
}

// New returns a pane that follows the run.
func New() *Pane { return &Pane{follow: true, folded: map[*track.Row]bool{}, shape: -1, stale: true} }

// Resize implements pane.Pane.
func (t *Pane) Resize(box panes.Rect) { t.box, t.stale = box, true }

// Redraw makes the next View draw the pane again.
func (t *Pane) Redraw() { t.stale = true }

// SetUntaken marks the steps with routes that no run has taken, nil for none.
func (t *Pane) SetUntaken(n map[*plan.Step]int) {
	if n != nil || t.untakenRoutes != nil {
		t.untakenRoutes, t.stale = n, true
	}
}

// Follows reports whether the selection follows the run.
func (t *Pane) Follows() bool { return t.follow }

// Follow lets the selection follow the run from now on.
func (t *Pane) Follow() { t.follow = true }

// Upcoming returns the instance of a step that a paused run is about to enter.
func (t *Pane) Upcoming() Upcoming { return t.upcoming }

// Sync takes over the state of the run. If the selection follows the run, it selects the current step or,
// after the end, the step that failed.
func (t *Pane) Sync(run *runview.Run) {
	tr := run.Shown
	if t.track != tr {
		t.show(tr)
	}
	next := run.ShownStatus().NextEvent
	if run.Status.State != engine.Paused {
		next = nil
	}
	t.setUpcoming(tr, next)
	t.position = cmp.Or(t.nextRow(tr, next), wording.Cause(tr), tr.Current)
	if t.shape != tr.Shape {
		t.Refold(tr)
	}
	if t.next != "" && tr.Plan != t.before {
		if row := tr.Row(t.next); row != nil {
			t.Select(tr, row)
		}
		t.next = ""
	}
	if t.follow && t.position != nil {
		t.Choose(tr, t.position)
	}
	t.stale = true
}

// nextRow returns the row that a paused run is about to enter, nil if there is none.
func (t *Pane) nextRow(tr *track.Track, next *machine.Event) *track.Row {
	if next == nil {
		return nil
	}
	return cmp.Or(tr.Row(next.Step), t.upcoming.At)
}

// At returns the row that the run is at, is about to enter or failed at, nil before the run has begun.
func (t *Pane) At() *track.Row { return t.position }

// Refold lists the rows that are not folded away, and keeps the selection.
func (t *Pane) Refold(tr *track.Track) {
	selected := t.Selected()
	t.items = t.items[:0]
	t.list(tr.Rows, 0)
	t.shape = tr.Shape
	t.stale = true
	for r := selected; r != nil; r = r.Parent {
		if i := t.find(r); i >= 0 {
			t.sel = i
			return
		}
	}
	t.sel = min(t.sel, max(0, len(t.items)-1))
}

// shortLabel is the maximum width of labels that are aligned.
const shortLabel = 5

// before is the number of cells before the label of a row: the marks of the gutter and the status.
const before = 5

func (t *Pane) list(rows []*track.Row, depth int) {
	rows = t.upcoming.InsertInto(rows)
	labels := labelsOf(rows)
	for _, r := range rows {
		if r.Hidden {
			continue
		}
		t.items = append(t.items, item{r, depth, labels})
		if t.open(r) {
			t.list(r.Children, depth+1)
		}
	}
}

// labelsOf returns the width of the column of labels that are aligned.
func labelsOf(rows []*track.Row) int {
	labels := 1
	for _, r := range rows {
		if n := len(r.Local); n <= shortLabel && !r.Hidden && numbered(r) {
			labels = max(labels, n)
		}
	}
	return labels
}

// numbered reports whether a row's label is a number. Only such labels are aligned.
func numbered(r *track.Row) bool {
	return !isBranch(r) && r.Local != "" && r.Local[0] >= '0' && r.Local[0] <= '9'
}

func isBranch(r *track.Row) bool { return r.Step != nil && r.Step.IsArm() }

// open reports whether the children of a row show. Those of an included document show at first once the run
// has reached it.
func (t *Pane) open(r *track.Row) bool {
	if folded, set := t.folded[r]; set {
		return !folded
	}
	return r.Doc == nil || r.Status != track.Pending
}

func (t *Pane) find(r *track.Row) int {
	for i := range t.items {
		if t.items[i].row == r {
			return i
		}
	}
	return -1
}

// Selected returns the selected row, nil in an empty tree.
func (t *Pane) Selected() *track.Row {
	if t.sel < len(t.items) {
		return t.items[t.sel].row
	}
	return nil
}

// Choose selects a row and unfolds its groups.
func (t *Pane) Choose(tr *track.Track, r *track.Row) {
	if t.Selected() == r {
		return
	}
	for p := r.Parent; p != nil; p = p.Parent {
		if !t.open(p) {
			t.folded[p] = false
			t.shape = -1
		}
	}
	if t.shape != tr.Shape {
		t.Refold(tr)
	}
	if i := t.find(r); i >= 0 {
		t.sel = i
		t.stale = true
	}
}

// Move selects the row with an index. On the run's current row, the selection follows the run again.
func (t *Pane) Move(to int) {
	t.sel = min(max(0, to), max(0, len(t.items)-1))
	t.follow = t.Selected() == t.position
	t.stale = true
}

// Fold folds or unfolds the selected row. If there is nothing to fold, it selects the parent.
func (t *Pane) Fold(tr *track.Track, closed bool) {
	r := t.Selected()
	if r == nil {
		return
	}
	if closed && (!HasChildren(r) || !t.open(r)) {
		if r.Parent != nil {
			t.Move(t.find(r.Parent))
		}
		return
	}
	if !closed {
		tr.Expand(r)
		t.upcoming.Expand(r)
	}
	t.folded[r] = closed
	t.Refold(tr)
}

// NoSteps is what panes about a step show if the document has none.
const NoSteps = "The document has no steps that can run. {why} to see the reason."

// Title returns the name of the pane, and how many steps are done if the document can run.
func (t *Pane) Title(run *runview.Run) panes.Title {
	if !run.Plan.Runnable() {
		return panes.Title{Left: "STEPS"}
	}
	return panes.Title{Left: "STEPS", Right: run.Look.Muted.Paint(wording.Progress(run.Shown))}
}

// View implements pane.Pane.
func (t *Pane) View(run *runview.Run) []string {
	l, box := run.Look, t.box
	if !t.stale && len(t.lines) == box.H {
		return t.lines
	}
	at := t.position
	if run.ShownStatus().State == engine.Over {
		at = nil
	}
	t.scroll(box.H)
	t.lines = make([]string, box.H)
	for i := range t.lines {
		if n := t.top + i; n < len(t.items) {
			t.lines[i] = t.line(run, n, at)
		} else {
			t.lines[i] = cells.Spaces(box.W)
		}
	}
	if len(t.items) == 0 && box.H > 0 {
		t.lines[0] = l.Fit(l.Muted.Paint("There are none."), box.W)
	}
	t.stale = false
	return t.lines
}

// Overflow returns how many rows are out of sight.
func (t *Pane) Overflow(*runview.Run) panes.Overflow {
	return panes.Outside(t.top, t.box.H, len(t.items))
}

// Update moves the selection and folds groups.
func (t *Pane) Update(run *runview.Run, msg tea.Msg) (requests []tea.Msg, handled bool) {
	switch msg := msg.(type) {
	case pane.Move:
		t.Move(t.sel + msg.By)
		return nil, true
	case pane.Click:
		return t.click(run, msg), true
	case pane.Action:
		switch {
		case msg.Name == "left" || msg.Name == "right":
			t.Fold(run.Shown, msg.Name == "left")
		case msg.Name == "open" && t.Selected() != nil && HasChildren(t.Selected()):
			t.Toggle(run.Shown)
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
	n := t.top + at.Y
	if n < 0 || n >= len(t.items) {
		return nil
	}
	t.Move(n)
	marker := 2 + 2*t.items[n].depth
	switch {
	case at.X >= marker && at.X < marker+2 && HasChildren(t.items[n].row):
		t.Toggle(run.Shown)
	case at.Double:
		return []tea.Msg{request.Press{Action: "open"}}
	}
	return nil
}

// Toggle folds or unfolds the selected row.
func (t *Pane) Toggle(tr *track.Track) { t.Fold(tr, t.open(t.Selected())) }

// Select selects a row and unfolds its groups. On the run's current row, the selection follows the run.
func (t *Pane) Select(tr *track.Track, r *track.Row) {
	t.Choose(tr, r)
	t.follow = r == t.position
}

// SelectNext selects a step of the next version of the document, by its label, once the run uses that
// version.
func (t *Pane) SelectNext(label string) { t.next, t.before = label, t.track.Plan }

// show changes to the track of another moment of the run. Folded rows stay folded.
func (t *Pane) show(tr *track.Track) {
	folded := map[*track.Row]bool{}
	for r, closed := range t.folded {
		if r := tr.Row(r.Label); r != nil {
			folded[r] = closed
		}
	}
	t.track, t.folded = tr, folded
	t.items, t.sel, t.shape, t.follow, t.upcoming = nil, 0, -1, true, Upcoming{}
}

// scroll keeps the selection in sight, with a line above and below it if possible. While the selection
// follows the run, more lines below it show.
func (t *Pane) scroll(h int) {
	ahead := 1
	if t.follow {
		ahead = max(1, h/4)
	}
	t.top = min(t.top, max(0, t.sel-1))
	t.top = max(t.top, min(t.sel+1+ahead, len(t.items))-h)
	t.top = max(0, min(t.top, len(t.items)-h))
}

func (t *Pane) line(run *runview.Run, n int, at *track.Row) string {
	l, w, it := run.Look, t.box.W, t.items[n]
	selected := draw.SelectionOf(n == t.sel, run.Focus == panes.Steps)
	gutter := l.Gutter(selected, breakpoints.AnyAt(run.Breaks, it.row), it.row == at)
	indent := cells.Spaces(min(2*it.depth, w/3))
	called := name(l, it, at)
	room := w - before - len(indent) - l.Width(called) - 1
	sign, right := l.Glyph(it.row), rowDetails(l, it.row, room, run.Moment)
	if n := t.untakenRoutes[it.row.Step]; n > 0 && !it.row.Hidden {
		right = draw.Join(l.Muted.Paint(fmt.Sprintf("%d untaken", n)), right)
	}
	if HasChildren(it.row) {
		if it.row.Status != track.Pending {
			right = draw.Join(sign, right) // so that the times of all rows stay at the right end
		}
		sign = t.foldSign(l, it.row)
	}
	s := l.Spread(gutter+indent+sign+" "+t.search.Highlight(l, called, n == t.sel), right, w)
	return l.Raise(s, w, selected)
}

// WidestRow returns the width of the widest row, among those that are at most the given width, with the
// step's time if it fits. Folded rows count, so that the column does not change when somebody folds.
func (t *Pane) WidestRow(l *draw.Look, most int) int {
	if t.track == nil {
		return 0
	}
	if w := t.widest; w.track != t.track || w.shape != t.shape || w.most != most {
		t.widest = widest{t.track, t.shape, most, widestOf(l, t.track.Rows, 0, most)}
	}
	return t.widest.width
}

// widest is the width of the widest row, and what it was computed for.
type widest struct {
	track              *track.Track
	shape, most, width int
}

// clockWidth is the number of cells for the time of a step, with a blank before it: 00:07.
const clockWidth = 6

func widestOf(l *draw.Look, rows []*track.Row, depth, most int) (width int) {
	labels := labelsOf(rows)
	for _, r := range rows {
		n := before + 2*depth + l.Width(name(l, item{r, depth, labels}, nil))
		if r.IsExecutable() && n+clockWidth <= most {
			n += clockWidth
		}
		if n <= most && !r.Hidden {
			width = max(width, n)
		}
		width = max(width, widestOf(l, r.Children, depth+1, most))
	}
	return width
}

// HasChildren reports whether a row has rows below it.
func HasChildren(r *track.Row) bool {
	return len(r.Children) > 0 || r.Doc != nil && r.Doc.Plan != nil
}

// foldSign returns the fold marker of a row. The sign of its status is at the right end.
func (t *Pane) foldSign(l *draw.Look, r *track.Row) string {
	if t.open(r) {
		return l.Muted.Paint("▾")
	}
	return l.Muted.Paint("▸")
}

// name returns a row's label and title.
func name(l *draw.Look, it item, at *track.Row) string {
	r := it.row
	s := treeLabel(r)
	if isBranch(r) {
		s = draw.StepName(r)
	}
	if pad := it.labels - len(r.Local); pad > 0 && numbered(r) {
		s += cells.Spaces(pad)
	}
	if r.Title != r.Local && !isBranch(r) && !strings.EqualFold(r.Title, treeLabel(r)) {
		s += " " + draw.Clean(r.Title)
	}
	switch {
	case r == at || r.Status == track.Waiting:
		return l.Bold.Paint(s)
	case r.Status == track.Pending && (r.IsAside() || r.Template), r.Status == track.Skipped, r.Status == track.LeftUndecided:
		return l.Muted.Paint(s)
	}
	return s
}

// treeLabel returns a row's label in the tree. Below a phase it leaves out the label of the phase.
func treeLabel(r *track.Row) string {
	if p := r.Parent; p != nil && p.IsPhase() {
		rest, ok := strings.CutPrefix(r.Local, p.Local)
		if ok && len(rest) > 1 && strings.ContainsRune(".-_/:", rune(rest[0])) {
			return draw.Clean(rest[1:])
		}
	}
	return draw.Clean(r.Local)
}

// rowDetails returns the right end of a row: overridden, warning, visits, time. It leaves out texts that do
// not fit beside the name.
func rowDetails(l *draw.Look, r *track.Row, room int, now time.Time) string {
	s := ""
	if r.ChangedByPerson() {
		s = l.Warn.Paint("!")
	}
	if r.HasWarnings() {
		s = draw.Join(s, l.Warn.Paint("△"))
	}
	if n := r.TotalAttempts(); n > 1 && r.Status != track.Pending {
		s = draw.Join(s, l.Muted.Paint(fmt.Sprintf("×%d", n)))
	}
	answer := answerOf(r)
	switch by := draw.GivenBy(r); {
	case answer != "": // how long that took does not matter
		if room >= min(l.Width(answer), leastAnswer) {
			s = draw.Join(s, l.Person.Paint(l.Cut(answer, room)))
		}
	case draw.PreparedBy(by) != "" && r.Status.IsOver():
		s = draw.Join(s, l.Muted.Paint(by))
	case r.Status == track.Running && r.IsExecutable():
		if call := r.LastVisit().RunningCall(); call != nil {
			if name := draw.Clean(call.Tool); ansi.StringWidth(name) <= room {
				s = draw.Join(s, l.Muted.Paint(name))
			}
		}
		if took := r.Elapsed(now); len(r.Children) == 0 || took >= time.Second { // else a child waits
			s = joinIfFits(l, s, l.Focus.Paint(wording.Stopwatch(took)), room)
		}
	case r.Status.IsOver() && r.IsExecutable() && r.Took > 0:
		s = joinIfFits(l, s, l.Muted.Paint(wording.Clock(r.Took)), room)
	case r.Status == track.Pending && r.IsAside():
		if word := asideWord(r); ansi.StringWidth(word) <= room {
			s = draw.Join(s, l.Muted.Paint(word))
		}
	case r.Status == track.Pending && r.Template:
		s = draw.Join(s, l.Muted.Paint("dynamic"))
	}
	return s
}

// joinIfFits adds a time if both texts fit in room cells.
func joinIfFits(l *draw.Look, s, took string, room int) string {
	if both := draw.Join(s, took); l.Width(both) <= room {
		return both
	}
	return s
}

// answerOf returns the answer that ended a step which did nothing but ask, "" if there is none.
func answerOf(r *track.Row) string {
	if !r.Status.IsOver() || r.Took > 0 || r.Overridden {
		return ""
	}
	if q := r.LastVisit().Answer(); q != nil {
		return "› " + sanitize.Plain(q.Answer.Value)
	}
	return ""
}

// leastAnswer is the minimum number of cells in which an answer shows.
const leastAnswer = 6

// asideWord returns a word for a row that is reached only by a route: "named", or for a step of a flow the
// brief description from its format.
func asideWord(r *track.Row) string {
	if len(r.Step.Edges) > 0 || r.Step.Brief != "" {
		return sanitize.Plain(r.Step.Brief)
	}
	return "named"
}

// Upcoming is the instance of a step that a paused run is about to enter.
type Upcoming struct {
	track.Upcoming
	count int // the number of the track's events when it was computed
}

// setUpcoming updates the upcoming instance for the next event of a paused run, nil if the run is not
// paused.
func (t *Pane) setUpcoming(tr *track.Track, n *machine.Event) {
	old := t.upcoming
	switch {
	case n == nil:
		t.upcoming = Upcoming{}
	case old.At == nil || old.At.Label != n.Step || old.count != tr.Count:
		t.upcoming = Upcoming{tr.Upcoming(*n), tr.Count}
	}
	if t.upcoming.At != old.At {
		t.shape = -1
	}
}
