// Package routes has the routes of a document as a graph: the steps, the routes between them with
// their conditions, and which routes runs took.
//
// A Graph has what a document allows, RunCounts what one run did, and a Coverage what many runs did.
package routes

import (
	"fmt"
	"slices"

	"playhead/parse/plan"
)

// Graph is the route graph of a document. Included documents have their own.
type Graph struct {
	Nodes         []Node // the steps in reading order, then the ends
	Edges         []Edge // in the order of the steps they leave
	StartNodes    []int  // the nodes where runs can start, the default first
	nodeIndexByID map[string]int
}

// Node is a step, or an end of the document.
type Node struct {
	Step           *plan.Step // nil: an end
	GroupNodeIndex int        // the index of the group that it is in; -1: none
	Depth          int        // the number of groups that it is in
	Label          string     // the label of an end
	OutEdges       []int      // the indices of the edges that leave it
	InEdges        []int      // the indices of the edges that lead to it
}

// Edge is a route from one node to another, or what a person chose instead.
type Edge struct {
	RouteRef
	From, To       int    // indices of Nodes
	Condition      string // the condition, with the limit if there is one
	SourceText     string // as the document writes it
	Line           int    // 0: it is not in the document
	Implicit       bool   // the format supplies it
	IsByPerson     bool   // no route: a person sent the run this way
	TargetInstance string // thisInstance or NextInstance, if the step has numbered instances
	TakenCount     int    // how often a run took it, in the graph of that run
	ManualCount    int    // how many of these followed an outcome that a person set, or retries that a person marked as used
}

// Which instance of a step an edge leads to.
const (
	thisInstance = "this instance"
	NextInstance = "next instance"
)

// Label returns the condition, and the instance that the edge leads to if it is not the current
// one.
func (e Edge) Label() string {
	if e.TargetInstance == NextInstance {
		return e.Condition + ", " + e.TargetInstance
	}
	return e.Condition
}

// CanBeCurrent reports whether a run can be at the node, or decides there. Other nodes are only
// groups of steps.
func (n Node) CanBeCurrent() bool {
	return n.Step == nil || len(n.OutEdges) > 0 || n.Step.IsExecutable()
}

// GraphOf returns the graph of a document's routes, independent of any run.
func GraphOf(p *plan.Plan) *Graph {
	b := &graphBuilder{Graph: Graph{nodeIndexByID: map[string]int{}}, plan: p, endByLabel: map[string]int{}, siblingIndex: map[*plan.Step]int{}}
	b.Edges = make([]Edge, 0, b.indexSiblings(p.Steps))
	p.Walk(func(s, parent *plan.Step) bool {
		up, depth := -1, 0
		if parent != nil {
			up = b.nodeIndexByID[parent.ID]
			depth = b.Nodes[up].Depth + 1
		}
		b.nodeIndexByID[s.ID] = len(b.Nodes)
		b.Nodes = append(b.Nodes, Node{Step: s, GroupNodeIndex: up, Depth: depth})
		return true
	})
	b.addStarts()
	for i := range len(b.Nodes) {
		b.addArms(i)
		b.addRoutes(i)
	}
	return &b.Graph
}

// NodeIndex returns the index of a step's node, -1 if there is none.
func (g *Graph) NodeIndex(id string) int {
	if i, ok := g.nodeIndexByID[id]; ok {
		return i
	}
	return -1
}

// NoExplicitRoutesText says that there is no coverage of a document, because HasExplicitRoutes is false.
const NoExplicitRoutesText = "This document has no explicit routes, so there are none to count."

// HasExplicitRoutes reports whether there are routes that the document writes.
func (g *Graph) HasExplicitRoutes() bool {
	return slices.ContainsFunc(g.Edges, func(e Edge) bool { return !e.Implicit })
}

// graphBuilder walks the tree and resolves moves to the nodes they lead to.
type graphBuilder struct {
	Graph
	plan         *plan.Plan
	endByLabel   map[string]int     // by label
	siblingIndex map[*plan.Step]int // which of its siblings a step is
}

// indexSiblings stores the index of each step among its siblings, and returns the number of routes of all steps below.
func (b *graphBuilder) indexSiblings(siblings []*plan.Step) (routes int) {
	for i, s := range siblings {
		b.siblingIndex[s] = i
		routes += len(s.Routes) + b.indexSiblings(s.Children)
	}
	return routes
}

func (b *graphBuilder) addStarts() {
	first := b.plan.StartStep()
	if first == nil {
		return
	}
	b.StartNodes = []int{b.nodeIndexByID[first.ID]}
	for _, e := range b.plan.Entries {
		if i, ok := b.nodeIndexByID[e.Step]; ok && e.When != "" {
			b.StartNodes = append(b.StartNodes, b.entryNode(b.Nodes[i].Step))
		}
	}
}

func (b *graphBuilder) addEdge(e Edge) {
	b.Nodes[e.From].OutEdges = append(b.Nodes[e.From].OutEdges, len(b.Edges))
	b.Nodes[e.To].InEdges = append(b.Nodes[e.To].InEdges, len(b.Edges))
	b.Edges = append(b.Edges, e)
}

// addArms adds the edges into the arms of a node's choices, and past a choice in which no arm has to
// match.
func (b *graphBuilder) addArms(at int) {
	s := b.Nodes[at].Step
	for i, c := range s.Children {
		if !c.IsArm() {
			continue
		}
		b.addEdge(Edge{RouteRef: armRouteRef(c.ID), From: at, To: b.firstNode(c), Condition: c.ArmText(), SourceText: c.ArmText(), Line: c.Span.Line})
		last := i+1 == len(s.Children) || !s.Children[i+1].IsElseOrElif
		if last && c.ArmTest != nil {
			b.addEdge(Edge{RouteRef: elseRouteRef(s.ID), From: at, To: b.nextNode(c), Condition: "no branch matches", Implicit: true})
		}
	}
}

// addRoutes adds the edges of a node's step. Where a step without explicit routes has children, its route to
// continue has no edge, because the routes of the children lead on.
func (b *graphBuilder) addRoutes(at int) {
	s := b.Nodes[at].Step
	joins := s.HasExplicitRoutes()
	if !joins && !s.IsExecutable() {
		return
	}
	for i := range s.Routes {
		r := &s.Routes[i]
		if len(s.Children) > 0 && !joins && r.Do.Verb == plan.Continue {
			continue
		}
		b.addMoves(at, i, r)
	}
}

// addMoves adds the edge of a route, and one for each move that follows when the limit of the one
// before is used up.
func (b *graphBuilder) addMoves(at, nth int, r *plan.Route) {
	s, depth := b.Nodes[at].Step, 0
	for m := &r.Do; m != nil; m = m.AfterLimit {
		when := r.Condition() + budgetText(m)
		if depth > 0 {
			when = r.Condition() + ", limit used up" + budgetText(m)
		}
		e := Edge{
			RouteRef: RouteRef{s.ID, nth, depth}, From: at, To: b.destination(s, m), Condition: when, SourceText: m.SourceText,
			Line: m.Span.Line, Implicit: r.Do.Implicit || m.Implicit, TargetInstance: b.enteredInstance(m),
		}
		if e.Implicit {
			e.Line = 0
		}
		b.addEdge(e)
		depth++
	}
}

// enteredInstance returns which instance of its step a move enters, "" if the step has only one.
func (b *graphBuilder) enteredInstance(m *plan.Move) string {
	switch to := b.NodeIndex(m.To.Step); {
	case m.Verb != plan.Goto:
		return ""
	case m.To.IsNextInstance:
		return NextInstance
	case to >= 0 && b.hasInstances(to):
		return thisInstance
	}
	return ""
}

// hasInstances reports whether a node exists in numbered instances, by itself or in its group.
func (b *graphBuilder) hasInstances(at int) bool {
	for ; at >= 0; at = b.Nodes[at].GroupNodeIndex {
		if b.Nodes[at].Step.HasInstances {
			return true
		}
	}
	return false
}

func budgetText(m *plan.Move) string {
	if m.Limit == nil || m.AfterLimit == nil || m.Limit.Max == 0 {
		return ""
	}
	n := m.Limit.Max
	if m.Limit.Counter == plan.AttemptCounter {
		n-- // the first attempt is none of the retries
	}
	return fmt.Sprintf(", %d×", n)
}

// ReachableSteps returns the IDs of the steps that a run can reach from a step, or from the start if from
// is empty or no step. A route to UnknownTarget may lead to any step.
func (g *Graph) ReachableSteps(from string) map[string]bool {
	queue := append([]int{}, g.StartNodes...)
	if at := g.NodeIndex(from); from != "" && at >= 0 {
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
			if len(n.Step.Children) > 0 && n.Step.IsExecutable() && !n.Step.EntryChild().IsArm() {
				visit(g.firstNode(n.Step.EntryChild()))
			}
		}
		for _, e := range n.OutEdges {
			visit(g.Edges[e].To)
		}
	}
	return out
}
