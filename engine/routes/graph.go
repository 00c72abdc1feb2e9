// Package routes has the ways through a document as a graph: which steps there are,
// which routes lead from one to another and under which condition, and which of them
// runs took.
//
// A Graph says what a document allows, a Trail what one run did of it, and Coverage
// what many did.
package routes

import (
	"fmt"

	"playhead/parse/plan"
)

// Graph is the route graph of a document. Included documents have their own.
type Graph struct {
	Nodes  []Node // the steps in reading order, then the ends
	Edges  []Edge // in the order of the steps they leave
	Starts []int  // where runs start, the default first
	byID   map[string]int
}

// Node is a step, or an end of the document.
type Node struct {
	Step  *plan.Step // nil: an end
	Up    int        // the group that it is in; -1: none
	Depth int        // in how many groups it is
	Label string     // of an end: what the document says of it
	Out   []int      // the edges that leave it
	In    []int      // those that lead to it
}

// Edge is a way from one node to another.
type Edge struct {
	RouteRef
	From, To   int    // indices of Nodes
	When       string // the condition, and the budget if there is one
	Text       string // as the document writes it
	Line       int    // 0: it stands on none
	Implicit   bool   // the format supplies it
	Overridden bool   // no route: a person sent the run this way
	Instance   string // of a step that exists in numbered instances: ThisInstance or NextInstance
	Times      int    // how often a run went along it; see Along
	Manual     int    // how often of these a person had said how its step went
}

// Which instance of a step an edge leads to.
const (
	ThisInstance = "this instance"
	NextInstance = "next instance"
)

// Label returns the condition, and the instance that the edge leads to if it is not the current
// one.
func (e Edge) Label() string {
	if e.Instance == NextInstance {
		return e.When + ", " + e.Instance
	}
	return e.When
}

// CanBeCurrent reports whether a run can be at the node, or decides there: any other node
// only holds some.
func (n Node) CanBeCurrent() bool { return n.Step == nil || len(n.Out) > 0 || n.Step.IsExecutable() }

// Of returns the graph of a document's routes, independent of any run.
func Of(p *plan.Plan) *Graph {
	b := &builder{Graph: Graph{byID: map[string]int{}}, plan: p, ends: map[string]int{}, nth: map[*plan.Step]int{}}
	b.Edges = make([]Edge, 0, b.number(p.Steps))
	p.Walk(func(s, parent *plan.Step) bool {
		up, depth := -1, 0
		if parent != nil {
			up = b.byID[parent.ID]
			depth = b.Nodes[up].Depth + 1
		}
		b.byID[s.ID] = len(b.Nodes)
		b.Nodes = append(b.Nodes, Node{Step: s, Up: up, Depth: depth})
		return true
	})
	b.starts()
	for i := range len(b.Nodes) {
		b.arms(i)
		b.routes(i)
	}
	return &b.Graph
}

// Node returns the index of a step's node, -1 if there is none.
func (g *Graph) Node(id string) int {
	if i, ok := g.byID[id]; ok {
		return i
	}
	return -1
}

// Written reports whether there are routes that the document writes.
func (g *Graph) Written() bool {
	for _, e := range g.Edges {
		if !e.Implicit {
			return true
		}
	}
	return false
}

// builder walks the tree and resolves moves to the nodes they lead to.
type builder struct {
	Graph
	plan *plan.Plan
	ends map[string]int     // by label
	nth  map[*plan.Step]int // which of its siblings a step is
}

// number numbers siblings, and counts the routes of all that is below.
func (b *builder) number(siblings []*plan.Step) (routes int) {
	for i, s := range siblings {
		b.nth[s] = i
		routes += len(s.Routes) + b.number(s.Children)
	}
	return routes
}

func (b *builder) starts() {
	first := b.plan.FirstExecutable()
	if first == nil {
		return
	}
	b.Starts = []int{b.byID[first.ID]}
	for _, e := range b.plan.Entries {
		if i, ok := b.byID[e.Step]; ok && e.When != "" {
			b.Starts = append(b.Starts, b.entry(b.Nodes[i].Step))
		}
	}
}

func (b *builder) add(e Edge) {
	b.Nodes[e.From].Out = append(b.Nodes[e.From].Out, len(b.Edges))
	b.Nodes[e.To].In = append(b.Nodes[e.To].In, len(b.Edges))
	b.Edges = append(b.Edges, e)
}

// arms adds the ways into the arms of a node's choices, and past a choice that need
// not take any.
func (b *builder) arms(at int) {
	s := b.Nodes[at].Step
	for i, c := range s.Children {
		if !c.IsArm() {
			continue
		}
		b.add(Edge{RouteRef: armRef(c.ID), From: at, To: b.firstNode(c), When: c.ArmText(), Text: c.ArmText(), Line: c.Span.Line})
		last := i+1 == len(s.Children) || !s.Children[i+1].Else
		if last && c.When != nil {
			b.add(Edge{RouteRef: elseRef(s.ID), From: at, To: b.nextNode(c), When: "no branch", Implicit: true})
		}
	}
}

// routes adds those of a node's step. The children of a group that only goes on lead
// on by themselves.
func (b *builder) routes(at int) {
	s := b.Nodes[at].Step
	joins := Decides(s)
	if !joins && !s.IsExecutable() {
		return
	}
	for i := range s.Routes {
		r := &s.Routes[i]
		if len(s.Children) > 0 && !joins && r.Do.Verb == plan.Continue {
			continue
		}
		b.moves(at, i, r)
	}
}

// moves adds the edge of a route, and where a budget bounds it another for what comes
// when that is used up.
func (b *builder) moves(at, nth int, r *plan.Route) {
	s, depth := b.Nodes[at].Step, 0
	for m := &r.Do; m != nil; m = m.Then {
		when := r.Condition() + budget(m)
		if depth > 0 {
			when = r.Condition() + ", used up" + budget(m)
		}
		e := Edge{
			RouteRef: RouteRef{s.ID, nth, depth}, From: at, To: b.destination(s, m), When: when, Text: m.Text,
			Line: m.Span.Line, Implicit: r.Do.Implicit || m.Implicit, Instance: b.instance(m),
		}
		if e.Implicit {
			e.Line = 0
		}
		b.add(e)
		depth++
	}
}

// instance returns which instance of its step a move enters, "" if the step has only one.
func (b *builder) instance(m *plan.Move) string {
	switch to := b.Node(m.To.Step); {
	case m.Verb != plan.Goto:
		return ""
	case m.To.Next:
		return NextInstance
	case to >= 0 && b.numbered(to):
		return ThisInstance
	}
	return ""
}

// numbered reports whether a node exists in numbered instances, by itself or in its group.
func (b *builder) numbered(at int) bool {
	for ; at >= 0; at = b.Nodes[at].Up {
		if b.Nodes[at].Step.Template {
			return true
		}
	}
	return false
}

// Decides reports whether a group has a side of its own to take: routes that do
// more than go on.
func Decides(s *plan.Step) bool {
	for _, r := range s.Routes {
		if !r.Do.Implicit {
			return true
		}
	}
	return false
}

func budget(m *plan.Move) string {
	if m.Limit == nil || m.Then == nil || m.Limit.Max == 0 {
		return ""
	}
	n := m.Limit.Max
	if m.Limit.Counter == plan.AttemptCounter {
		n-- // the first attempt is none of the retries
	}
	return fmt.Sprintf(", %d×", n)
}

// Reached returns the IDs of the steps that a run can get to from a step, or from where runs start if
// from is empty or no step. Where a route leads as the run says, it may lead to any step.
func (g *Graph) Reached(from string) map[string]bool {
	queue := append([]int{}, g.Starts...)
	if at := g.Node(from); from != "" && at >= 0 {
		queue = []int{g.firstNode(g.Nodes[at].Step)}
	}
	seen, out := make([]bool, len(g.Nodes)), map[string]bool{}
	visit := func(at int) {
		if !seen[at] {
			seen[at] = true
			queue = append(queue, at)
		}
	}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		seen[at] = true
		n := g.Nodes[at]
		switch {
		case n.Label == UnknownTarget:
			for i := range g.Nodes {
				visit(i)
			}
		case n.Step != nil:
			out[n.Step.ID] = true
			if len(n.Step.Children) > 0 && n.Step.IsExecutable() && !n.Step.First().IsArm() {
				visit(g.firstNode(n.Step.First()))
			}
		}
		for _, e := range n.Out {
			visit(g.Edges[e].To)
		}
	}
	return out
}
