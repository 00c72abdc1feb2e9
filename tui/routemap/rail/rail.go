// Package rail draws arcs between the rows of a list. The rows are nodes in a fixed order. Left of them are
// lanes, in which lines run from row to row.
//
//	   ╷ first
//	╭──│ second
//	│╭▸│ third
//	│╰─╵ fourth
//	╰─▸  fifth
//
// An arc to the next row runs down the spine, beside the rows, unless it is dotted. All other arcs to one row
// share a lane, so that the lanes are as many as the targets. If no lane is left, an arc is hidden and counted.
// Some lanes are reserved for the arcs of the row in focus.
//
// A Rail is made once for a list, and draws only the visible rows.
package rail

import (
	"cmp"
	"slices"
)

// Arc is a line from one row to another.
type Arc struct {
	From, To        int
	Stroke          Stroke
	IsTakenByOthers bool // other runs took the route, or it is unknown whether they did
	OnlyInFocus     bool // drawn only when one of its ends has the focus, or down the spine
}

// Stroke is the style of a line. If several lines share a place, the later constant wins.
type Stroke int

const (
	Light Stroke = iota
	Dotted
	Heavy
)

// laneSpan is a line in a lane, for all arcs to one row.
type laneSpan struct {
	targetRow         int
	firstRow, lastRow int
	arcs              []Arc
	lane              int
}

// Rail holds the arcs between the rows of a list, with their lanes.
type Rail struct {
	rowCount, laneCount int
	isGroupRow          []bool
	spineArcs           []Arc      // by row: the arc down the spine that leaves or passes it; To is -1 if there is none
	spans               []laneSpan // the spans that have a lane
	hiddenCount         int        // the number of arcs without a lane
	focusArcs           []Arc      // arcs that show only at the row in focus: those without a lane or with OnlyInFocus
	focusArcsByRow      [][]int    // by row: the indices of the arcs in focusArcs that begin or end there
}

// focusLaneCount is the number of lanes reserved for the row in focus.
const focusLaneCount = 2

// New returns a rail with arcs in at most the given number of lanes. groups marks the rows of groups, to
// which no arc leads: the spine passes them.
func New(groups []bool, arcs []Arc, lanes int) *Rail {
	r := &Rail{
		rowCount: len(groups), laneCount: max(lanes, focusLaneCount), isGroupRow: groups,
		spineArcs: make([]Arc, len(groups)), focusArcsByRow: make([][]int, len(groups)),
	}
	for i := range r.spineArcs {
		r.spineArcs[i].To = -1
	}
	var drawn []Arc
	for _, a := range arcs {
		switch {
		case a.From == a.To:
		case r.nextStepRow(a.From) == a.To && a.Stroke != Dotted:
			r.addNeighbourArc(a)
		case a.OnlyInFocus:
			r.keepForFocus(a)
		default:
			drawn = append(drawn, a)
		}
	}
	r.assignLanes(groupByTarget(drawn))
	r.removeEmptyLanes()
	return r
}

// removeEmptyLanes removes the empty lanes outside all spans, except the reserved ones.
func (r *Rail) removeEmptyLanes() {
	first := r.laneCount
	for _, s := range r.spans {
		first = min(first, s.lane)
	}
	for i := range r.spans {
		r.spans[i].lane -= first - focusLaneCount
	}
	r.laneCount -= first - focusLaneCount
}

// Width returns how many cells the lanes and the spine take.
func (r *Rail) Width() int { return r.laneCount + 2 }

// HiddenCount returns how many arcs have no lane.
func (r *Rail) HiddenCount() int { return r.hiddenCount }

// nextStepRow returns the next row below that is not a group.
func (r *Rail) nextStepRow(row int) int {
	for row++; row < r.rowCount && r.isGroupRow[row]; row++ {
	}
	return row
}

// addNeighbourArc adds an arc down the spine to the next row that is not a group.
func (r *Rail) addNeighbourArc(a Arc) {
	for y := a.From; y < a.To; y++ {
		if r.spineArcs[y].To < 0 || r.spineArcs[y].Stroke < a.Stroke {
			r.spineArcs[y] = a
		}
	}
}

// keepForFocus stores an arc that is drawn only while one of its ends has the focus.
func (r *Rail) keepForFocus(a Arc) {
	for _, end := range []int{a.From, a.To} {
		r.focusArcsByRow[end] = append(r.focusArcsByRow[end], len(r.focusArcs))
	}
	r.focusArcs = append(r.focusArcs, a)
}

// groupByTarget joins the arcs to one row. Dotted arcs get spans of their own.
func groupByTarget(arcs []Arc) []laneSpan {
	var out []laneSpan
	at := map[[2]int]int{}
	for _, a := range arcs {
		key := [2]int{a.To, 0}
		if a.Stroke == Dotted {
			key[1] = 1
		}
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, laneSpan{targetRow: a.To, firstRow: a.To, lastRow: a.To})
		}
		s := &out[i]
		s.arcs, s.firstRow, s.lastRow = append(s.arcs, a), min(s.firstRow, a.From), max(s.lastRow, a.From)
	}
	return out
}

// assignLanes gives each span the innermost free lane, the short spans first. A span for which no lane is
// free is hidden.
func (r *Rail) assignLanes(spans []laneSpan) {
	slices.SortStableFunc(spans, func(a, b laneSpan) int { return cmp.Compare(a.lastRow-a.firstRow, b.lastRow-b.firstRow) })
	for _, s := range spans {
		if lane := r.freeLane(s, focusLaneCount); lane >= 0 {
			s.lane = lane
			r.spans = append(r.spans, s)
			continue
		}
		for _, a := range s.arcs {
			r.keepForFocus(a)
		}
		r.hiddenCount += len(s.arcs)
	}
}

// freeLane returns the innermost lane, from first on, that is empty along the span, -1 if there is none.
func (r *Rail) freeLane(s laneSpan, first int) int {
	for lane := r.laneCount - 1; lane >= first; lane-- {
		overlaps := func(o laneSpan) bool { return o.lane == lane && o.firstRow <= s.lastRow && s.firstRow <= o.lastRow }
		if !slices.ContainsFunc(r.spans, overlaps) {
			return lane
		}
	}
	return -1
}

// withFocusArcs returns the rail with those of focusArcs that begin or end at the row in focus, as far as there are
// lanes for them.
func (r *Rail) withFocusArcs(focus int) *Rail {
	if focus < 0 || focus >= r.rowCount {
		return r
	}
	var arcs []Arc
	for _, i := range r.focusArcsByRow[focus] {
		arcs = append(arcs, r.focusArcs[i])
	}
	out := *r
	out.spans = slices.Clip(r.spans)
	for _, s := range groupByTarget(arcs) {
		if lane := out.freeLane(s, 0); lane >= 0 {
			s.lane = lane
			out.spans = append(out.spans, s)
		}
	}
	return &out
}
