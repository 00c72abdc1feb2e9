package tui

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"playhead/engine"
	"playhead/engine/logs"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/panes"
	"playhead/tui/search"
)

// inspector is the pane that says why: the routes of the selected step, the
// values of the run, or its history.
type inspector struct {
	sheet  sheet
	row    *track.Row
	next   *machine.Event // what is about to happen, when the run is paused
	from   *track.Row     // where the decision that led to the row was made
	came   *machine.Decision
	events int // of the track, when the lines were made
	body   []string
	width  int
	top    int
	at     int            // the event selected, of the history
	sel    int            // the variable selected, of the values
	follow bool           // of the history: its end stays in sight
	marks  *search.Search // whose matches stand out
	lines  []string
	stale  bool

	veiled  bool     // others look on: secrets and the environment do not show
	secrets []string // names of them
}

// sheet is what the inspector shows.
type sheet int

const (
	reasons sheet = iota
	values
	history
)

func newInspector() inspector { return inspector{follow: true, stale: true} }

// turn shows another sheet, or the routes again.
func (v *inspector) turn(s sheet) {
	if v.sheet == s {
		s = reasons
	}
	v.sheet, v.top, v.follow, v.stale = s, 0, true, true
}

// show makes the inspector show a row.
func (v *inspector) show(tr *track.Track, r *track.Row, st engine.Status) {
	if r != v.row && v.sheet != history {
		v.top = 0
	}
	next := (*machine.Event)(nil)
	if st.State == engine.Paused {
		next = st.Next
	}
	v.stale = v.stale || r != v.row || next != v.next || tr.Count != v.events
	v.row, v.next, v.events = r, next, tr.Count
	v.from, v.came = nil, nil
	switch {
	case r == nil:
	case next != nil && next.Step == r.Label && !r.Phase() && tr.Routed != nil && tr.Routed != r:
		v.from, v.came = tr.Routed, tr.Routed.Decision
	case r.Status.Open() && r.From != r:
		v.from, v.came = r.From, r.Came
	}
}

// title names the sheet and sums it up.
func (v *inspector) title(l *look, tr *track.Track, all []machine.Event, up bool) panes.Title {
	step := ""
	if v.row != nil {
		step = " " + draw.Clean(v.row.Label)
	}
	switch v.sheet {
	case values:
		return panes.Title{Left: "VALUES" + step, Right: l.Muted.Paint(draw.Count(len(tr.Vars), "variable") + " · v back to why")}
	case history:
		return panes.Title{Left: "HISTORY", Right: l.Muted.Paint(ofAll(all) + " · t back to why")}
	}
	if !up {
		return panes.Title{Left: "why: " + v.summary()}
	}
	return panes.Title{Left: "WHY" + step, Right: v.state(l)}
}

// state says whether the route is taken, about to be, or still open.
func (v *inspector) state(l *look) string {
	d, about := v.decision()
	switch {
	case v.row != nil && v.row.Phase():
		return ""
	case v.broken():
		return l.Muted.Paint("cannot be run")
	case v.passedBy():
		return l.Muted.Paint("not taken")
	case v.row != nil && v.row.Status.Open() && len(v.row.Choices) > 0 && !about:
		return l.Muted.Paint("a branch is taken")
	case d == nil || v.came != nil && !about:
		return l.Muted.Paint("not decided yet")
	case about:
		return l.Accent.Paint("about to be taken")
	case d.Forced:
		return l.Warn.Paint("forced by a person")
	}
	return l.Muted.Paint(wording.Outcome(d))
}

// broken reports whether the row is of a document with errors, where nothing is decided.
func (v *inspector) broken() bool {
	return v.row != nil && v.row.Step != nil && !v.row.Plan().Runnable()
}

// decision is the one to show, and whether it is still to be taken.
func (v *inspector) decision() (d *machine.Decision, about bool) {
	if v.row == nil {
		return nil, false
	}
	if v.next != nil && v.next.Step == v.row.Label {
		if d, ok := v.next.Body.(*machine.Decision); ok {
			return d, true
		}
	}
	return v.row.Decision, false
}

// view is the lines of the pane.
func (v *inspector) view(l *look, tr *track.Track, all []machine.Event, box panes.Rect) []string {
	if !v.stale && len(v.lines) == box.H && v.width == box.W {
		return v.lines
	}
	v.width = box.W
	v.fill(l, tr, all, box)
	v.lines = make([]string, max(0, box.H))
	for i := range v.lines {
		s := ""
		if i < len(v.body) {
			s = v.marks.Highlight(l, v.body[i], v.marks.IsCurrent(v.top+i))
		}
		v.lines[i] = l.Fit(s, box.W)
	}
	v.stale = false
	return v.lines
}

// fill makes the lines in sight.
func (v *inspector) fill(l *look, tr *track.Track, events []machine.Event, box panes.Rect) {
	if v.sheet == history {
		v.fillHistory(l, events, box)
		return
	}
	var all []string
	if v.sheet == values {
		all = v.values(l, tr, box.W)
		v.top = min(max(v.top, v.sel+2-box.H), max(0, v.sel))
	} else {
		all = v.grounds(l, box.W, box.H)
	}
	v.top = min(v.top, max(0, len(all)-box.H))
	v.body = all[v.top:min(len(all), v.top+max(0, box.H))]
	if rest := len(all) - v.top - box.H; rest > 0 && box.H > 0 {
		v.body = append(v.body[:box.H-1:box.H-1], l.Muted.Paint("↓ "+draw.Count(rest+1, "more line")))
	}
}

// scroll moves the sheet.
func (v *inspector) scroll(tr *track.Track, all []machine.Event, by int) {
	switch {
	case v.sheet == history && v.follow:
		v.goTo(len(all)-1+by, len(all))
	case v.sheet == history:
		v.goTo(v.at+by, len(all))
	case v.sheet == values && len(tr.Vars) > 0:
		v.sel = min(max(0, v.sel+by), len(tr.Vars)-1)
	default:
		v.top = max(0, v.top+by)
	}
	v.stale = true
}

// values lists the variables, and what commands of the step see of the run.
func (v *inspector) values(l *look, tr *track.Track, w int) []string {
	var out []string
	v.sel = min(v.sel, max(0, len(tr.Vars)-1))
	for i, x := range tr.Vars {
		mark := "  "
		if i == v.sel {
			mark = l.Accent.Paint("› ")
		}
		out = append(out, mark+pair(l, x.Name, v.value(x), setter(tr, x, w), w-2))
	}
	return append(out, v.context(l, tr, w)...)
}

// hidden stands for a value that others must not see.
const hidden = "hidden while presenting"

// value is a variable's value as it may be seen.
func (v *inspector) value(x track.Var) string {
	s := plan.TextOf(x.Value)
	if v.veiled && (slices.Contains(v.secrets, x.Name) || strings.Contains(s, logs.Hidden)) {
		return hidden
	}
	return s
}

// setter returns where a variable's value comes from, marked where a person set it.
func setter(tr *track.Track, x track.Var, w int) string {
	step := x.Step
	if r := tr.Row(step); r != nil && w >= wideValues {
		step = draw.StepName(r)
	}
	origin := wording.Origin(step, x.By != "")
	if x.By != "" {
		return "! " + origin
	}
	return origin
}

// wideValues is the width from which the step that set a value is named in full.
const wideValues = 60

// executes reports whether a row runs commands.
func executes(r *track.Row) bool {
	return r.Step != nil && slices.ContainsFunc(r.Step.Actions, func(a plan.Action) bool {
		_, command := a.Work.(plan.Command)
		return command
	})
}

// context is the environment of the row's commands.
func (v *inspector) context(l *look, tr *track.Track, w int) []string {
	r := v.row
	if len(tr.Vars) > 0 && r != nil && !executes(r) {
		return nil
	}
	if r == nil || !r.Unit() {
		return []string{l.Muted.Paint("Select a single step to see what its command is given.")}
	}
	if v.veiled {
		return []string{l.Muted.Paint("The environment is " + hidden + ".")}
	}
	out := []string{
		pair(l, "PLAYHEAD_RUN_ID", tr.Run, "", w),
		pair(l, "PLAYHEAD_STEP", r.Label, "", w),
		pair(l, "PLAYHEAD_ATTEMPT", fmt.Sprintf("%d (retries so far)", max(0, r.Attempt-1)), "", w),
	}
	for _, id := range slices.Sorted(maps.Keys(r.Numbers())) {
		out = append(out, pair(l, id, strconv.Itoa(r.Numbers()[id]), "instance", w))
	}
	return out
}

// pair is a name with its value and where it comes from.
func pair(l *look, name, value, from string, w int) string {
	value, rest, several := strings.Cut(value, "\n")
	if several {
		from = strings.TrimSpace(fmt.Sprintf("+%d … %s", strings.Count(rest, "\n")+1, from))
	}
	return l.Spread(l.Muted.Paint(l.Fit(draw.Clean(name), 18))+" "+draw.Clean(value), l.Muted.Paint(draw.Clean(from)), w)
}
