package main

import (
	"fmt"
	"strings"

	"playhead/parse/plan"
)

// graph is the route graph of a document, for --mermaid and --dot. A step with
// children is a cluster; where its own routes matter, a node inside it stands for
// the moment at which its children's results are joined.
type graph struct {
	title string
	root  cluster
	start string
	edges []edge
}

type cluster struct {
	id, label string
	nodes     []node
	clusters  []cluster
}

type node struct {
	id, label string
	shape     shape
}

type shape int

const (
	shapeStep shape = iota
	shapePerson
	shapeInclude
	shapeJoin
	shapeEnd
)

type edge struct {
	from, to, label string
	implicit        bool
}

// grapher walks the tree and resolves moves to the nodes they lead to.
type grapher struct {
	graph
	plan *plan.Plan
	ids  map[*plan.Step]string
	up   map[*plan.Step]*plan.Step
	ends map[string]string // the label of an end: its node
}

// graphOf draws what the document says, not what a run of it did.
func graphOf(p *plan.Plan) graph {
	g := &grapher{plan: p, ids: map[*plan.Step]string{}, up: map[*plan.Step]*plan.Step{}, ends: map[string]string{}}
	g.title = p.Title
	p.Walk(func(s, parent *plan.Step) bool {
		g.ids[s], g.up[s] = fmt.Sprintf("s%d", len(g.ids)+1), parent
		return true
	})
	g.root = g.cluster("", "", p.Steps)
	if first := p.FirstUnit(); first != nil {
		g.start = g.ids[first]
	}
	p.Walk(func(s, _ *plan.Step) bool {
		if s.Unit() || decides(s) {
			for _, r := range s.Routes {
				g.move(s, r, r.Do, condition(r))
			}
		}
		return true
	})
	return g.graph
}

func (g *grapher) cluster(id, label string, steps []*plan.Step) cluster {
	c := cluster{id: id, label: label}
	for _, s := range steps {
		name := strings.TrimSpace(s.ID + " " + s.Title)
		if s.Title == s.ID {
			name = s.ID
		}
		if len(s.Children) == 0 {
			c.nodes = append(c.nodes, node{g.ids[s], name, shapeOf(s)})
			continue
		}
		inner := g.cluster("c"+g.ids[s], name, s.Children)
		if decides(s) {
			inner.nodes = append(inner.nodes, node{g.ids[s], s.ID + " " + joinWord(s.Join), shapeJoin})
		}
		c.clusters = append(c.clusters, inner)
	}
	return c
}

// decides reports whether a group has a side of its own to take: routes that do
// more than go on.
func decides(s *plan.Step) bool {
	for _, r := range s.Routes {
		if !r.Do.Implicit {
			return true
		}
	}
	return false
}

func shapeOf(s *plan.Step) shape {
	for _, a := range s.Actions {
		switch a.Work.(type) {
		case plan.Decide, plan.Ask:
			return shapePerson
		case plan.Include:
			return shapeInclude
		}
	}
	return shapeStep
}

// move adds the edges of a move: one, and where a budget bounds it another for
// what comes when it is used up.
func (g *grapher) move(s *plan.Step, r plan.Route, m plan.Move, label string) {
	g.edges = append(g.edges, edge{g.ids[s], g.destination(s, m), label + budget(m), r.Do.Implicit || m.Implicit})
	if m.Then != nil {
		g.move(s, r, *m.Then, condition(r)+", used up")
	}
}

func budget(m plan.Move) string {
	if m.Limit == nil || m.Then == nil || m.Limit.Max == 0 {
		return ""
	}
	n := m.Limit.Max
	if m.Limit.Counter == plan.AttemptCounter {
		n-- // the first attempt is none of the retries
	}
	return fmt.Sprintf(", %d×", n)
}

// destination is the node that a move of s leads to.
func (g *grapher) destination(s *plan.Step, m plan.Move) string {
	switch m.Verb {
	case plan.Continue:
		return g.after(s)
	case plan.Leave:
		return g.side(g.up[s])
	case plan.Again:
		return g.entry(s)
	case plan.Goto, plan.Fallback:
		if to := g.plan.Find(m.To.Step); to != nil {
			return g.entry(to)
		}
		return g.end("as the run says")
	default:
		return g.end(strings.TrimSuffix(string(m.Result)+": "+plan.Source(m.Message), ": "))
	}
}

// entry is the node at which a step is entered.
func (g *grapher) entry(s *plan.Step) string {
	for !s.Unit() {
		s = s.Children[0]
	}
	return g.ids[s]
}

// after is the node that follows s: the next sibling that is not entered by a
// jump alone, else the parent's side, else the end.
func (g *grapher) after(s *plan.Step) string {
	parent, siblings := g.up[s], g.plan.Steps
	if parent != nil {
		siblings = parent.Children
	}
	past := false
	for _, o := range siblings {
		if past && !o.Aside {
			return g.entry(o)
		}
		past = past || o == s
	}
	return g.side(parent)
}

// side is the node where a group's results are joined, or what follows a group
// that only goes on.
func (g *grapher) side(group *plan.Step) string {
	switch {
	case group == nil:
		return g.end(string(plan.Completed))
	case decides(group):
		return g.ids[group]
	default:
		return g.after(group)
	}
}

func (g *grapher) end(label string) string {
	id, known := g.ends[label]
	if !known {
		id = fmt.Sprintf("e%d", len(g.ends)+1)
		g.ends[label] = id
		g.root.nodes = append(g.root.nodes, node{id, label, shapeEnd})
	}
	return id
}

func joinWord(j plan.Join) string {
	if j == plan.Any {
		return "any"
	}
	return "all"
}

// condition is the part of a route that says when it is taken, as written where
// the format writes it in front of a colon or an arrow.
func condition(r plan.Route) string {
	for _, mark := range []string{":", "→"} {
		if when, _, found := strings.Cut(r.Do.Text, mark); found {
			return strings.TrimSpace(when)
		}
	}
	switch {
	case r.When.Test != nil:
		return r.When.Test.Text
	case r.When.Intent != "":
		return r.When.Intent
	default:
		return string(r.When.Result)
	}
}
