package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/sanitize"
)

// graphDrawing is the drawing of a route graph: the steps below each other, and the routes as arcs beside
// them.
type graphDrawing struct {
	Graph
	Width, Height int
	Left          int // where the arcs begin
	Stops         []mapRow
	Arcs          []arc
	More          int // the number of nodes that are left out
}

type mapRow struct {
	Y         int
	Name      string
	IsVisited bool
	Glyph     string
	Number    string // the number of visits, if it is not one
}

type arc struct {
	Path, Head     string // the SVG paths of the line and of its arrowhead
	Label, Title   string
	LabelX, LabelY int // of the label
	Class          string
}

const (
	rowHeight    = 34 // pixels between two rows
	nameLeft     = 54 // where names begin, with room for a glyph
	cellWidth    = 9  // the maximum width of a cell of a name
	arcStep      = 18
	maxArcSteps  = 14 // the maximum width of an arc, in units of arcStep
	maxRows      = 200
	maxNameCells = 44 // cells of a name
)

// graphDrawings returns the drawings of the graphs.
func (r *Report) graphDrawings() []graphDrawing {
	var out []graphDrawing
	for _, g := range r.Graphs {
		out = append(out, g.drawing())
	}
	return out
}

func (g Graph) drawing() graphDrawing {
	out := graphDrawing{Graph: g, Left: nameLeft}
	places := map[string]int{}
	been := g.visitedNodes()
	for _, n := range g.visibleNodes() {
		if len(out.Stops) == maxRows {
			out.More++
			continue
		}
		places[n.ID] = len(out.Stops)
		s := n.mapRowAt(rowHeight/2+len(out.Stops)*rowHeight, been[n.ID])
		out.Left = max(out.Left, nameLeft+ansi.StringWidth(s.Name+s.Number)*cellWidth)
		out.Stops = append(out.Stops, s)
	}
	widest := 0
	for _, e := range g.Edges {
		from, known := places[e.From]
		to, leads := places[e.To]
		if known && leads {
			widest = max(widest, arcDistance(from, to))
			out.Arcs = append(out.Arcs, out.newArc(e, from, to))
		}
	}
	out.Width, out.Height = out.Left+(widest+1)*arcStep+60, len(out.Stops)*rowHeight
	return out
}

// visibleNodes returns the nodes that were visited or have a route.
func (g Graph) visibleNodes() []Node {
	on := map[string]bool{}
	for _, e := range g.Edges {
		on[e.From], on[e.To] = true, true
	}
	return slices.DeleteFunc(slices.Clone(g.Nodes), func(n Node) bool { return n.Visits+n.Superseded == 0 && !on[n.ID] })
}

// visitedNodes returns the nodes that the run visited.
func (g Graph) visitedNodes() map[string]bool {
	out := map[string]bool{}
	for _, e := range g.Edges {
		if e.Times > 0 {
			out[e.From], out[e.To] = true, true
		}
	}
	for _, n := range g.Nodes {
		out[n.ID] = out[n.ID] || n.Visits > 0
	}
	return out
}

func (n Node) mapRowAt(y int, been bool) mapRow {
	name := n.ID
	if n.Title != "" {
		name += " " + n.Title
	}
	s := mapRow{Y: y, Name: ansi.Truncate(sanitize.Plain(name), maxNameCells, "…"), IsVisited: been, Glyph: "○"}
	if s.IsVisited {
		s.Glyph = "●"
	}
	if n.End {
		s.Glyph = "■"
	}
	switch {
	case n.Visits > 1:
		s.Number = fmt.Sprintf(" ×%d", n.Visits)
	case n.Visits == 0 && n.Superseded > 0:
		s.Number = " (" + supersededMark + ")"
	}
	return s
}

// arcDistance returns how far out an arc goes, in steps. It grows with the distance between the ends.
func arcDistance(from, to int) int { return min(max(from-to, to-from, 1), maxArcSteps) }

func (r *graphDrawing) newArc(e Edge, from, to int) arc {
	out := arcDistance(from, to) * arcStep
	y1, y2 := r.Stops[from].Y+4, r.Stops[to].Y-4
	if from == to {
		y1, y2 = y1-9, y1+1
	}
	x := r.Left + out
	a := arc{
		Path:   fmt.Sprintf("M%d %dC%d %d %d %d %d %d", r.Left, y1, x, y1, x, y2, r.Left, y2),
		Head:   fmt.Sprintf("M%d %dl7 -4v8z", r.Left, y2),
		LabelX: r.Left + out*3/4 + 4,
		LabelY: (y1+y2)/2 + 4,
		Title:  sanitize.Plain(fmt.Sprintf("%s → %s, %s: %s", e.From, e.To, e.timesText(), e.label())),
		Class:  e.cssClass(),
	}
	if e.Times > 1 {
		a.Label = fmt.Sprintf("×%d", e.Times)
	}
	if e.Overridden || e.Manual > 0 {
		a.Label += "!"
	}
	return a
}

// cssClass returns the class of the edge in the style sheet.
func (e Edge) cssClass() string {
	switch {
	case e.Overridden:
		return "arc forced"
	case e.Times == 0 && e.Superseded > 0:
		return "arc back"
	case e.Times == 0:
		return "arc never"
	default:
		return "arc"
	}
}

// timesText returns how often the run took the edge's route, and who decided it.
func (e Edge) timesText() string {
	taken := "taken"
	if e.Overridden {
		taken = "! sent by a person,"
	}
	var out []string
	if e.Times > 0 {
		out = append(out, fmt.Sprintf("%s %d×", taken, e.Times))
	}
	if e.Manual > 0 && !e.Overridden {
		out = append(out, fmt.Sprintf("! %d of these decided by a person", e.Manual))
	}
	switch {
	case out == nil && e.Superseded == 0:
		return "not taken"
	case out == nil:
		return fmt.Sprintf("%s %d×, %s", taken, e.Superseded, supersededMark)
	case e.Superseded > 0:
		out = append(out, fmt.Sprintf("%d× %s", e.Superseded, supersededMark))
	}
	return strings.Join(out, ", ")
}

// label returns the text of the edge's route in the document.
func (e Edge) label() string {
	if e.Text != "" {
		return e.Text
	}
	return e.When
}
