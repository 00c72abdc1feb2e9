package routemap

import (
	"playhead/engine/routes"
	"playhead/engine/runs"
	"playhead/parse/plan"
	"playhead/tui/runview"
)

// Coverage counts the written routes of a document that no run has taken.
type Coverage struct {
	whole   *Map
	graph   *routes.Graph // that was counted
	untaken map[*plan.Step]int
}

// NewCoverage returns the coverage of the run's own document, before other runs are known.
func NewCoverage(run *runview.Run) *Coverage { return &Coverage{whole: newMap(run.Plan, "")} }

// Compare counts the routes that other runs took.
func (c *Coverage) Compare(known *runs.OtherRoutes) {
	c.whole.cover(known)
	c.graph = nil
}

// Sync counts anew if the run has changed, and reports whether it has.
func (c *Coverage) Sync(run *runview.Run) bool {
	c.whole.fold(run.ShownEvents)
	if c.graph == c.whole.graph {
		return false
	}
	c.graph, c.untaken = c.whole.graph, map[*plan.Step]int{}
	for _, n := range c.graph.Nodes {
		if n.Step != nil {
			c.untaken[n.Step] = c.whole.countUntaken(n)
		}
	}
	return true
}

// Untaken returns how many written routes out of each step no run has taken.
func (c *Coverage) Untaken() map[*plan.Step]int { return c.untaken }
