package show

import (
	"fmt"
	"io"
	"strings"

	"playhead/engine/routes"
	"playhead/engine/sanitize"
	"playhead/parse/plan"
)

// routeGraph is the route graph of a document for --mermaid and --dot. A step with children is a cluster. If
// the step has routes of its own, a node in the cluster stands for the decision that joins the results
// of its children or chooses a branch. Labels are single lines that are safe for a terminal.
type routeGraph struct {
	title string
	root  graphCluster
	start string
	edges []graphEdge
}

type graphCluster struct {
	id, label string
	nodes     []graphNode
	clusters  []graphCluster
}

type graphNode struct {
	id, label string
	shape     nodeShape
}

type nodeShape int

const (
	shapeStep nodeShape = iota
	shapePerson
	shapeInclude
	shapeJoin
	shapeEnd
)

type graphEdge struct {
	from, to, label string
	implicit        bool
}

// graphBuilder builds a graph from routes. The IDs of nodes are s1, s2 … for steps and e1, e2 … for
// ends.
type graphBuilder struct {
	*routes.Graph
	stepCount int
}

// newRouteGraph returns the graph of a document's routes, independent of any run.
func newRouteGraph(p *plan.Plan) routeGraph {
	b := graphBuilder{Graph: routes.GraphOf(p)}
	for _, n := range b.Nodes {
		if n.Step != nil {
			b.stepCount++
		}
	}
	g := routeGraph{title: sanitize.Plain(p.Title), root: b.newCluster("", "", p.Steps)}
	for i, n := range b.Nodes[b.stepCount:] {
		g.root.nodes = append(g.root.nodes, graphNode{b.nodeID(b.stepCount + i), sanitize.Plain(n.Label), shapeEnd})
	}
	if len(b.StartNodes) > 0 {
		g.start = b.nodeID(b.StartNodes[0])
	}
	for _, e := range b.Edges {
		g.edges = append(g.edges, graphEdge{b.nodeID(e.From), b.nodeID(e.To), sanitize.Plain(e.Label()), e.Implicit})
	}
	return g
}

func (b graphBuilder) nodeID(i int) string {
	if i < b.stepCount {
		return fmt.Sprintf("s%d", i+1)
	}
	return fmt.Sprintf("e%d", i-b.stepCount+1)
}

func (b graphBuilder) newCluster(id, label string, steps []*plan.Step) graphCluster {
	c := graphCluster{id: id, label: label}
	for _, s := range steps {
		index := b.NodeIndex(s.ID)
		name := strings.TrimSpace(s.ID + " " + s.Title)
		if s.Title == s.ID {
			name = s.ID
		}
		name = sanitize.Plain(name)
		if len(s.Children) == 0 {
			c.nodes = append(c.nodes, graphNode{b.nodeID(index), name, stepShape(s)})
			continue
		}
		inner := b.newCluster("c"+b.nodeID(index), name, s.Children)
		if b.Nodes[index].CanBeCurrent() {
			inner.nodes = append(inner.nodes, b.groupNode(index))
		}
		c.clusters = append(c.clusters, inner)
	}
	return c
}

// groupNode returns the node inside a group's cluster: a step if the group chooses a branch or has
// actions, else the join of its children's results.
func (b graphBuilder) groupNode(index int) graphNode {
	s := b.Nodes[index].Step
	if s.IsExecutable() || s.EntryChild().IsArm() {
		return graphNode{b.nodeID(index), sanitize.Plain(s.ID), stepShape(s)}
	}
	return graphNode{b.nodeID(index), sanitize.Plain(s.ID) + " " + joinModeName(s.Join), shapeJoin}
}

func stepShape(s *plan.Step) nodeShape {
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

func joinModeName(j plan.Join) string {
	if j == plan.JoinAny {
		return "any"
	}
	return "all"
}

// dotShapeName are Graphviz's names of the shapes.
var dotShapeName = map[nodeShape]string{
	shapeStep:    "box",
	shapePerson:  "hexagon",
	shapeInclude: "component",
	shapeJoin:    "diamond",
	shapeEnd:     "oval",
}

var dotEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// WriteDOT writes the route graph of a document for Graphviz.
func WriteDOT(w io.Writer, p *plan.Plan) {
	g := newRouteGraph(p)
	fmt.Fprintf(w, "digraph \"%s\" {\n", dotEscaper.Replace(g.title))
	if g.start != "" {
		fmt.Fprintf(w, "  start [shape=point];\n  start -> %s;\n", g.start)
	}
	writeDotCluster(w, g.root, "  ")
	for _, e := range g.edges {
		style := ""
		if e.implicit {
			style = ", style=dashed"
		}
		fmt.Fprintf(w, "  %s -> %s [label=\"%s\"%s];\n", e.from, e.to, dotEscaper.Replace(e.label), style)
	}
	fmt.Fprintln(w, "}")
}

func writeDotCluster(w io.Writer, c graphCluster, indent string) {
	for _, n := range c.nodes {
		fmt.Fprintf(w, "%s%s [label=\"%s\", shape=%s];\n", indent, n.id, dotEscaper.Replace(n.label), dotShapeName[n.shape])
	}
	for _, inner := range c.clusters {
		fmt.Fprintf(w, "%ssubgraph cluster_%s {\n%s  label=\"%s\";\n", indent, inner.id, indent, dotEscaper.Replace(inner.label))
		writeDotCluster(w, inner, indent+"  ")
		fmt.Fprintf(w, "%s}\n", indent)
	}
}

// mermaidBrackets are the brackets around a node's label.
var mermaidBrackets = map[nodeShape][2]string{
	shapeStep:    {"[", "]"},
	shapePerson:  {"{{", "}}"},
	shapeInclude: {"[[", "]]"},
	shapeJoin:    {"{", "}"},
	shapeEnd:     {"([", "])"},
}

// mermaidEscaper keeps a label from being read as Mermaid, HTML or Markdown.
var mermaidEscaper = strings.NewReplacer(
	"#", "#35;", "&", "#amp;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "`", "#96;",
)

// WriteMermaid writes the route graph of a document as a Mermaid flowchart. Routes that the
// document does not write are dashed.
func WriteMermaid(w io.Writer, p *plan.Plan) {
	g := newRouteGraph(p)
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
		fmt.Fprintf(w, "  %s %s|\"%s\"| %s\n", e.from, arrow, mermaidEscaper.Replace(e.label), e.to)
	}
}

func writeMermaidCluster(w io.Writer, c graphCluster, indent string) {
	for _, n := range c.nodes {
		b := mermaidBrackets[n.shape]
		fmt.Fprintf(w, "%s%s%s\"%s\"%s\n", indent, n.id, b[0], mermaidEscaper.Replace(n.label), b[1])
	}
	for _, inner := range c.clusters {
		fmt.Fprintf(w, "%ssubgraph %s[\"%s\"]\n", indent, inner.id, mermaidEscaper.Replace(inner.label))
		writeMermaidCluster(w, inner, indent+"  ")
		fmt.Fprintf(w, "%send\n", indent)
	}
}
