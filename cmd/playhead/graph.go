package main

import (
	"fmt"
	"strings"

	"playhead/engine/routes"
	"playhead/parse/plan"
)

// graph is the route graph of a document as it is drawn for --mermaid and --dot. A step
// with children is a cluster; where its own routes matter, a node inside it stands for
// the moment at which its children's results are joined, or a branch is chosen.
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

// drawing names the nodes of a route graph: s1, s2 … are steps, e1, e2 … ends.
type drawing struct {
	*routes.Graph
	steps int
}

// graphOf draws what the document says, not what a run of it did.
func graphOf(p *plan.Plan) graph {
	d := drawing{Graph: routes.Of(p)}
	for _, n := range d.Nodes {
		if n.Step != nil {
			d.steps++
		}
	}
	g := graph{title: p.Title, root: d.cluster("", "", p.Steps)}
	for i, n := range d.Nodes[d.steps:] {
		g.root.nodes = append(g.root.nodes, node{d.id(d.steps + i), n.Label, shapeEnd})
	}
	if len(d.Starts) > 0 {
		g.start = d.id(d.Starts[0])
	}
	for _, e := range d.Edges {
		g.edges = append(g.edges, edge{d.id(e.From), d.id(e.To), e.Label(), e.Implicit})
	}
	return g
}

func (d drawing) id(i int) string {
	if i < d.steps {
		return fmt.Sprintf("s%d", i+1)
	}
	return fmt.Sprintf("e%d", i-d.steps+1)
}

func (d drawing) cluster(id, label string, steps []*plan.Step) cluster {
	c := cluster{id: id, label: label}
	for _, s := range steps {
		own := d.Node(s.ID)
		name := strings.TrimSpace(s.ID + " " + s.Title)
		if s.Title == s.ID {
			name = s.ID
		}
		if len(s.Children) == 0 {
			c.nodes = append(c.nodes, node{d.id(own), name, shapeOf(s)})
			continue
		}
		inner := d.cluster("c"+d.id(own), name, s.Children)
		if d.Nodes[own].Stands() {
			inner.nodes = append(inner.nodes, d.group(own))
		}
		c.clusters = append(c.clusters, inner)
	}
	return c
}

// group is the node that a group has inside of it: where it chooses a branch or does
// something itself a step, else where it joins results.
func (d drawing) group(own int) node {
	s := d.Nodes[own].Step
	if s.Unit() || s.First().Arm() {
		return node{d.id(own), s.ID, shapeOf(s)}
	}
	return node{d.id(own), s.ID + " " + joinWord(s.Join), shapeJoin}
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

func joinWord(j plan.Join) string {
	if j == plan.Any {
		return "any"
	}
	return "all"
}
