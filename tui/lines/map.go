package lines

import (
	"fmt"
	"strings"

	"playhead/engine/routes"
	"playhead/engine/sanitize"
)

// routeMap lists the document's steps and where their routes lead.
func (v *inspector) routeMap(string) error {
	trail := routes.NewTrail("")
	trail.Fold(v.events...)
	g := routes.Of(v.track.Plan).Along(trail)
	for _, n := range g.Nodes {
		if n.Step == nil || !n.Stands() {
			continue
		}
		head := "[" + n.Step.ID + "]"
		if n.Step.Title != "" && n.Step.Title != n.Step.ID {
			head += " " + n.Step.Title
		}
		v.line("%s%s", strings.Repeat("  ", n.Depth+1), sanitize.Plain(head))
		for _, i := range n.Out {
			v.line("%s%s", strings.Repeat("  ", n.Depth+2), sanitize.Plain(describeRoute(g, g.Edges[i])))
		}
	}
	return nil
}

// describeRoute returns a route as a line of text.
func describeRoute(g *routes.Graph, e routes.Edge) string {
	to := g.Nodes[e.To]
	target := to.Label
	if to.Step != nil {
		target = to.Step.ID
	}
	if e.Instance != "" {
		target += " (" + e.Instance + ")"
	}
	line := e.Text + " -> " + target
	if e.Implicit {
		line += " (default)"
	}
	if e.Overridden {
		line = "manual -> " + target
	}
	switch {
	case e.Times == 1:
		line += ", taken once"
	case e.Times > 1:
		line += fmt.Sprintf(", taken %d times", e.Times)
	}
	return line
}
