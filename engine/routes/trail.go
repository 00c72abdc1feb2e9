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
	routes map[RouteRef]count
	taken  []RouteRef   // those of routes, in the order of their first time
	moves  map[move]int // steps that were gone to as no edge says
	order  []move       // in the order of their first time
}

// count is how often something was taken, and how often of these since a person had
// said how its step went.
type count struct{ times, manual int }

// move is a move whose target the run alone knows: by a route, or by a person.
type move struct {
	from, to string
	route    RouteRef
	byPerson bool
}

// NewTrail returns the trail of a run that has not begun, in the document whose labels begin with
// prefix.
func NewTrail(prefix string) *Trail {
	return &Trail{document: document{prefix: prefix}, Visits: map[string]int{}, routes: map[RouteRef]count{}, moves: map[move]int{}}
}

// Fold takes over events, in their order.
func (t *Trail) Fold(events ...machine.Event) {
	for _, e := range events {
		if b, is := e.Body.(*machine.Reloaded); is {
			t.reload(b)
			continue
		}
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

// reload names what was done as another version of the document does. Of a step that has other
// routes now, nothing is known of them.
func (t *Trail) reload(b *machine.Reloaded) {
	before := *t
	*t = *NewTrail(before.prefix)
	t.children = before.children
	if t.prefix != "" { // its labels may be others, too
		return
	}
	id, others := b.Renamed(""), map[string]bool{}
	for _, s := range b.Steps {
		others[s.From] = others[s.From] || s.Document == "" && s.Routes
	}
	for from, n := range before.Visits {
		if to := id(from); to != "" {
			t.Visits[to] += n
		}
	}
	for _, route := range before.taken {
		if to := id(route.Step); to != "" && !others[route.Step] {
			now := RouteRef{to, route.Route, route.Depth}
			t.routes[now], t.taken = before.routes[route], append(t.taken, now)
		}
	}
	for _, w := range before.order {
		from, to := id(w.from), id(w.to)
		if from == "" || to == "" || others[w.from] {
			continue
		}
		now := move{from, to, w.route, w.byPerson}
		if w.route != (RouteRef{}) {
			now.route.Step = id(w.route.Step)
		}
		t.moves[now], t.order = before.moves[w], append(t.order, now)
	}
}

func (t *Trail) decide(e machine.Event, d *machine.Decision) {
	route, ok := routeOf(e, d)
	if ok {
		w, again := t.routes[route]
		if !again {
			t.taken = append(t.taken, route)
		}
		w.times++
		if d.Outcome != nil && d.Outcome.Overridden {
			w.manual++
		}
		t.routes[route] = w
	}
	if d.Arrival.Kind != machine.ToStep || !ok && !d.ByPerson {
		return
	}
	w := move{e.StepID(), d.Arrival.Step, route, d.ByPerson}
	if t.moves[w]++; t.moves[w] == 1 {
		t.order = append(t.order, w)
	}
}

// Along returns the graph with the counts of a run. It adds edges that only the run has: where a
// person sent it, and targets that the document leaves open.
func (g *Graph) Along(t *Trail) *Graph {
	out := &Graph{Nodes: slices.Clone(g.Nodes), Edges: slices.Clone(g.Edges), Starts: g.Starts, byID: g.byID}
	open := map[RouteRef]Edge{}
	for i := range out.Edges {
		e := &out.Edges[i]
		w := t.routes[e.RouteRef]
		e.Times, e.Manual = w.times, w.manual
		if out.Nodes[e.To].Label == UnknownTarget {
			open[e.RouteRef] = *e
		}
	}
	for _, w := range t.order {
		e, isOpen := open[w.route]
		switch n := t.moves[w]; {
		case w.byPerson:
			e = Edge{From: g.Node(w.from), When: "overridden", Overridden: true, Times: n, Manual: n}
		case !isOpen:
			continue
		default:
			e.Times = n
		}
		if to := g.Node(w.to); to >= 0 && e.From >= 0 {
			e.To = g.firstNode(g.Nodes[to].Step)
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

// RouteRef names an edge of a document: a link of a route of a step. Depth 0 is the route
// itself, 1 what comes when its budget is used up.
type RouteRef struct {
	Step  string `json:"step"`
	Route int    `json:"route"`
	Depth int    `json:"depth,omitempty"`
}

// What is no route of its step: the way into an arm, and past a choice.
const (
	intoArm    = -1
	pastChoice = -2
)

func armRef(arm string) RouteRef    { return RouteRef{Step: arm, Route: intoArm} }
func elseRef(group string) RouteRef { return RouteRef{Step: group, Route: pastChoice} }

// routeOf returns the route that a decision took. There is none if a person chose, or if no route
// says where an outcome leads.
func routeOf(e machine.Event, d *machine.Decision) (RouteRef, bool) {
	switch {
	case d.ByPerson:
		return RouteRef{}, false
	case d.Arrival.Chosen:
		return armRef(d.Arrival.Step), true
	case d.Outcome == nil:
		return elseRef(e.StepID()), true
	case d.CandidateIndex == nil || *d.CandidateIndex >= len(d.Candidates):
		return RouteRef{}, false
	}
	return RouteRef{e.StepID(), *d.CandidateIndex, d.Candidates[*d.CandidateIndex].Depth}, true
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
