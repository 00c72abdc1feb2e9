package routes

import "playhead/engine/machine"

// Coverage counts how many runs took the routes of a document: the routes that it writes, the moves
// that follow when a limit is used up, and the arms of choices. Routes that the format supplies and
// routes of included documents do not count.
type Coverage struct {
	TotalRuns       int          // the number of runs
	RoutesByRun     [][]RouteRef // for each run, the routes that it took, each once
	graph           *Graph
	runCountByRoute map[RouteRef]int
}

// RouteTotals counts the routes that the document writes, and those that runs took, in the form of `test --json` (docs/json.md).
type RouteTotals struct {
	TakenCount int `json:"taken"`
	Total      int `json:"total"`
}

// NewCoverage returns the coverage before any run.
func (g *Graph) NewCoverage() *Coverage {
	return &Coverage{graph: g, runCountByRoute: map[RouteRef]int{}}
}

// CoverageOf returns the coverage of runs that took these routes.
func (g *Graph) CoverageOf(runs [][]RouteRef) *Coverage {
	c := g.NewCoverage()
	for _, taken := range runs {
		c.addRoutes(taken)
	}
	return c
}

// AddRun counts a run.
func (c *Coverage) AddRun(events []machine.Event) { c.addRoutes(RoutesTakenBy(events)) }

// addRoutes counts a run that took these routes.
func (c *Coverage) addRoutes(taken []RouteRef) {
	c.TotalRuns++
	c.RoutesByRun = append(c.RoutesByRun, taken)
	for _, r := range taken {
		c.runCountByRoute[r]++
	}
}

// RunCount returns how many runs took an edge.
func (c *Coverage) RunCount(e Edge) int { return c.runCountByRoute[e.RouteRef] }

// Counts counts the written edges, and those of them that runs took.
func (c *Coverage) Counts() RouteTotals {
	var r RouteTotals
	for _, e := range c.graph.Edges {
		if !e.Implicit {
			r.Total++
		}
	}
	r.TakenCount = r.Total - len(c.UntakenEdges())
	return r
}

// UntakenEdges lists the written edges that no run took.
func (c *Coverage) UntakenEdges() []Edge {
	var untaken []Edge
	for _, e := range c.graph.Edges {
		if !e.Implicit && c.runCountByRoute[e.RouteRef] == 0 {
			untaken = append(untaken, e)
		}
	}
	return untaken
}

// EdgeName describes an edge as "step: text of the route".
func (c *Coverage) EdgeName(e Edge) string {
	return c.graph.Nodes[e.From].Step.ID + ": " + e.SourceText
}

// RoutesTakenBy returns the routes that a run took in its own document, each once.
func RoutesTakenBy(events []machine.Event) []RouteRef {
	t := NewRunCounts("")
	t.Fold(events...)
	return t.takenRoutes
}
