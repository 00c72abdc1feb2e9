package routemap

import (
	"slices"

	"playhead/engine/routes"
	"playhead/parse/plan"
	"playhead/tui/cells"
	"playhead/tui/decision"
	"playhead/tui/draw"
	"playhead/tui/layout"
)

// routeBoxLines returns the lines about the routes from and to the selected step that fit into a box. Long
// routes take several lines if all lines fit. routeByLine holds for each line the index of its route out, -1
// for none.
func (m *Map) routeBoxLines(dc *draw.Context, box layout.Rect) (out []string, routeByLine []int) {
	all, routeByLine := m.uncutRouteLines(dc, box.W, true)
	if len(all) > box.H {
		all, routeByLine = m.uncutRouteLines(dc, box.W, false)
	}
	return m.visibleRouteLines(dc, all, routeByLine, box)
}

// routeLayout is how the lines of the selected step's routes are laid out.
type routeLayout struct {
	width                                int
	wrapsLongRoutes                      bool // long routes take several lines
	takenCountWidth, otherRunsCountWidth int  // of the columns that timesTakenText fills
}

func (m *Map) newRouteLayout(dc *draw.Context, w int, wrapLong bool) routeLayout {
	layout := routeLayout{width: w, wrapsLongRoutes: wrapLong}
	for _, e := range append(m.routesOut(), m.routesIn()...) {
		layout.takenCountWidth = max(layout.takenCountWidth, dc.Width(timesText(e.TakenCount)))
		layout.otherRunsCountWidth = max(layout.otherRunsCountWidth, dc.Width(m.otherRunsText(e)))
	}
	return layout
}

// uncutRouteLines returns all routes: each with its line in the document, the condition, the destination, and how
// often it was taken.
func (m *Map) uncutRouteLines(dc *draw.Context, w int, wrapLong bool) (out []string, routeByLine []int) {
	layout := m.newRouteLayout(dc, w, wrapLong)
	out, routeByLine = []string{m.selectedHeading(dc, w)}, []int{-1}
	add := func(route int, lines ...string) {
		for _, line := range lines {
			out, routeByLine = append(out, line), append(routeByLine, route)
		}
	}
	for i, e := range m.routesOut() {
		selection := draw.SelectionOf(i == m.selectedRoute, false) // the arrow keys move in the entries
		for _, line := range m.routeOutLines(dc, e, dc.SelectionMark(selection)+" ", layout) {
			add(i, dc.HighlightRow(line, w, selection))
		}
	}
	if len(m.selectedNode().OutEdges) == 0 {
		add(-1, dc.Muted.Paint("  no route leads on from here"))
	}
	if wrapLong {
		add(-1, "")
	}
	add(-1, dc.Title.Paint("reached from"))
	if slices.Contains(m.writtenGraph.StartNodes, m.entries[m.selectedEntry].nodeIndex) {
		add(-1, dc.Muted.Paint("       the start"))
	} else if len(m.selectedNode().InEdges) == 0 {
		add(-1, dc.Muted.Paint("       only a jump leads here"))
	}
	for _, e := range m.routesIn() {
		add(-1, m.routeInLines(dc, e, layout)...)
	}
	return out, routeByLine
}

// visibleRouteLines returns the lines that fit, including the selected route. If that is the last one, as many
// routes to the step as possible follow.
func (m *Map) visibleRouteLines(dc *draw.Context, all []string, routeByLine []int, box layout.Rect) ([]string, []int) {
	first, h := 1, box.H
	if at := slices.Index(routeByLine, m.selectedRoute); len(all) > h && m.selectedRoute < len(m.selectedNode().OutEdges)-1 {
		first = max(1, at+3-h)
	} else if len(all) > h {
		first = max(1, min(at, len(all)-h+1))
	}
	last := min(len(all), first+h-1)
	m.hiddenRoutes = layout.ListOverflow(box.Y+1, first-1, h-1, len(all)-1)
	routeByLine = append([]int{-1}, routeByLine[first:last]...)
	out := append([]string{all[0]}, all[first:last]...)
	if rest := len(all) - last; rest > 0 {
		out[len(out)-1] = dc.Muted.Paint("↓ " + plan.CountText(rest+1, "more line"))
	}
	return out, routeByLine
}

// selectedHeading returns the name of the step, and its status in the run.
func (m *Map) selectedHeading(dc *draw.Context, w int) string {
	var facts []draw.TitleFact
	if r := m.rowByStep[m.selectedNode().Step]; r != nil {
		facts = append(facts, draw.TitleFact{Text: m.statusText(r), Priority: 2})
		if v := m.runCounts.EntryCounts[r.Step.ID]; v > 0 {
			facts = append(facts, draw.TitleFact{Text: "entered " + plan.CountText(v, "time"), Priority: 1})
		}
	}
	const leads = " leads to"
	name := dc.Title.Paint(dc.Cut(m.entryName(m.selectedEntry), w-len(leads))) + dc.Muted.Paint(leads)
	room := w - dc.Width(name) - 1
	state := dc.FitFacts(facts, room)
	if dc.Width(state) > room {
		return name // its entry shows the sign of its status
	}
	return dc.LeftRight(name, dc.Muted.Paint(state), w)
}

// routeOutLines returns the condition of a route, and the step to which it leads.
func (m *Map) routeOutLines(dc *draw.Context, e routes.Edge, mark string, layout routeLayout) []string {
	arrow, paint := m.arrowAndPaint(dc, e)
	when, to := draw.CleanLine(e.Condition), m.nodeName(e.To)
	switch {
	case e.To == e.From && e.TargetInstance == routes.NextInstance:
		to = "the " + e.TargetInstance
	case e.To == e.From:
		to = "again"
	case e.TargetInstance != "":
		to += " (" + e.TargetInstance + ")"
	}
	if e.Implicit {
		when += " (default)"
	}
	return m.layOutRoute(dc, mark, e, [2]string{when, arrow + to}, paint, layout)
}

// routeInLines returns the step from which a route comes, and its condition.
func (m *Map) routeInLines(dc *draw.Context, e routes.Edge, layout routeLayout) []string {
	arrow, paint := m.arrowAndPaint(dc, e)
	when := draw.CleanLine(e.Condition)
	if e.Implicit {
		when += " (default)"
	}
	if e.TargetInstance != "" {
		when += " (" + e.TargetInstance + ")"
	}
	return m.layOutRoute(dc, "  ", e, [2]string{arrow + m.nodeName(e.From) + ",", when}, paint, layout)
}

// layOutRoute joins the two parts of a route on one line or, if that is too long, on several.
func (m *Map) layOutRoute(dc *draw.Context, mark string, e routes.Edge, parts [2]string, paint func(string) string, layout routeLayout) []string {
	lead, right := mark+dc.Muted.Paint(decision.LineNumberText(e.Line, e.Implicit)), m.timesTakenText(dc, e, layout)
	room := layout.width - dc.Width(lead)
	whole := paint(parts[0] + " " + parts[1])
	if !layout.wrapsLongRoutes || dc.Width(whole)+1+dc.Width(right) <= room {
		return []string{lead + dc.LeftRight(whole, right, room)}
	}
	out := []string{lead + dc.LeftRight(paint(parts[0]), right, room)}
	for _, line := range dc.Wrap(parts[1], max(1, room-2)) {
		out = append(out, cells.Spaces(dc.Width(lead)+2)+paint(line))
	}
	return out
}

// arrowAndPaint returns the arrow of a route, which shows whether the run took it and whether a person chose it,
// and the style of its line.
func (m *Map) arrowAndPaint(dc *draw.Context, e routes.Edge) (string, func(string) string) {
	switch {
	case e.IsByPerson, e.ManualCount > 0:
		return "⇢ ! ", dc.Warn.Paint
	case e.TakenCount > 0:
		return "━▸ ", dc.Bold.Paint
	case e.Implicit || m.isUntaken(e):
		return "→ ", dc.Muted.Paint
	}
	return "→ ", dc.Text.Paint
}

// nodeName returns the name of a node at the end of a route.
func (m *Map) nodeName(i int) string {
	n := m.runGraph.Nodes[i]
	if n.Step == nil {
		return "■ " + draw.CleanLine(n.Label)
	}
	return m.entryName(m.entryIndexByNode[i])
}

// timesTakenText returns in two columns how often this run took a route, and how many other runs did.
func (m *Map) timesTakenText(dc *draw.Context, e routes.Edge, layout routeLayout) string {
	return draw.JoinWords(alignRight(dc, timesText(e.TakenCount), layout.takenCountWidth), dc.Muted.Paint(alignRight(dc, m.otherRunsText(e), layout.otherRunsCountWidth+1)))
}

// otherRunsText returns how many other runs took a route, "" if that is unknown.
func (m *Map) otherRunsText(e routes.Edge) string {
	switch {
	case m.otherRunsCoverage == nil || e.IsByPerson:
	case m.otherRunsCoverage.RunCount(e) > 0:
		return plan.CountText(m.otherRunsCoverage.RunCount(e), "run")
	case m.isUntaken(e):
		return "never"
	}
	return ""
}
