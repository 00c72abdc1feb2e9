package main

import (
	"fmt"
	"io"
	"strings"
)

// dotShapes are Graphviz's names of the shapes.
var dotShapes = map[shape]string{
	shapeStep:    "box",
	shapePerson:  "hexagon",
	shapeInclude: "component",
	shapeJoin:    "diamond",
	shapeEnd:     "oval",
}

var dotEscape = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ", "\r", " ")

// writeDot writes the graph for Graphviz.
func writeDot(w io.Writer, g graph) {
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
