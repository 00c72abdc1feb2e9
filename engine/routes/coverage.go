package routes

import "playhead/engine/machine"

// Coverage counts how many runs took the routes of a document: what it writes as routes,
// what a route says for the case that its budget is used up, and the arms of choices.
// What the format supplies by default does not count, nor do routes of included
// documents.
type Coverage struct {
	Runs      int          // that were added
	Each      [][]RouteRef // what each of them took
	graph     *Graph
	runCounts map[RouteRef]int
}

// Routes is a coverage in numbers, in the shape of `test --json` (docs/json.md).
type Routes struct {
	TakenCount int `json:"taken"`
	Total      int `json:"total"`
}

// NewCoverage returns the coverage before any run.
func (g *Graph) NewCoverage() *Coverage { return &Coverage{graph: g, runCounts: map[RouteRef]int{}} }

// Cover returns the coverage of runs that took these routes.
func (g *Graph) Cover(runs [][]RouteRef) *Coverage {
	c := g.NewCoverage()
	for _, taken := range runs {
		c.AddRoutes(taken)
	}
	return c
}

// Add counts a run.
func (c *Coverage) Add(events []machine.Event) { c.AddRoutes(RoutesTaken(events)) }

// AddRoutes counts a run that took these routes.
func (c *Coverage) AddRoutes(taken []RouteRef) {
	c.Runs++
	c.Each = append(c.Each, taken)
	for _, r := range taken {
		c.runCounts[r]++
	}
}

// RunCount returns how many runs took an edge.
func (c *Coverage) RunCount(e Edge) int { return c.runCounts[e.RouteRef] }

// Routes counts the edges that the document writes.
func (c *Coverage) Routes() Routes {
	var r Routes
	for _, e := range c.graph.Edges {
		if !e.Implicit {
			r.Total++
		}
	}
	r.TakenCount = r.Total - len(c.Untaken())
	return r
}

// Untaken lists the written edges that no run took.
func (c *Coverage) Untaken() []Edge {
	var never []Edge
	for _, e := range c.graph.Edges {
		if !e.Implicit && c.runCounts[e.RouteRef] == 0 {
			never = append(never, e)
		}
	}
	return never
}

// Name returns an edge as "label: text of the route".
func (c *Coverage) Name(e Edge) string { return c.graph.Nodes[e.From].Step.ID + ": " + e.Text }

// RoutesTaken returns the routes that a run took in its own document, each once.
func RoutesTaken(events []machine.Event) []RouteRef {
	t := NewTrail("")
	t.Fold(events...)
	return t.taken
}
