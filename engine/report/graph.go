package report

import (
	"cmp"

	"playhead/engine/machine"
	"playhead/engine/routes"
	"playhead/engine/track"
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
	ID              string `json:"id"` // the ID of the step; of an end "end: " and its label
	Title           string `json:"title,omitempty"`
	EntryCount      int    `json:"visits"`
	SupersededCount int    `json:"visits_superseded,omitempty"` // entries that a rewind undid
	IsEnd           bool   `json:"end,omitempty"`
}

// Edge is a route from one node to another.
type Edge struct {
	From            string `json:"from"`
	To              string `json:"to"`
	Line            int    `json:"line,omitempty"`
	Condition       string `json:"when,omitempty"`
	Text            string `json:"text,omitempty"` // as the document writes it
	Implicit        bool   `json:"implicit,omitempty"`
	IsByPerson      bool   `json:"forced,omitempty"` // a person sent the run this way
	TakenCount      int    `json:"times"`
	ManualCount     int    `json:"by_hand,omitempty"`          // how many of these followed an outcome that a person set
	SupersededCount int    `json:"times_superseded,omitempty"` // how often the run took it before a rewind took the run back
}

// addGraphs adds the graph of the document, and one for each inclusion that the run entered.
func (b *reportBuilder) addGraphs(chain []machine.Event) {
	b.addGraph("", b.track.Plan, chain)
	seen := map[string]bool{}
	for _, e := range b.Events {
		c, ok := e.Body.(*machine.ChildEntered)
		if !ok || seen[c.Label] {
			continue
		}
		seen[c.Label] = true
		if p := cmp.Or(documentAt(b.track, c.Label), b.abandonedDocuments[c.Label]); p != nil {
			b.addGraph(c.Label, p, chain)
		}
	}
}

// documentAt returns the included document with a label, nil if there is none.
func documentAt(t *track.Track, label string) *plan.Plan {
	if r := t.RowByLabel(label); r != nil && r.IncludedDocument != nil {
		return r.IncludedDocument.Plan
	}
	return nil
}

func (b *reportBuilder) addGraph(label string, p *plan.Plan, chain []machine.Event) {
	prefix := ""
	if label != "" {
		prefix = label + "/"
	}
	counts, all := routes.NewRunCounts(prefix), routes.NewRunCounts(prefix)
	counts.Fold(chain...)
	all.Fold(b.Events...)
	g, everTaken := routes.GraphOf(p).WithCounts(counts), map[routes.Edge]int{}
	for _, e := range g.Edges {
		everTaken[withoutCounts(e)] = e.TakenCount
	}
	for _, e := range routes.GraphOf(p).WithCounts(all).Edges {
		key := withoutCounts(e)
		if _, live := everTaken[key]; !live { // only a superseded part of the run has the route
			g.Edges = append(g.Edges, key)
		}
		everTaken[key] = e.TakenCount
	}
	out := Graph{Document: label, Nodes: []Node{}, Edges: []Edge{}}
	for _, n := range g.Nodes {
		if n.CanBeCurrent() {
			out.Nodes = append(out.Nodes, newNode(n, counts, all))
		}
	}
	for _, e := range g.Edges {
		superseded := max(0, everTaken[withoutCounts(e)]-e.TakenCount)
		if e.Implicit && e.TakenCount == 0 && superseded == 0 {
			continue
		}
		out.Edges = append(out.Edges, Edge{
			From: nodeID(g.Nodes[e.From]), To: nodeID(g.Nodes[e.To]),
			Line: e.Line, Condition: e.Condition, Text: e.SourceText, Implicit: e.Implicit, IsByPerson: e.IsByPerson,
			TakenCount: e.TakenCount, ManualCount: e.ManualCount, SupersededCount: superseded,
		})
	}
	b.report.Graphs = append(b.report.Graphs, out)
}

// withoutCounts returns an edge as the graphs of all runs have it.
func withoutCounts(e routes.Edge) routes.Edge {
	e.TakenCount, e.ManualCount = 0, 0
	return e
}

func nodeID(n routes.Node) string {
	if n.Step == nil {
		return "end: " + n.Label
	}
	return n.Step.ID
}

// newNode returns a node with how often it was entered on the branch of the run, and with those of all events that are not
// on it.
func newNode(n routes.Node, counts, all *routes.RunCounts) Node {
	if n.Step == nil {
		return Node{ID: nodeID(n), IsEnd: true}
	}
	entries := counts.EntryCounts[n.Step.ID]
	out := Node{ID: nodeID(n), EntryCount: entries, SupersededCount: max(0, all.EntryCounts[n.Step.ID]-entries)}
	if n.Step.Title != n.Step.ID {
		out.Title = n.Step.Title
	}
	return out
}
