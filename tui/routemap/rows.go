package routemap

import (
	"fmt"
	"strings"

	"playhead/engine/routes"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/cells"
	"playhead/tui/dialog/breakpoints"
	"playhead/tui/draw"
	"playhead/tui/layout"
	"playhead/tui/list"
	"playhead/tui/routemap/rail"
	"playhead/tui/runview"
)

// The layout of the map: the share of the width for the entries, in percent; the minimum width at which
// the routes are beside the entries; and the maximum number of lanes.
const (
	entriesPercent           = 52
	minWidthWithRoutesBeside = 96
	maxLanes                 = 8
)

// Title returns the name of an included document, which the first line does not have, and the routes taken.
func (m *Map) Title(run *runview.Run) layout.PaneTitle {
	name := "MAP"
	if m.document.Path != run.Plan.Path {
		name += " " + draw.CleanLine(m.document.Path[strings.LastIndexByte(m.document.Path, '/')+1:])
	}
	return layout.PaneTitle{Left: name, Right: run.DrawContext.Muted.Paint(m.takenSummary())}
}

// takenSummary returns how many of the document's routes were taken.
func (m *Map) takenSummary() string {
	total, here, untaken := 0, 0, 0
	for _, e := range m.runGraph.Edges[:len(m.writtenGraph.Edges)] {
		if e.Implicit {
			continue
		}
		total++
		if e.TakenCount > 0 {
			here++
		}
		if m.isUntaken(e) {
			untaken++
		}
	}
	if total == 0 {
		return "no explicit routes"
	}
	s := fmt.Sprintf("%s of %s taken", plan.FormatThousands(here), plan.CountText(total, "route"))
	if m.otherRunsCoverage != nil {
		s += fmt.Sprintf(" in this run · %s in %s", plan.FormatThousands(total-untaken), plan.CountText(m.otherRunsCoverage.TotalRuns+1, "run"))
	}
	if m.rail != nil && m.rail.HiddenCount() > 0 {
		s += " · " + plan.CountText(m.rail.HiddenCount(), "route") + " not drawn"
	}
	return s
}

// mapLayout is the places of the entries and of the selected one's routes in the dialog.
type mapLayout struct {
	entriesArea, routesArea layout.Rect
	isBeside                bool // the routes are beside the entries, not below
}

// layOut divides a dialog of w columns and h lines.
func (m *Map) layOut(w, h int) mapLayout {
	if w >= minWidthWithRoutesBeside {
		left := w * entriesPercent / 100
		return mapLayout{layout.Rect{X: 0, Y: 0, W: left, H: h}, layout.Rect{X: left + 3, Y: 0, W: w - left - 3, H: h}, true}
	}
	below := max(min(max(5, h/2), m.maxRouteLines()), h-1-len(m.entries))
	return mapLayout{layout.Rect{X: 0, Y: 0, W: w, H: h - below - 1}, layout.Rect{X: 0, Y: h - below, W: w, H: below}, false}
}

// View implements dialog.Dialog. It draws the entries, and beside or below them the routes of the selected
// one.
func (m *Map) View(run *runview.Run, w, h int) []string {
	dc, a := run.DrawContext, m.layOut(w, h)
	rows := m.visibleEntryLines(run, a.entriesArea)
	text, _ := m.routeBoxLines(dc, a.routesArea)
	if !a.isBeside {
		return append(append(rows, dc.Border.Paint(cells.HorizontalLine(w))), text...)
	}
	hidden := m.hiddenEntries()
	for i := range rows {
		rows[i] += " " + hidden.BorderRow(dc, i, len(rows)) + " " + dc.Fit(list.ElementOrZero(text, i), a.routesArea.W)
	}
	return rows
}

// maxRouteLines returns the maximum number of lines for the routes of a step, with one line for each route.
func (m *Map) maxRouteLines() int {
	most := 0
	for _, s := range m.entries {
		n := m.runGraph.Nodes[s.nodeIndex]
		most = max(most, len(n.OutEdges)+len(n.InEdges))
	}
	return 3 + most
}

// scrollToSelected keeps the selected entry in sight.
func (m *Map) scrollToSelected(run *runview.Run) {
	m.visibleCount = m.layOut(run.DialogArea.W, run.DialogArea.H).entriesArea.H
	m.firstVisible = m.firstVisibleFor(m.visibleCount)
}

// Overflow returns what is out of sight beside the right border: lines about the selected entry's routes and, if these are
// below the entries, also entries.
func (m *Map) Overflow() layout.Overflow {
	if m.hiddenRoutes.ListFirstRow < m.visibleCount {
		return m.hiddenRoutes
	}
	o := m.hiddenEntries()
	o.BelowList = &m.hiddenRoutes
	return o
}

// hiddenEntries returns how many entries are out of sight.
func (m *Map) hiddenEntries() layout.Overflow {
	return layout.ListOverflow(0, m.firstVisible, m.visibleCount, len(m.entries))
}

// firstVisibleFor returns the index of the first visible entry if h entries fit.
func (m *Map) firstVisibleFor(h int) int {
	h = max(1, h)
	top := min(m.firstVisible, max(0, m.selectedEntry-1))
	top = max(top, min(m.selectedEntry+2, len(m.entries))-h)
	return max(0, min(top, len(m.entries)-h))
}

// visibleEntryLines returns the visible entries.
func (m *Map) visibleEntryLines(run *runview.Run, box layout.Rect) []string {
	w, h, top := box.W, max(1, box.H), m.firstVisibleFor(box.H)
	m.layOutRail(w)
	drawn := m.rail.Draw(top, h, m.selectedEntry)
	out := make([]string, h)
	for i := range out {
		out[i] = cells.Spaces(w)
		if n := top + i; n < len(m.entries) {
			out[i] = m.entryLine(run, n, paintLanes(run.DrawContext, drawn[i], n == m.selectedEntry), w)
		}
	}
	return out
}

// layOutRail lays out the rail, once for a width and a state of the run.
func (m *Map) layOutRail(w int) {
	lanes := min(maxLanes, w/8)
	if m.rail != nil && m.maxRailLanes == lanes {
		return
	}
	groups := make([]bool, len(m.entries))
	for i, s := range m.entries {
		groups[i] = s.isTitle
	}
	var arcs []rail.Arc
	for _, e := range m.runGraph.Edges {
		if m.runGraph.Nodes[e.To].Step == nil {
			continue
		}
		a := rail.Arc{From: m.entryIndexByNode[e.From], To: m.entryIndexByNode[e.To], OnlyInFocus: e.Implicit && e.TakenCount == 0, IsTakenByOthers: m.wasTakenByOthersOrUnknown(e)}
		switch {
		case e.IsByPerson:
			a.Stroke = rail.Dotted
		case e.TakenCount > 0:
			a.Stroke = rail.Heavy
		}
		arcs = append(arcs, a)
	}
	m.rail, m.maxRailLanes = rail.New(groups, arcs, lanes), lanes
}

// wasTakenByOthersOrUnknown reports whether another run took a route. It also does so if that is unknown.
func (m *Map) wasTakenByOthersOrUnknown(e routes.Edge) bool {
	return m.otherRunsCoverage == nil || m.otherRunsCoverage.RunCount(e) > 0
}

// paintLanes returns the lines beside an entry. Thin ones are too faint for the raised row of the selection.
func paintLanes(dc *draw.Context, cells []rail.Cell, isSelected bool) string {
	paintByRole := [...]func(string) string{
		rail.PlainRole: dc.Border.Paint, rail.TakenByOthersRole: dc.Muted.Paint, rail.TakenRole: dc.Text.Paint, rail.OverrideRole: dc.Warn.Paint, rail.FocusRole: dc.Accent.Paint,
	}
	if isSelected {
		paintByRole[rail.PlainRole] = dc.Muted.Paint
	}
	var b strings.Builder
	for i := 0; i < len(cells); {
		part := ""
		role := cells[i].Role
		for ; i < len(cells) && cells[i].Role == role; i++ {
			part += string(cells[i].Rune)
		}
		b.WriteString(paintByRole[role](part))
	}
	return b.String()
}

// entryLine returns the line of an entry.
func (m *Map) entryLine(run *runview.Run, n int, lanes string, w int) string {
	dc, s := run.DrawContext, m.entries[n]
	node := m.runGraph.Nodes[s.nodeIndex]
	r := m.rowByStep[node.Step]
	sign := " "
	switch {
	case s.isJoin:
		sign = dc.Muted.Paint("◆")
	case !s.isTitle && r != nil:
		sign = dc.StatusGlyph(r)
	}
	name := m.entryName(n)
	switch {
	case s.isTitle:
		name = dc.Muted.Paint(name)
	case r != nil && r == m.currentRow:
		name = dc.Bold.Paint(name)
	}
	if !s.isTitle {
		name = m.search.HighlightMatches(dc, name, n == m.selectedEntry)
	}
	selected := draw.SelectionOf(n == m.selectedEntry, true)
	text := m.gutterMarks(run, s, r, selected) + lanes + cells.Spaces(1+2*node.Depth) + sign + " " + name
	if !s.isTitle {
		text += m.exitSigns(dc, node)
	}
	return dc.HighlightRow(dc.LeftRight(text, m.countsText(dc, s, node), w), w, selected)
}

// gutterMarks marks the run's current step and breakpoints. A breakpoint at a group is marked at its title.
func (m *Map) gutterMarks(run *runview.Run, s mapEntry, r *track.Row, selected draw.Selection) string {
	switch {
	case r == nil, s.isJoin && r != m.currentRow:
		return run.DrawContext.Gutter(selected, "", false)
	case s.isTitle:
		return run.DrawContext.Gutter(selected, breakpoints.SignAt(run.DrawContext, run.Breakpoints, r), false)
	}
	return run.DrawContext.Gutter(selected, breakpoints.SignAt(run.DrawContext, run.Breakpoints, r), r == m.currentRow)
}

// entryName returns the name in the line of an entry.
func (m *Map) entryName(n int) string {
	s := m.entries[n]
	step := m.runGraph.Nodes[s.nodeIndex].Step
	if !s.isJoin {
		return stepName(step)
	}
	rule := " (all)"
	if step.Join == plan.JoinAny {
		rule = " (any)"
	}
	return stepName(step) + rule
}

// stepName returns a step's id and title.
func stepName(s *plan.Step) string {
	switch {
	case s.IsArm():
		return draw.CleanLine(s.ArmText())
	case s.Title == "" || s.Title == s.ID:
		return draw.CleanLine(s.ID)
	}
	return draw.CleanLine(s.ID + " " + s.Title)
}

// exitSigns returns signs for routes that leave the document or lead back to the step itself, if they are
// written or were taken.
func (m *Map) exitSigns(dc *draw.Context, n routes.Node) string {
	out, seen := "", map[string]bool{}
	for _, e := range m.edgesAt(n.OutEdges) {
		to := m.runGraph.Nodes[e.To]
		sign := ""
		switch {
		case e.Implicit && e.TakenCount == 0:
			continue
		case e.To == e.From && e.TargetInstance == routes.NextInstance:
			sign = "↻ next"
		case e.To == e.From:
			sign = "↻"
		case to.Step == nil && to.Label != routes.UnknownTarget:
			word, _, _ := strings.Cut(to.Label, ":")
			sign = "■ " + draw.CleanLine(word)
		}
		if sign == "" || seen[sign] {
			continue
		}
		seen[sign] = true
		style := dc.Muted
		switch {
		case e.TakenCount > 0:
			sign, style = "━"+sign, dc.Text
		case to.Step == nil: // the run may end so
			sign = "→ " + sign
		}
		out += " " + style.Paint(sign)
	}
	return out
}

// countsText returns the right end of an entry's line in two columns: how many of its explicit routes no run has
// taken, and how often the run entered it.
func (m *Map) countsText(dc *draw.Context, s mapEntry, n routes.Node) string {
	if s.isTitle {
		return ""
	}
	untaken, entries := "", ""
	if count := m.countUntaken(n); count > 0 {
		untaken = dc.Muted.Paint(fmt.Sprintf("%d untaken", count))
	}
	if !s.isJoin {
		entries = timesText(m.runCounts.EntryCounts[n.Step.ID])
	}
	return draw.JoinWords(untaken, alignRight(dc, entries, dc.Width(timesText(m.maxEntryCount))))
}

// alignRight returns a text at the right end of w cells.
func alignRight(dc *draw.Context, text string, w int) string {
	return cells.Spaces(w-dc.Width(text)) + text
}

// timesText returns a count as ×3, "" for none.
func timesText(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("×%d", n)
}

// countUntaken returns how many explicit routes out of a node no known run has taken.
func (m *Map) countUntaken(node routes.Node) int {
	n := 0
	for _, e := range m.edgesAt(node.OutEdges) {
		if m.isUntaken(e) {
			n++
		}
	}
	return n
}

// isUntaken reports whether no known run has taken a written route.
func (m *Map) isUntaken(e routes.Edge) bool {
	return m.otherRunsCoverage != nil && !e.Implicit && !e.IsByPerson && e.TakenCount == 0 && m.otherRunsCoverage.RunCount(e) == 0
}
