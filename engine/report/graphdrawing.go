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
	Width, Height    int
	ArcsX            int // where the arcs begin
	Rows             []mapRow
	Arcs             []arc
	OmittedNodeCount int // the number of nodes that are left out
}

type mapRow struct {
	Y              int
	Name           string
	IsVisited      bool
	Glyph          string
	EntryCountText string // how often the run entered it, if not once
}

type arc struct {
	LinePath, ArrowheadPath string // the SVG paths of the line and of its arrowhead
	Label, Title            string
	LabelX, LabelY          int // of the label
	CSSClass                string
}

const (
	rowHeight     = 34 // pixels between two rows
	nameX         = 54 // where names begin, with room for a glyph
	nameCellWidth = 9  // the maximum width of a cell of a name
	arcStep       = 18
	maxArcSteps   = 14 // the maximum width of an arc, in units of arcStep
	maxMapRows    = 200
	maxNameCells  = 44 // cells of a name
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
	out := graphDrawing{Graph: g, ArcsX: nameX}
	places := map[string]int{}
	visited := g.visitedNodes()
	for _, n := range g.visibleNodes() {
		if len(out.Rows) == maxMapRows {
			out.OmittedNodeCount++
			continue
		}
		places[n.ID] = len(out.Rows)
		s := n.mapRowAt(rowHeight/2+len(out.Rows)*rowHeight, visited[n.ID])
		out.ArcsX = max(out.ArcsX, nameX+ansi.StringWidth(s.Name+s.EntryCountText)*nameCellWidth)
		out.Rows = append(out.Rows, s)
	}
	widest := 0
	for _, e := range g.Edges {
		from, showsStart := places[e.From]
		to, showsEnd := places[e.To]
		if showsStart && showsEnd {
			widest = max(widest, arcDistance(from, to))
			out.Arcs = append(out.Arcs, out.newArc(e, from, to))
		}
	}
	out.Width, out.Height = out.ArcsX+(widest+1)*arcStep+60, len(out.Rows)*rowHeight
	return out
}

// visibleNodes returns the nodes that were visited or have a route.
func (g Graph) visibleNodes() []Node {
	hasRoute := map[string]bool{}
	for _, e := range g.Edges {
		hasRoute[e.From], hasRoute[e.To] = true, true
	}
	return slices.DeleteFunc(slices.Clone(g.Nodes), func(n Node) bool { return n.EntryCount+n.SupersededCount == 0 && !hasRoute[n.ID] })
}

// visitedNodes returns the nodes that the run visited.
func (g Graph) visitedNodes() map[string]bool {
	out := map[string]bool{}
	for _, e := range g.Edges {
		if e.TakenCount > 0 {
			out[e.From], out[e.To] = true, true
		}
	}
	for _, n := range g.Nodes {
		out[n.ID] = out[n.ID] || n.EntryCount > 0
	}
	return out
}

func (n Node) mapRowAt(y int, isVisited bool) mapRow {
	name := n.ID
	if n.Title != "" {
		name += " " + n.Title
	}
	s := mapRow{Y: y, Name: ansi.Truncate(sanitize.Plain(name), maxNameCells, "…"), IsVisited: isVisited, Glyph: "○"}
	if s.IsVisited {
		s.Glyph = "●"
	}
	if n.IsEnd {
		s.Glyph = "■"
	}
	switch {
	case n.EntryCount > 1:
		s.EntryCountText = fmt.Sprintf(" ×%d", n.EntryCount)
	case n.EntryCount == 0 && n.SupersededCount > 0:
		s.EntryCountText = " (" + supersededMark + ")"
	}
	return s
}

// arcDistance returns how far out an arc goes, in steps. It grows with the distance between the ends.
func arcDistance(from, to int) int { return min(max(from-to, to-from, 1), maxArcSteps) }

func (g *graphDrawing) newArc(e Edge, from, to int) arc {
	out := arcDistance(from, to) * arcStep
	y1, y2 := g.Rows[from].Y+4, g.Rows[to].Y-4
	if from == to {
		y1, y2 = y1-9, y1+1
	}
	x := g.ArcsX + out
	a := arc{
		LinePath:      fmt.Sprintf("M%d %dC%d %d %d %d %d %d", g.ArcsX, y1, x, y1, x, y2, g.ArcsX, y2),
		ArrowheadPath: fmt.Sprintf("M%d %dl7 -4v8z", g.ArcsX, y2),
		LabelX:        g.ArcsX + out*3/4 + 4,
		LabelY:        (y1+y2)/2 + 4,
		Title:         sanitize.Plain(fmt.Sprintf("%s → %s (%s), %s", e.From, e.To, e.label(), e.useText())),
		CSSClass:      e.cssClass(),
	}
	if e.TakenCount > 1 {
		a.Label = fmt.Sprintf("×%d", e.TakenCount)
	}
	if e.IsByPerson || e.ManualCount > 0 {
		a.Label += "!"
	}
	return a
}

// cssClass returns the class of the edge in the style sheet.
func (e Edge) cssClass() string {
	switch {
	case e.IsByPerson:
		return "arc forced"
	case e.TakenCount == 0 && e.SupersededCount > 0:
		return "arc back"
	case e.TakenCount == 0:
		return "arc never"
	default:
		return "arc"
	}
}

// useText returns how often the run took the edge's route, and who decided it.
func (e Edge) useText() string {
	taken := "taken"
	if e.IsByPerson {
		taken = "! a person sent the run here"
	}
	var out []string
	if e.TakenCount > 0 {
		out = append(out, fmt.Sprintf("%s %d×", taken, e.TakenCount))
	}
	if e.ManualCount > 0 && !e.IsByPerson {
		out = append(out, fmt.Sprintf("! %d of these decided by a person", e.ManualCount))
	}
	switch {
	case out == nil && e.SupersededCount == 0:
		return "not taken"
	case out == nil:
		return fmt.Sprintf("%s %d×, %s", taken, e.SupersededCount, supersededMark)
	case e.SupersededCount > 0:
		out = append(out, fmt.Sprintf("%d× %s", e.SupersededCount, supersededMark))
	}
	return strings.Join(out, ", ")
}

// label returns the text of the edge's route in the document.
func (e Edge) label() string {
	if e.Text != "" {
		return e.Text
	}
	return e.Condition
}
