package routes

import (
	"slices"
	"strings"

	"playhead/engine/machine"
)

// RunCounts is what a run did in a document: a fold of its events.
type RunCounts struct {
	documentFilter
	EntryCounts  map[string]int // how often the run entered each step, by ID
	countByRoute map[RouteRef]routeCount
	takenRoutes  []RouteRef      // the routes of countByRoute, in the order in which they were first taken
	moveCounts   map[runMove]int // how often the run made moves that the graph has no edge for
	madeMoves    []runMove       // the moves of moveCounts, in the order in which they were first made
	limitsUsed   map[string]bool // the steps in whose visits a person marked all retries as used, by their IDs
}

// routeCount is how often a route was taken, and how many of these times followed an outcome that a
// person set, or retries that a person marked as used.
type routeCount struct{ takenCount, manualCount int }

// runMove is a move whose target is known only from the run: that of a route, or one that a person
// chose.
type runMove struct {
	from, to string
	route    RouteRef
	byPerson bool
}

// NewRunCounts returns the counts of a run that has not begun, in the document whose labels begin with
// prefix.
func NewRunCounts(prefix string) *RunCounts {
	return &RunCounts{documentFilter: documentFilter{labelPrefix: prefix}, EntryCounts: map[string]int{}, countByRoute: map[RouteRef]routeCount{}, moveCounts: map[runMove]int{}, limitsUsed: map[string]bool{}}
}

// Fold adds events, in their order.
func (r *RunCounts) Fold(events ...machine.Event) {
	for _, e := range events {
		if b, is := e.Body.(*machine.DocumentReloaded); is {
			r.applyReload(b)
			continue
		}
		if !r.takeOwnEvent(e) {
			continue
		}
		switch b := e.Body.(type) {
		case *machine.StepEntered:
			r.EntryCounts[e.StepID()]++
			r.beginVisits(e, b)
		case *machine.LimitsUsed:
			r.limitsUsed[e.StepID()] = true
		case *machine.Decision:
			r.addDecision(e, b)
		}
	}
}

// beginVisits forgets what a person marked in the earlier visits of the steps that an event enters. Another
// attempt belongs to the same visit.
func (r *RunCounts) beginVisits(e machine.Event, b *machine.StepEntered) {
	if e.Attempt <= 1 {
		delete(r.limitsUsed, e.StepID())
	}
	for _, o := range b.OpenedGroups {
		if o.Attempt <= 1 {
			delete(r.limitsUsed, o.StepID)
		}
	}
}

// applyReload converts the counts to another version of the document, with the new IDs of steps. It drops
// what is known about routes that have changed.
func (r *RunCounts) applyReload(b *machine.DocumentReloaded) {
	before := *r
	*r = *NewRunCounts(before.labelPrefix)
	r.childLabelPrefixes = before.childLabelPrefixes
	if r.labelPrefix != "" { // its labels may be changed, too
		return
	}
	id, changed := b.NewIDs(""), map[string]bool{}
	for _, s := range b.MatchedSteps {
		changed[s.OldID] = changed[s.OldID] || s.Document == "" && s.RoutesChanged
	}
	for from, n := range before.EntryCounts {
		if to := id(from); to != "" {
			r.EntryCounts[to] += n
		}
	}
	for _, route := range before.takenRoutes {
		if to := id(route.Step); to != "" && !changed[route.Step] {
			now := RouteRef{to, route.RouteIndex, route.UsedBudgetCount}
			r.countByRoute[now], r.takenRoutes = before.countByRoute[route], append(r.takenRoutes, now)
		}
	}
	for _, move := range before.madeMoves {
		from, to := id(move.from), id(move.to)
		if from == "" || to == "" || changed[move.from] {
			continue
		}
		now := runMove{from, to, move.route, move.byPerson}
		if move.route != (RouteRef{}) {
			now.route.Step = id(move.route.Step)
		}
		r.moveCounts[now], r.madeMoves = before.moveCounts[move], append(r.madeMoves, now)
	}
}

func (r *RunCounts) addDecision(e machine.Event, d *machine.Decision) {
	route, ok := routeOf(e, d)
	if ok {
		count, again := r.countByRoute[route]
		if !again {
			r.takenRoutes = append(r.takenRoutes, route)
		}
		count.takenCount++
		if d.Outcome != nil && d.Outcome.Overridden || r.limitsUsed[e.StepID()] && d.FollowsUsedLimit() {
			count.manualCount++
		}
		r.countByRoute[route] = count
	}
	if d.Destination.Kind != machine.ToStep || !ok && !d.ByPerson {
		return
	}
	move := runMove{e.StepID(), d.Destination.StepID, route, d.ByPerson}
	if r.moveCounts[move]++; r.moveCounts[move] == 1 {
		r.madeMoves = append(r.madeMoves, move)
	}
}

// WithCounts returns the graph with the counts of a run. It adds edges that only the run has: where a
// person sent it, and the actual targets of routes whose targets the document leaves open.
func (g *Graph) WithCounts(t *RunCounts) *Graph {
	out := &Graph{Nodes: slices.Clone(g.Nodes), Edges: slices.Clone(g.Edges), StartNodes: g.StartNodes, nodeIndexByID: g.nodeIndexByID}
	open := map[RouteRef]Edge{}
	for i := range out.Edges {
		e := &out.Edges[i]
		count := t.countByRoute[e.RouteRef]
		e.TakenCount, e.ManualCount = count.takenCount, count.manualCount
		if out.Nodes[e.To].Label == UnknownTarget {
			open[e.RouteRef] = *e
		}
	}
	for _, move := range t.madeMoves {
		e, isOpen := open[move.route]
		switch n := t.moveCounts[move]; {
		case move.byPerson:
			e = Edge{From: g.NodeIndex(move.from), Condition: "overridden", IsByPerson: true, TakenCount: n, ManualCount: n}
		case !isOpen:
			continue
		default:
			e.TakenCount = n
		}
		if to := g.NodeIndex(move.to); to >= 0 && e.From >= 0 {
			e.To = g.firstNode(g.Nodes[to].Step)
			out.addUnsharedEdge(e)
		}
	}
	return out
}

// addUnsharedEdge adds an edge. It does not change the lists of edges that another graph shares.
func (g *Graph) addUnsharedEdge(e Edge) {
	from, to := &g.Nodes[e.From], &g.Nodes[e.To]
	from.OutEdges = append(slices.Clip(from.OutEdges), len(g.Edges))
	to.InEdges = append(slices.Clip(to.InEdges), len(g.Edges))
	g.Edges = append(g.Edges, e)
}

// RouteRef identifies an edge of a document by the route of a step. UsedBudgetCount 0 is the route itself,
// and 1 the move that follows when its limit is used up.
type RouteRef struct {
	Step            string `json:"step"`
	RouteIndex      int    `json:"route"`
	UsedBudgetCount int    `json:"depth,omitempty"`
}

// The numbers of edges that are not routes of their step: into an arm of a choice, and past a
// choice.
const (
	armRouteIndex  = -1
	elseRouteIndex = -2
)

func armRouteRef(arm string) RouteRef    { return RouteRef{Step: arm, RouteIndex: armRouteIndex} }
func elseRouteRef(group string) RouteRef { return RouteRef{Step: group, RouteIndex: elseRouteIndex} }

// routeOf returns the route that a decision took. There is none if a person chose, or if no route
// says where an outcome leads.
func routeOf(e machine.Event, d *machine.Decision) (RouteRef, bool) {
	c := d.TakenCandidate()
	switch {
	case d.ByPerson:
		return RouteRef{}, false
	case d.Destination.IsArmChosen:
		return armRouteRef(d.Destination.StepID), true
	case d.Outcome == nil:
		return elseRouteRef(e.StepID()), true
	case c == nil:
		return RouteRef{}, false
	}
	return RouteRef{e.StepID(), *d.CandidateIndex, c.UsedBudgetCount}, true
}

// CandidateIndex returns which candidate of a decision, made at the step that the edge leaves, the edge stands for, -1:
// none.
func (e Edge) CandidateIndex(d *machine.Decision) int {
	switch isArmChoice := d.IsArmChoice(); {
	case e.IsByPerson || isArmChoice != (e.RouteIndex < 0):
		return -1
	case isArmChoice:
		return slices.IndexFunc(d.Candidates, func(c machine.Candidate) bool { return c.Line == e.Line })
	case e.RouteIndex >= len(d.Candidates):
		return -1
	}
	return e.RouteIndex
}

// documentFilter distinguishes the events of one document from those of documents that it includes.
type documentFilter struct {
	labelPrefix        string
	childLabelPrefixes []string // the prefixes of the documents included so far
}

// takeOwnEvent reports whether an event is the document's own. It remembers the included documents that events enter.
func (d *documentFilter) takeOwnEvent(e machine.Event) bool {
	if b, ok := e.Body.(*machine.ChildEntered); ok && strings.HasPrefix(b.Label, d.labelPrefix) {
		if child := b.Label + "/"; child != d.labelPrefix && !slices.Contains(d.childLabelPrefixes, child) {
			d.childLabelPrefixes = append(d.childLabelPrefixes, child)
		}
		return false
	}
	inside := func(child string) bool { return strings.HasPrefix(e.Step, child) }
	return strings.HasPrefix(e.Step, d.labelPrefix) && !slices.ContainsFunc(d.childLabelPrefixes, inside)
}
