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
	From, To int
	Stroke   Stroke
	Known    bool // drawn with KnownRole
	Faint    bool // drawn only when one of its ends has the focus, or down the spine
}

// Stroke is the style of a line. If several lines share a place, the later constant wins.
type Stroke int

const (
	Light Stroke = iota
	Dotted
	Heavy
)

// span is a line in a lane, for all arcs to one row.
type span struct {
	to       int
	min, max int
	arcs     []Arc
	lane     int
}

type Rail struct {
	rows, lanes int
	groups      []bool
	down        []Arc   // by row: the arc down the spine that passes it and goes to the next
	spans       []span  // the spans that have a lane
	hidden      int     // the number of arcs without a lane
	rest        []Arc   // arcs without a lane, and faint ones
	arcsByRow   [][]int // by row: the indices of the arcs in rest that begin or end there
}

// focusLanes is the number of lanes reserved for the row in focus.
const focusLanes = 2

// New returns a drawing of arcs in at most the given number of lanes. groups marks the rows of groups, to
// which no arc leads: the spine passes them.
func New(groups []bool, arcs []Arc, lanes int) *Rail {
	r := &Rail{
		rows: len(groups), lanes: max(lanes, focusLanes), groups: groups,
		down: make([]Arc, len(groups)), arcsByRow: make([][]int, len(groups)),
	}
	for i := range r.down {
		r.down[i].To = -1
	}
	var drawn []Arc
	for _, a := range arcs {
		switch {
		case a.From == a.To:
		case r.next(a.From) == a.To && a.Stroke != Dotted:
			r.addNeighbourArc(a)
		case a.Faint:
			r.keepForFocus(a)
		default:
			drawn = append(drawn, a)
		}
	}
	r.allot(spansOf(drawn))
	r.shrink()
	return r
}

// shrink removes empty lanes, except the reserved ones.
func (r *Rail) shrink() {
	first := r.lanes
	for _, s := range r.spans {
		first = min(first, s.lane)
	}
	for i := range r.spans {
		r.spans[i].lane -= first - focusLanes
	}
	r.lanes -= first - focusLanes
}

// Width returns how many cells the lanes and the spine take.
func (r *Rail) Width() int { return r.lanes + 2 }

// Hidden returns how many arcs have no lane.
func (r *Rail) Hidden() int { return r.hidden }

// next returns the next row below that is not a group.
func (r *Rail) next(row int) int {
	for row++; row < r.rows && r.groups[row]; row++ {
	}
	return row
}

// addNeighbourArc adds an arc to the next row.
func (r *Rail) addNeighbourArc(a Arc) {
	for y := a.From; y < a.To; y++ {
		if r.down[y].To < 0 || r.down[y].Stroke < a.Stroke {
			r.down[y] = a
		}
	}
}

// keepForFocus keeps an arc that is drawn only while one of its ends has the focus.
func (r *Rail) keepForFocus(a Arc) {
	for _, end := range []int{a.From, a.To} {
		r.arcsByRow[end] = append(r.arcsByRow[end], len(r.rest))
	}
	r.rest = append(r.rest, a)
}

// spansOf joins the arcs to one row. Dotted arcs get spans of their own.
func spansOf(arcs []Arc) []span {
	var out []span
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
			out = append(out, span{to: a.To, min: a.To, max: a.To})
		}
		s := &out[i]
		s.arcs, s.min, s.max = append(s.arcs, a), min(s.min, a.From), max(s.max, a.From)
	}
	return out
}

// allot gives each span the innermost free lane, the short spans first. A span for which no lane is free is
// hidden.
func (r *Rail) allot(spans []span) {
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Compare(a.max-a.min, b.max-b.min) })
	for _, s := range spans {
		if lane := r.free(s, focusLanes); lane >= 0 {
			s.lane = lane
			r.spans = append(r.spans, s)
			continue
		}
		for _, a := range s.arcs {
			r.keepForFocus(a)
		}
		r.hidden += len(s.arcs)
	}
}

// free returns the innermost lane, from first on, that is empty along the span, -1 if there is none.
func (r *Rail) free(s span, first int) int {
	for lane := r.lanes - 1; lane >= first; lane-- {
		taken := func(o span) bool { return o.lane == lane && o.min <= s.max && s.min <= o.max }
		if !slices.ContainsFunc(r.spans, taken) {
			return lane
		}
	}
	return -1
}

// with returns the drawing with the arcs without a lane of the row in focus.
func (r *Rail) with(focus int) *Rail {
	if focus < 0 || focus >= r.rows {
		return r
	}
	var arcs []Arc
	for _, i := range r.arcsByRow[focus] {
		arcs = append(arcs, r.rest[i])
	}
	out := *r
	out.spans = slices.Clip(r.spans)
	for _, s := range spansOf(arcs) {
		if lane := out.free(s, 0); lane >= 0 {
			s.lane = lane
			out.spans = append(out.spans, s)
		}
	}
	return &out
}
