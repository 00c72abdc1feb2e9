package scenario

import (
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// Coverage counts which roads of a document were taken: what it writes as routes,
// what a route says for the case that its budget is used up, and the arms of choices.
// What the format supplies by default does not count, nor do routes of included
// documents.
type Coverage struct {
	roads []road
	text  map[road]string
	taken map[road]bool
}

// road is a link of a written route: depth 0 is the route itself, 1 what comes
// when its budget is used up. Of an arm it is the way into it.
type road struct {
	step         string
	route, depth int
}

// into is the road into an arm, which is none of its own routes.
func into(arm string) road { return road{step: arm, route: -1} }

// NewCoverage lists the roads of p, none taken.
func NewCoverage(p *plan.Plan) *Coverage {
	c := &Coverage{text: map[road]string{}, taken: map[road]bool{}}
	p.Walk(func(s, parent *plan.Step) bool {
		if s.Arm() {
			c.add(into(s.ID), parent.ID+": "+s.ArmText())
		}
		for i := range s.Routes {
			depth := 0
			for m := &s.Routes[i].Do; m != nil; m = m.Then {
				if !m.Implicit && !s.Routes[i].Do.Implicit {
					c.add(road{s.ID, i, depth}, s.ID+": "+m.Text)
				}
				depth++
			}
		}
		return true
	})
	return c
}

func (c *Coverage) add(r road, text string) {
	c.roads = append(c.roads, r)
	c.text[r] = text
}

// Add marks the roads that a run took.
func (c *Coverage) Add(events []machine.Event) {
	var children []string // label prefixes of included documents
	for _, e := range events {
		switch b := e.Body.(type) {
		case *machine.ChildEntered:
			children = append(children, b.Label+"/")
		case *machine.Decision:
			inside := func(prefix string) bool { return strings.HasPrefix(e.Step, prefix) }
			switch {
			case b.Taken == nil || slices.ContainsFunc(children, inside):
			case b.Arrival.Chosen:
				c.taken[into(b.Arrival.Step)] = true
			default:
				c.taken[road{e.StepID(), *b.Taken, b.Candidates[*b.Taken].Depth}] = true
			}
		}
	}
}

// Routes is a coverage in numbers, in the shape of contract.md.
type Routes struct {
	Taken int `json:"taken"`
	Total int `json:"total"`
}

// Routes counts the roads.
func (c *Coverage) Routes() Routes {
	return Routes{Taken: len(c.roads) - len(c.Never()), Total: len(c.roads)}
}

// Never lists the roads that no run took, as "label: text of the route".
func (c *Coverage) Never() []string {
	never := []string{}
	for _, r := range c.roads {
		if !c.taken[r] {
			never = append(never, c.text[r])
		}
	}
	return never
}
