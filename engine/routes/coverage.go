package routes

import "playhead/engine/machine"

// Coverage counts how many runs took the roads of a document: what it writes as routes,
// what a route says for the case that its budget is used up, and the arms of choices.
// What the format supplies by default does not count, nor do routes of included
// documents.
type Coverage struct {
	Runs  int      // that were added
	Each  [][]Road // what each of them took
	graph *Graph
	took  map[Road]int
}

// Routes is a coverage in numbers, in the shape of `test --json` (docs/json.md).
type Routes struct {
	Taken int `json:"taken"`
	Total int `json:"total"`
}

// NewCoverage is that of no runs.
func (g *Graph) NewCoverage() *Coverage { return &Coverage{graph: g, took: map[Road]int{}} }

// Cover is the coverage of runs that took these roads.
func (g *Graph) Cover(runs [][]Road) *Coverage {
	c := g.NewCoverage()
	for _, roads := range runs {
		c.AddRoads(roads)
	}
	return c
}

// Add counts a run.
func (c *Coverage) Add(events []machine.Event) { c.AddRoads(Roads(events)) }

// AddRoads counts a run that took these roads.
func (c *Coverage) AddRoads(roads []Road) {
	c.Runs++
	c.Each = append(c.Each, roads)
	for _, r := range roads {
		c.took[r]++
	}
}

// Took is how many runs went along an edge.
func (c *Coverage) Took(e Edge) int { return c.took[e.Road] }

// Routes counts the edges that the document writes.
func (c *Coverage) Routes() Routes {
	var r Routes
	for _, e := range c.graph.Edges {
		if !e.Implicit {
			r.Total++
		}
	}
	r.Taken = r.Total - len(c.Never())
	return r
}

// Never lists the written edges that no run took.
func (c *Coverage) Never() []Edge {
	var never []Edge
	for _, e := range c.graph.Edges {
		if !e.Implicit && c.took[e.Road] == 0 {
			never = append(never, e)
		}
	}
	return never
}

// Name is an edge as "label: text of the route".
func (c *Coverage) Name(e Edge) string { return c.graph.Nodes[e.From].Step.ID + ": " + e.Text }

// Roads are those that a run took in its own document, each once.
func Roads(events []machine.Event) []Road {
	var doc document
	var out []Road
	seen := map[Road]bool{}
	for _, e := range events {
		d, decides := e.Body.(*machine.Decision)
		if !doc.has(e) || !decides {
			continue
		}
		if r, ok := roadOf(e, d); ok && !seen[r] {
			seen[r] = true
			out = append(out, r)
		}
	}
	return out
}
