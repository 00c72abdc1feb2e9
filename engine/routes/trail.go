package routes

import (
	"slices"
	"strings"

	"playhead/engine/machine"
)

// Trail is what a run did in a document: a fold of its events.
type Trail struct {
	document
	Visits map[string]int // executions of steps, by id
	roads  map[Road]walked
	ways   map[way]int // steps that were gone to as no edge says
	order  []way       // in the order of their first time
}

// walked is how often something was taken, and how often of these since a person had
// said how its step went.
type walked struct{ times, byHand int }

// way is a move whose target the run alone knows: of a road, or of a person.
type way struct {
	from, to string
	road     Road
	forced   bool
}

// NewTrail is the trail of a run that has not done anything, in the document whose
// labels begin with prefix.
func NewTrail(prefix string) *Trail {
	return &Trail{document: document{prefix: prefix}, Visits: map[string]int{}, roads: map[Road]walked{}, ways: map[way]int{}}
}

// Fold takes over events, in their order.
func (t *Trail) Fold(events ...machine.Event) {
	for _, e := range events {
		if !t.has(e) {
			continue
		}
		switch b := e.Body.(type) {
		case *machine.Entered:
			t.Visits[e.StepID()]++
		case *machine.Decision:
			t.decide(e, b)
		}
	}
}

func (t *Trail) decide(e machine.Event, d *machine.Decision) {
	road, ok := roadOf(e, d)
	if ok {
		w := t.roads[road]
		w.times++
		if d.Outcome != nil && d.Outcome.Forced {
			w.byHand++
		}
		t.roads[road] = w
	}
	if d.Arrival.Kind != machine.ToStep || !ok && !d.Forced {
		return
	}
	w := way{e.StepID(), d.Arrival.Step, road, d.Forced}
	if t.ways[w]++; t.ways[w] == 1 {
		t.order = append(t.order, w)
	}
}

// Along is the graph with the numbers of a run, and with the edges that are the run's
// alone: where a person sent it, and targets that the document leaves open.
func (g *Graph) Along(t *Trail) *Graph {
	out := &Graph{Nodes: slices.Clone(g.Nodes), Edges: slices.Clone(g.Edges), Starts: g.Starts, byID: g.byID}
	open := map[Road]Edge{}
	for i := range out.Edges {
		e := &out.Edges[i]
		w := t.roads[e.Road]
		e.Times, e.ByHand = w.times, w.byHand
		if out.Nodes[e.To].Label == AsTheRunSays {
			open[e.Road] = *e
		}
	}
	for _, w := range t.order {
		e, isOpen := open[w.road]
		switch n := t.ways[w]; {
		case w.forced:
			e = Edge{From: g.Node(w.from), When: "by hand", Forced: true, Times: n, ByHand: n}
		case !isOpen:
			continue
		default:
			e.Times = n
		}
		if to := g.Node(w.to); to >= 0 && e.From >= 0 {
			e.To = g.inside(g.Nodes[to].Step)
			out.join(e)
		}
	}
	return out
}

// join adds an edge without touching the lists of edges that another graph shares.
func (g *Graph) join(e Edge) {
	from, to := &g.Nodes[e.From], &g.Nodes[e.To]
	from.Out = append(slices.Clip(from.Out), len(g.Edges))
	to.In = append(slices.Clip(to.In), len(g.Edges))
	g.Edges = append(g.Edges, e)
}

// Road names an edge of a document: a link of a route of a step. Depth 0 is the route
// itself, 1 what comes when its budget is used up.
type Road struct {
	Step  string `json:"step"`
	Route int    `json:"route"`
	Depth int    `json:"depth,omitempty"`
}

// What is no route of its step: the way into an arm, and past a choice.
const (
	intoArm    = -1
	pastChoice = -2
)

func into(arm string) Road   { return Road{Step: arm, Route: intoArm} }
func past(group string) Road { return Road{Step: group, Route: pastChoice} }

// roadOf is the road that a decision took; none if a person chose, or nothing says
// where an outcome goes on.
func roadOf(e machine.Event, d *machine.Decision) (Road, bool) {
	switch {
	case d.Forced:
		return Road{}, false
	case d.Arrival.Chosen:
		return into(d.Arrival.Step), true
	case d.Outcome == nil:
		return past(e.StepID()), true
	case d.Taken == nil || *d.Taken >= len(d.Candidates):
		return Road{}, false
	}
	return Road{e.StepID(), *d.Taken, d.Candidates[*d.Taken].Depth}, true
}

// document tells the events of one document from those of documents that it includes.
type document struct {
	prefix   string   // of its labels
	children []string // prefixes of those included so far
}

// has reports whether an event is the document's own.
func (d *document) has(e machine.Event) bool {
	if b, ok := e.Body.(*machine.ChildEntered); ok && strings.HasPrefix(b.Label, d.prefix) {
		if child := b.Label + "/"; child != d.prefix && !slices.Contains(d.children, child) {
			d.children = append(d.children, child)
		}
		return false
	}
	inside := func(child string) bool { return strings.HasPrefix(e.Step, child) }
	return strings.HasPrefix(e.Step, d.prefix) && !slices.ContainsFunc(d.children, inside)
}
