package main

import (
	"fmt"
	"io"
	"strings"
)

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
	"#", "#35;", "&", "#amp;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "`", "#96;", "\n", " ", "\r", " ",
)

// writeMermaid writes the graph as a Mermaid flowchart; what the format supplies
// by default is dashed.
func writeMermaid(w io.Writer, g graph) {
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
