package show

import (
	"fmt"
	"io"
	"strings"

	"playhead/engine/routes"
	"playhead/engine/sanitize"
	"playhead/parse/plan"
)

// graph is the route graph of a document as it is drawn for --mermaid and --dot. A step
// with children is a cluster; where its own routes matter, a node inside it stands for
// the moment at which its children's results are joined, or a branch is chosen. Its labels
// are single lines that are safe for a terminal.
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

// graphBuilder builds a graph from routes. It names the nodes: s1, s2 … are steps, e1, e2 … ends.
type graphBuilder struct {
	*routes.Graph
	steps int
}

// graphOf returns the graph of a document's routes, independent of any run.
func graphOf(p *plan.Plan) graph {
	b := graphBuilder{Graph: routes.Of(p)}
	for _, n := range b.Nodes {
		if n.Step != nil {
			b.steps++
		}
	}
	g := graph{title: sanitize.Plain(p.Title), root: b.cluster("", "", p.Steps)}
	for i, n := range b.Nodes[b.steps:] {
		g.root.nodes = append(g.root.nodes, node{b.id(b.steps + i), sanitize.Plain(n.Label), shapeEnd})
	}
	if len(b.Starts) > 0 {
		g.start = b.id(b.Starts[0])
	}
	for _, e := range b.Edges {
		g.edges = append(g.edges, edge{b.id(e.From), b.id(e.To), sanitize.Plain(e.Label()), e.Implicit})
	}
	return g
}

func (b graphBuilder) id(i int) string {
	if i < b.steps {
		return fmt.Sprintf("s%d", i+1)
	}
	return fmt.Sprintf("e%d", i-b.steps+1)
}

func (b graphBuilder) cluster(id, label string, steps []*plan.Step) cluster {
	c := cluster{id: id, label: label}
	for _, s := range steps {
		index := b.Node(s.ID)
		name := strings.TrimSpace(s.ID + " " + s.Title)
		if s.Title == s.ID {
			name = s.ID
		}
		name = sanitize.Plain(name)
		if len(s.Children) == 0 {
			c.nodes = append(c.nodes, node{b.id(index), name, shapeOf(s)})
			continue
		}
		inner := b.cluster("c"+b.id(index), name, s.Children)
		if b.Nodes[index].CanBeCurrent() {
			inner.nodes = append(inner.nodes, b.groupNode(index))
		}
		c.clusters = append(c.clusters, inner)
	}
	return c
}

// groupNode returns the node inside a group's cluster: a step if the group chooses a branch or has
// actions, else the join of its children's results.
func (b graphBuilder) groupNode(index int) node {
	s := b.Nodes[index].Step
	if s.IsExecutable() || s.First().IsArm() {
		return node{b.id(index), sanitize.Plain(s.ID), shapeOf(s)}
	}
	return node{b.id(index), sanitize.Plain(s.ID) + " " + joinName(s.Join), shapeJoin}
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

func joinName(j plan.Join) string {
	if j == plan.Any {
		return "any"
	}
	return "all"
}

// dotShapes are Graphviz's names of the shapes.
var dotShapes = map[shape]string{
	shapeStep:    "box",
	shapePerson:  "hexagon",
	shapeInclude: "component",
	shapeJoin:    "diamond",
	shapeEnd:     "oval",
}

var dotEscape = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// WriteDOT writes the route graph of a document for Graphviz.
func WriteDOT(w io.Writer, p *plan.Plan) {
	g := graphOf(p)
	fmt.Fprintf(w, "digraph \"%s\" {\n", dotEscape.Replace(g.title))
	if g.start != "" {
		fmt.Fprintf(w, "  start [shape=point];\n  start -> %s;\n", g.start)
	}
	writeDotCluster(w, g.root, "  ")
	for _, e := range g.edges {
		style := ""
		if e.implicit {
			style = ", style=dashed"
		}
		fmt.Fprintf(w, "  %s -> %s [label=\"%s\"%s];\n", e.from, e.to, dotEscape.Replace(e.label), style)
	}
	fmt.Fprintln(w, "}")
}

func writeDotCluster(w io.Writer, c cluster, indent string) {
	for _, n := range c.nodes {
		fmt.Fprintf(w, "%s%s [label=\"%s\", shape=%s];\n", indent, n.id, dotEscape.Replace(n.label), dotShapes[n.shape])
	}
	for _, inner := range c.clusters {
		fmt.Fprintf(w, "%ssubgraph cluster_%s {\n%s  label=\"%s\";\n", indent, inner.id, indent, dotEscape.Replace(inner.label))
		writeDotCluster(w, inner, indent+"  ")
		fmt.Fprintf(w, "%s}\n", indent)
	}
}

// mermaidShapes are the brackets around a node's label.
var mermaidShapes = map[shape][2]string{
	shapeStep:    {"[", "]"},
	shapePerson:  {"{{", "}}"},
	shapeInclude: {"[[", "]]"},
	shapeJoin:    {"{", "}"},
	shapeEnd:     {"([", "])"},
}

// mermaidEscape keeps a label from being read as Mermaid, HTML or Markdown.
var mermaidEscape = strings.NewReplacer(
	"#", "#35;", "&", "#amp;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "`", "#96;",
)

// WriteMermaid writes the route graph of a document as a Mermaid flowchart. Routes that the
// document does not write are dashed.
func WriteMermaid(w io.Writer, p *plan.Plan) {
	g := graphOf(p)
	fmt.Fprintln(w, "flowchart TD")
	if g.start != "" {
		fmt.Fprintf(w, "  start((\"start\")) --> %s\n", g.start)
	}
	writeMermaidCluster(w, g.root, "  ")
	for _, e := range g.edges {
		arrow := "-->"
		if e.implicit {
			arrow = "-.->"
		}
		fmt.Fprintf(w, "  %s %s|\"%s\"| %s\n", e.from, arrow, mermaidEscape.Replace(e.label), e.to)
	}
}

func writeMermaidCluster(w io.Writer, c cluster, indent string) {
	for _, n := range c.nodes {
		b := mermaidShapes[n.shape]
		fmt.Fprintf(w, "%s%s%s\"%s\"%s\n", indent, n.id, b[0], mermaidEscape.Replace(n.label), b[1])
	}
	for _, inner := range c.clusters {
		fmt.Fprintf(w, "%ssubgraph %s[\"%s\"]\n", indent, inner.id, mermaidEscape.Replace(inner.label))
		writeMermaidCluster(w, inner, indent+"  ")
		fmt.Fprintf(w, "%send\n", indent)
	}
}
