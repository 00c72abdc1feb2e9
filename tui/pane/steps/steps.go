// Package steps is the pane of the steps: a tree of which parts are folded.
package steps

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/cells"
	"playhead/tui/dialog/breakpoints"
	"playhead/tui/draw"
	"playhead/tui/panes"
	"playhead/tui/search"
)

// Pane is the pane of the steps. Nothing in it changes while it is drawn but what it keeps for
// the next frame.
type Pane struct {
	items    []item
	sel      int
	top      int
	Breaks   []engine.Breakpoint
	Untaken  map[*plan.Step]int // ways out that no run has taken; nil: not asked for
	Follow   bool               // the selection goes with the run
	At       *track.Row         // where the run is
	Upcoming Upcoming
	Folded   map[*track.Row]bool
	shape    int            // of the track when items were made
	Marks    *search.Search // whose matches stand out
	lines    []string
	Stale    bool // it is drawn anew
}

// item is a visible row and how it is set.
type item struct {
	row    *track.Row
	depth  int
	labels int // width of the column of labels
}

// New returns a pane that follows the run.
func New() Pane { return Pane{Follow: true, Folded: map[*track.Row]bool{}, shape: -1, Stale: true} }

// Sync takes over new rows and follows the run.
func (t *Pane) Sync(tr *track.Track, at *track.Row) {
	if t.shape != tr.Shape {
		t.Refold(tr)
	}
	t.At = at
	if t.Follow && at != nil {
		t.Choose(tr, at)
	}
	t.Stale = true
}

// Refold lists the rows that are not folded away, keeping the selection.
func (t *Pane) Refold(tr *track.Track) {
	selected := t.Selected()
	t.items = t.items[:0]
	t.list(tr.Rows, 0)
	t.shape = tr.Shape
	t.Stale = true
	for r := selected; r != nil; r = r.Parent {
		if i := t.find(r); i >= 0 {
			t.sel = i
			return
		}
	}
	t.sel = min(t.sel, max(0, len(t.items)-1))
}

// shortLabel is the widest label that others are aligned with.
const shortLabel = 5

// before is how much of a row stands in front of its label: where the run is, its state.
const before = 4

func (t *Pane) list(rows []*track.Row, depth int) {
	rows, labels := t.Upcoming.Among(rows), 1
	for _, r := range rows {
		if n := len(r.Local); n <= shortLabel && !r.Hidden && numbered(r) {
			labels = max(labels, n)
		}
	}
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

// numbered reports whether a row's label is a number, as those that line up are.
func numbered(r *track.Row) bool {
	return !arm(r) && r.Local != "" && r.Local[0] >= '0' && r.Local[0] <= '9'
}

// arm reports whether a row is one way of a choice.
func arm(r *track.Row) bool { return r.Step != nil && r.Step.Arm() }

// open reports whether what is below a row shows. Documents are closed until the
// run gets to them.
func (t *Pane) open(r *track.Row) bool {
	if folded, set := t.Folded[r]; set {
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

// Selected returns the row that is selected, nil in a tree without any.
func (t *Pane) Selected() *track.Row {
	if t.sel < len(t.items) {
		return t.items[t.sel].row
	}
	return nil
}

// Choose selects a row, unfolding what it is in.
func (t *Pane) Choose(tr *track.Track, r *track.Row) {
	if t.Selected() == r {
		return
	}
	for p := r.Parent; p != nil; p = p.Parent {
		if !t.open(p) {
			t.Folded[p] = false
			t.shape = -1
		}
	}
	if t.shape != tr.Shape {
		t.Refold(tr)
	}
	if i := t.find(r); i >= 0 {
		t.sel = i
		t.Stale = true
	}
}

// Move selects another row. Following goes on where the run is.
func (t *Pane) Move(to int) {
	t.sel = min(max(0, to), max(0, len(t.items)-1))
	t.Follow = t.Selected() == t.At
	t.Stale = true
}

// Fold opens or closes the selected row, or goes to its parent.
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
		t.Upcoming.Expand(r)
	}
	t.Folded[r] = closed
	t.Refold(tr)
}

// NoSteps is what panes say that are about a step, where the document has none.
const NoSteps = "The document has no steps that can be run: {why} says why."

// View is the lines of the pane. mark says that the run is somewhere.
func (t *Pane) View(l *draw.Look, box panes.Rect, focused, mark bool, now time.Time) []string {
	if !t.Stale && len(t.lines) == box.H {
		return t.lines
	}
	at := t.At
	if !mark {
		at = nil
	}
	t.scroll(box.H)
	t.lines = make([]string, box.H)
	for i := range t.lines {
		if n := t.top + i; n < len(t.items) {
			t.lines[i] = t.line(l, n, box.W, focused, at, now)
		} else {
			t.lines[i] = cells.Spaces(box.W)
		}
	}
	if len(t.items) == 0 && box.H > 0 {
		t.lines[0] = l.Fit(l.Muted.Paint("There are none."), box.W)
	}
	t.Stale = false
	return t.lines
}

// MoveBy selects a row further down or up.
func (t *Pane) MoveBy(by int) { t.Move(t.sel + by) }

// Toggle opens the selected row, or closes it.
func (t *Pane) Toggle(tr *track.Track) { t.Fold(tr, t.open(t.Selected())) }

// Click selects the row in a line of the pane. It reports whether there is one, and whether the
// click was on what folds it.
func (t *Pane) Click(x, y int) (isRow, folds bool) {
	n := t.top + y
	if n < 0 || n >= len(t.items) {
		return false, false
	}
	t.Move(n)
	knob := 2 + 2*t.items[n].depth
	return true, x >= knob && x < knob+2 && HasChildren(t.items[n].row)
}

// Select selects a row, unfolding what it is in. The selection goes with the run from where that is.
func (t *Pane) Select(tr *track.Track, r *track.Row) {
	t.Choose(tr, r)
	t.Follow = r == t.At
}

// Position returns what goes back to the selection and to the rows in sight.
func (t *Pane) Position() (restore func(*track.Track)) {
	top, row, follow := t.top, t.Selected(), t.Follow
	return func(tr *track.Track) {
		t.Choose(tr, row)
		t.top, t.Follow = top, follow
	}
}

// Show makes the pane show another state of the run. What was folded stays so.
func (t *Pane) Show(tr *track.Track) {
	folded := map[*track.Row]bool{}
	for r, closed := range t.Folded {
		if r := tr.Row(r.Label); r != nil {
			folded[r] = closed
		}
	}
	t.Folded = folded
	t.items, t.sel, t.shape, t.Follow, t.Upcoming = nil, 0, -1, true, Upcoming{}
}

// scroll keeps the selection in sight, with a line around it where there is one. Below the
// run there is more: what comes next.
func (t *Pane) scroll(h int) {
	ahead := 1
	if t.Follow {
		ahead = max(1, h/4)
	}
	t.top = min(t.top, max(0, t.sel-1))
	t.top = max(t.top, min(t.sel+1+ahead, len(t.items))-h)
	t.top = max(0, min(t.top, len(t.items)-h))
}

func (t *Pane) line(l *draw.Look, n, w int, focused bool, at *track.Row, now time.Time) string {
	it := t.items[n]
	gutter := l.Gutter(breakpoints.AnyAt(t.Breaks, it.row), it.row == at)
	indent := cells.Spaces(min(2*it.depth, w/3))
	called := name(l, it, at)
	room := w - before - len(indent) - l.Width(called) - 1
	sign, right := l.Glyph(it.row), aside(l, it.row, room, now)
	if n := t.Untaken[it.row.Step]; n > 0 && !it.row.Hidden {
		right = draw.Join(l.Muted.Paint(fmt.Sprintf("%d never", n)), right)
	}
	if HasChildren(it.row) {
		if it.row.Status != track.Pending {
			right = draw.Join(right, sign)
		}
		sign = t.knob(l, it.row)
	}
	s := l.Spread(gutter+indent+sign+" "+t.Marks.Highlight(l, called, n == t.sel), right, w)
	switch {
	case n != t.sel:
		return s
	case focused:
		return l.Selected.Over(s)
	default:
		return l.Dimmed.Over(s)
	}
}

// HasChildren reports whether there is something below a row.
func HasChildren(r *track.Row) bool {
	return len(r.Children) > 0 || r.Doc != nil && r.Doc.Plan != nil
}

// knob stands for the state of a row that has others below it: its own state is
// at the right end.
func (t *Pane) knob(l *draw.Look, r *track.Row) string {
	if t.open(r) {
		return l.Muted.Paint("▾")
	}
	return l.Muted.Paint("▸")
}

// name is a row's label and title.
func name(l *draw.Look, it item, at *track.Row) string {
	r := it.row
	s := inTree(r)
	if arm(r) {
		s = draw.StepName(r)
	}
	if pad := it.labels - len(r.Local); pad > 0 && numbered(r) {
		s += cells.Spaces(pad)
	}
	if r.Title != r.Local && !arm(r) && !strings.EqualFold(r.Title, inTree(r)) {
		s += " " + draw.Clean(r.Title)
	}
	switch {
	case r == at || r.Status == track.Waiting:
		return l.Bold.Paint(s)
	case r.Status == track.Pending && (r.Aside() || r.Template), r.Status == track.Skipped, r.Status == track.Left:
		return l.Muted.Paint(s)
	}
	return s
}

// inTree is a row's label in the tree. Below a phase it does not say again which one.
func inTree(r *track.Row) string {
	if p := r.Parent; p != nil && p.Phase() {
		rest, ok := strings.CutPrefix(r.Local, p.Local)
		if ok && len(rest) > 1 && strings.ContainsRune(".-_/:", rune(rest[0])) {
			return draw.Clean(rest[1:])
		}
	}
	return draw.Clean(r.Local)
}

// aside is what stands at the right end of a row: forced, warned of, how often, time. What a
// step is in short is there if it leaves room for its name.
func aside(l *draw.Look, r *track.Row, room int, now time.Time) string {
	s := ""
	if r.ByHand() {
		s = l.Warn.Paint("!")
	}
	if r.Warned() {
		s = draw.Join(s, l.Warn.Paint("△"))
	}
	if n := r.Times(); n > 1 && r.Status != track.Pending {
		s = draw.Join(s, l.Muted.Paint(fmt.Sprintf("×%d", n)))
	}
	switch by := draw.GivenBy(r); {
	case draw.PreparedBy(by) != "" && r.Status.Over(): // how long that took says nothing
		s = draw.Join(s, l.Muted.Paint(by))
	case r.Status == track.Running && r.Unit():
		if took := r.Elapsed(now); len(r.Children) == 0 || took >= time.Second { // else it is a child's that waits
			s = draw.Join(s, l.Focus.Paint(draw.Stopwatch(took)))
		}
	case r.Status.Over() && r.Unit() && r.Took > 0:
		if took := draw.Clock(r.Took); r.Status != track.Passed || r.Took >= time.Second || len(took) <= room {
			s = draw.Join(s, l.Muted.Paint(took))
		}
	case r.Status == track.Pending && r.Aside():
		if word := asideWord(r); ansi.StringWidth(word) <= room {
			s = draw.Join(s, l.Muted.Paint(word))
		}
	case r.Status == track.Pending && r.Template:
		s = draw.Join(s, l.Muted.Paint("dynamic"))
	}
	return s
}

// asideWord says of a row that nothing falls through to it; of the steps of a flow,
// which are all of that kind, what their format says in short.
func asideWord(r *track.Row) string {
	if len(r.Step.Edges) > 0 || r.Step.Brief != "" {
		return sanitize.Plain(r.Step.Brief)
	}
	return "named"
}
