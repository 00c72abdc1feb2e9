package report

import (
	"playhead/engine/machine"
	"playhead/engine/routes"
	"playhead/parse/plan"
)

// Graph has the routes of a document, and how often the run took them. Each inclusion of a document has
// its own Graph.
type Graph struct {
	Document string `json:"document,omitempty"` // an included one: its label
	Nodes    []Node `json:"nodes"`
	Edges    []Edge `json:"edges"` // without those that the format supplies and the run never took
}

// Node is a place that a run can be at, or an end.
type Node struct {
	ID     string `json:"id"` // of the step; of an end its words, behind "end: "
	Title  string `json:"title,omitempty"`
	Visits int    `json:"visits"`
	End    bool   `json:"end,omitempty"`
}

// Edge is a route from one node to another.
type Edge struct {
	From       string `json:"from"`
	To         string `json:"to"`
	Line       int    `json:"line,omitempty"`
	When       string `json:"when,omitempty"`
	Text       string `json:"text,omitempty"` // as the document writes it
	Implicit   bool   `json:"implicit,omitempty"`
	Overridden bool   `json:"forced,omitempty"` // a person sent the run this way
	Times      int    `json:"times"`
	Manual     int    `json:"by_hand,omitempty"` // how many of these followed an outcome that a person set
}

// graphs adds the graph of the document, and one for each inclusion that the run entered.
func (b *builder) graphs(chain []machine.Event) {
	b.graph("", b.track.Plan, chain)
	seen := map[string]bool{}
	for _, e := range chain {
		c, ok := e.Body.(*machine.ChildEntered)
		if !ok || seen[c.Label] {
			continue
		}
		seen[c.Label] = true
		if r := b.track.Row(c.Label); r != nil && r.Doc != nil && r.Doc.Plan != nil {
			b.graph(c.Label, r.Doc.Plan, chain)
		}
	}
}

func (b *builder) graph(label string, p *plan.Plan, chain []machine.Event) {
	prefix := ""
	if label != "" {
		prefix = label + "/"
	}
	trail := routes.NewTrail(prefix)
	trail.Fold(chain...)
	g := routes.Of(p).Along(trail)
	out := Graph{Document: label, Nodes: []Node{}, Edges: []Edge{}}
	for _, n := range g.Nodes {
		if n.CanBeCurrent() {
			out.Nodes = append(out.Nodes, node(n, trail))
		}
	}
	for _, e := range g.Edges {
		if e.Implicit && e.Times == 0 {
			continue
		}
		out.Edges = append(out.Edges, Edge{
			From: node(g.Nodes[e.From], trail).ID, To: node(g.Nodes[e.To], trail).ID,
			Line: e.Line, When: e.When, Text: e.Text, Implicit: e.Implicit, Overridden: e.Overridden, Times: e.Times, Manual: e.Manual,
		})
	}
	b.report.Graphs = append(b.report.Graphs, out)
}

func node(n routes.Node, t *routes.Trail) Node {
	if n.Step == nil {
		return Node{ID: "end: " + n.Label, End: true}
	}
	out := Node{ID: n.Step.ID, Visits: t.Visits[n.Step.ID]}
	if n.Step.Title != n.Step.ID {
		out.Title = n.Step.Title
	}
	return out
}
