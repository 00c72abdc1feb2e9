// Package rail draws arcs between the rows of a list: one row a node, in a fixed
// order, and left of them lanes in which lines run from row to row.
//
//	   ╷ first
//	╭──│ second
//	│╭▸│ third
//	│╰─╵ fourth
//	╰─▸  fifth
//
// What leads to the next row runs down the spine, beside the rows, unless it is dotted. All other arcs to
// one row share a lane, so that there are as many as targets and not as arcs. Where
// there is no lane left an arc is not drawn, and counted: the arcs of the row in focus
// have lanes of their own.
//
// A Rail is made once for a list, and only the rows that are looked at are drawn.
package rail

import (
	"cmp"
	"slices"
)

// Arc is a line from one row to another.
type Arc struct {
	From, To int
	Stroke   Stroke
	Known    bool // drawn in an ink of its own
	Faint    bool // drawn only when one of its ends has the focus, or down the spine
}

// Stroke is how a line looks. Of lines in one place the last of these wins.
type Stroke int

// The strokes.
const (
	Light Stroke = iota
	Dotted
	Heavy
)

// span is a line in a lane: all arcs to one row.
type span struct {
	to       int
	min, max int
	arcs     []Arc
	lane     int
}

// Rail is a drawing.
type Rail struct {
	rows, lanes int
	groups      []bool
	down        []Arc   // by row: the arc down the spine through it and to the next
	spans       []span  // those that have a lane
	hidden      int     // arcs that have none
	rest        []Arc   // those, and the faint ones
	arcsByRow   [][]int // by row: which of them end there
}

// focusLanes are the lanes kept for the row in focus.
const focusLanes = 2

// New arranges arcs in at most lanes lanes beside rows. groups marks the rows of groups, to which nothing
// leads: the spine passes them.
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

// shrink does without the lanes in which nothing runs, but for those that are kept.
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

// Width is how many cells the lanes and the spine take.
func (r *Rail) Width() int { return r.lanes + 2 }

// Hidden is how many arcs there was no lane for.
func (r *Rail) Hidden() int { return r.hidden }

// next returns the next row below one that is not a group.
func (r *Rail) next(row int) int {
	for row++; row < r.rows && r.groups[row]; row++ {
	}
	return row
}

// addNeighbourArc draws an arc to the next row.
func (r *Rail) addNeighbourArc(a Arc) {
	for y := a.From; y < a.To; y++ {
		if r.down[y].To < 0 || r.down[y].Stroke < a.Stroke {
			r.down[y] = a
		}
	}
}

// keepForFocus keeps an arc for when one of its ends has the focus.
func (r *Rail) keepForFocus(a Arc) {
	for _, end := range []int{a.From, a.To} {
		r.arcsByRow[end] = append(r.arcsByRow[end], len(r.rest))
	}
	r.rest = append(r.rest, a)
}

// spansOf joins arcs to one row; dotted ones stay apart from others.
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

// allot gives each span the innermost lane that is free, the short ones first. One for
// which there is none is left out.
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

// free is the innermost lane in which nothing runs where the span does, -1 if there is
// none from lane first on.
func (r *Rail) free(s span, first int) int {
	for lane := r.lanes - 1; lane >= first; lane-- {
		taken := func(o span) bool { return o.lane == lane && o.min <= s.max && s.min <= o.max }
		if !slices.ContainsFunc(r.spans, taken) {
			return lane
		}
	}
	return -1
}

// with is the drawing with the arcs of the row in focus that have no lane.
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
