package routemap

import (
	"fmt"
	"strings"

	"playhead/engine/routes"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/cells"
	"playhead/tui/dialog/breakpoints"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
	"playhead/tui/rail"
	"playhead/tui/runview"
)

// mapRows is the share of the width that the entries take beside the routes, in percent. mapWidth is the minimum
// width at which the routes are beside the entries, and maxLanes the maximum number of lanes.
const (
	mapRows  = 52
	mapWidth = 96
	maxLanes = 8
)

func (c *Map) Title(run *runview.Run) panes.Title {
	name := c.doc.Path[strings.LastIndexByte(c.doc.Path, '/')+1:]
	return panes.Title{Left: "MAP " + draw.Clean(name), Right: run.Look.Muted.Paint(c.summary())}
}

// summary returns how many of the document's routes were taken.
func (c *Map) summary() string {
	total, here, never := 0, 0, 0
	for _, e := range c.graph.Edges[:len(c.documentGraph.Edges)] {
		if e.Implicit {
			continue
		}
		total++
		if e.Times > 0 {
			here++
		}
		if c.isUntaken(e) {
			never++
		}
	}
	if total == 0 {
		return "steps follow each other"
	}
	s := fmt.Sprintf("%s of %s taken", track.Thousands(here), wording.Count(total, "route"))
	if c.coverage != nil {
		s += fmt.Sprintf(" · %s in none of %s", track.Thousands(never), wording.Count(c.coverage.Runs+1, "run"))
	}
	if c.rail != nil && c.rail.Hidden() > 0 {
		s += fmt.Sprintf(" · %d not drawn", c.rail.Hidden())
	}
	return s
}

// arrangement is the places of the entries and of the selected one's routes in the dialog.
type arrangement struct {
	list, text panes.Rect
	isBeside   bool // the routes are beside the entries, not below
}

// arrange divides a dialog of w columns and h lines.
func (c *Map) arrange(w, h int) arrangement {
	if w >= mapWidth {
		left := w * mapRows / 100
		return arrangement{panes.Rect{X: 0, Y: 0, W: left, H: h}, panes.Rect{X: left + 3, Y: 0, W: w - left - 3, H: h}, true}
	}
	below := max(min(max(5, h/2), c.maxRouteLines()), h-1-len(c.entries))
	return arrangement{panes.Rect{X: 0, Y: 0, W: w, H: h - below - 1}, panes.Rect{X: 0, Y: h - below, W: w, H: below}, false}
}

// View implements dialog.Dialog. It draws the entries, and beside or below them the routes of the selected
// one.
func (c *Map) View(run *runview.Run, w, h int) []string {
	l, a := run.Look, c.arrange(w, h)
	rows := c.lines(run, a.list)
	text, _ := c.boxLines(l, a.text)
	if !a.isBeside {
		return append(append(rows, l.Border.Paint(cells.Rule(w))), text...)
	}
	for i := range rows {
		rows[i] += " " + l.Border.Paint("│") + " " + l.Fit(list.ElementOrZero(text, i), a.text.W)
	}
	return rows
}

// maxRouteLines returns the maximum number of lines for the routes of a step, with one line for each route.
func (c *Map) maxRouteLines() int {
	most := 0
	for _, s := range c.entries {
		n := c.graph.Nodes[s.node]
		most = max(most, len(n.Out)+len(n.In))
	}
	return 3 + most
}

// scroll keeps the selected entry in sight.
func (c *Map) scroll(run *runview.Run) {
	c.shown = c.arrange(run.Room.W, run.Room.H).list.H
	c.top = c.topFor(c.shown)
}

// Overflow returns how many entries are out of sight.
func (c *Map) Overflow() panes.Overflow { return panes.OutsideList(0, c.top, c.shown, len(c.entries)) }

// topFor returns the index of the first visible entry if h entries fit.
func (c *Map) topFor(h int) int {
	h = max(1, h)
	top := min(c.top, max(0, c.sel-1))
	top = max(top, min(c.sel+2, len(c.entries))-h)
	return max(0, min(top, len(c.entries)-h))
}

// lines returns the visible entries.
func (c *Map) lines(run *runview.Run, box panes.Rect) []string {
	w, h, top := box.W, max(1, box.H), c.topFor(box.H)
	c.draw(w)
	drawn := c.rail.Draw(top, h, c.sel)
	out := make([]string, h)
	for i := range out {
		out[i] = cells.Spaces(w)
		if n := top + i; n < len(c.entries) {
			out[i] = c.line(run, n, paintLanes(run.Look, drawn[i]), w)
		}
	}
	return out
}

// draw lays out the rail, once for a width and a state of the run.
func (c *Map) draw(w int) {
	lanes := min(maxLanes, w/8)
	if c.rail != nil && c.lanes == lanes {
		return
	}
	holders := make([]bool, len(c.entries))
	for i, s := range c.entries {
		holders[i] = s.isTitle
	}
	var arcs []rail.Arc
	for _, e := range c.graph.Edges {
		if c.graph.Nodes[e.To].Step == nil {
			continue
		}
		a := rail.Arc{From: c.entryOf[e.From], To: c.entryOf[e.To], Faint: e.Implicit && e.Times == 0, Known: c.wasTaken(e)}
		switch {
		case e.Overridden:
			a.Stroke = rail.Dotted
		case e.Times > 0:
			a.Stroke = rail.Heavy
		}
		arcs = append(arcs, a)
	}
	c.rail, c.lanes = rail.New(holders, arcs, lanes), lanes
}

// wasTaken reports whether another run took a route. It also does so if that is unknown.
func (c *Map) wasTaken(e routes.Edge) bool { return c.coverage == nil || c.coverage.RunCount(e) > 0 }

func paintLanes(l *draw.Look, cells []rail.Cell) string {
	inks := [...]func(string) string{
		rail.PlainRole: l.Border.Paint, rail.KnownRole: l.Muted.Paint, rail.TakenRole: l.Text.Paint, rail.OverrideRole: l.Warn.Paint, rail.FocusRole: l.Accent.Paint,
	}
	var b strings.Builder
	for i := 0; i < len(cells); {
		part := ""
		ink := cells[i].Role
		for ; i < len(cells) && cells[i].Role == ink; i++ {
			part += string(cells[i].Rune)
		}
		b.WriteString(inks[ink](part))
	}
	return b.String()
}

// line returns the line of an entry.
func (c *Map) line(run *runview.Run, n int, lanes string, w int) string {
	l, s := run.Look, c.entries[n]
	node := c.graph.Nodes[s.node]
	r := c.rows[node.Step]
	sign := " "
	switch {
	case s.joined:
		sign = l.Muted.Paint("◆")
	case !s.isTitle && r != nil:
		sign = l.Glyph(r)
	}
	name := c.label(n)
	switch {
	case s.isTitle:
		name = l.Muted.Paint(name)
	case r != nil && r == c.at:
		name = l.Bold.Paint(name)
	}
	if !s.isTitle {
		name = c.search.Highlight(l, name, n == c.sel)
	}
	selected := draw.SelectionOf(n == c.sel, true)
	text := c.gutter(run, s, r, selected) + lanes + cells.Spaces(1+2*node.Depth) + sign + " " + name
	if !s.isTitle {
		text += c.exits(l, node)
	}
	return l.Raise(l.Spread(text, c.counts(l, s, node), w), w, selected)
}

// gutter marks the run's current step and breakpoints. A breakpoint at a group is marked at its title.
func (c *Map) gutter(run *runview.Run, s entry, r *track.Row, selected draw.Selection) string {
	switch {
	case r == nil, s.joined && r != c.at:
		return run.Look.Gutter(selected, false, false)
	case s.isTitle:
		return run.Look.Gutter(selected, breakpoints.AnyAt(run.Breaks, r), false)
	}
	return run.Look.Gutter(selected, breakpoints.AnyAt(run.Breaks, r), r == c.at)
}

// label returns the name in the line of an entry.
func (c *Map) label(n int) string {
	s := c.entries[n]
	step := c.graph.Nodes[s.node].Step
	if !s.joined {
		return nameOf(step)
	}
	all := "all of "
	if step.Join == plan.Any {
		all = "any of "
	}
	return all + nameOf(step)
}

// nameOf returns a step's id and title.
func nameOf(s *plan.Step) string {
	switch {
	case s.IsArm():
		return draw.Clean(s.ArmText())
	case s.Title == "" || s.Title == s.ID:
		return draw.Clean(s.ID)
	}
	return draw.Clean(s.ID + " " + s.Title)
}

// exits returns signs for routes that leave the document or lead back to the step itself, if they are
// written or were taken.
func (c *Map) exits(l *draw.Look, n routes.Node) string {
	out, seen := "", map[string]bool{}
	for _, e := range c.edges(n.Out) {
		to := c.graph.Nodes[e.To]
		sign := ""
		switch {
		case e.Implicit && e.Times == 0:
			continue
		case e.To == e.From && e.Instance == routes.NextInstance:
			sign = "↻ next"
		case e.To == e.From:
			sign = "↻"
		case to.Step == nil && to.Label != routes.UnknownTarget:
			word, _, _ := strings.Cut(to.Label, ":")
			sign = "■ " + draw.Clean(word)
		}
		if sign == "" || seen[sign] {
			continue
		}
		seen[sign] = true
		ink := l.Muted
		switch {
		case e.Times > 0:
			sign, ink = "━"+sign, l.Text
		case to.Step == nil: // the run may end so
			sign = "→ " + sign
		}
		out += " " + ink.Paint(sign)
	}
	return out
}

// counts returns the right end of an entry's line in two columns: how many of its written routes no run has
// taken, and how often the run visited it.
func (c *Map) counts(l *draw.Look, s entry, n routes.Node) string {
	if s.isTitle {
		return ""
	}
	untaken, visits := "", ""
	if never := c.countUntaken(n); never > 0 {
		untaken = l.Muted.Paint(fmt.Sprintf("%d untaken", never))
	}
	if !s.joined {
		visits = times(c.trail.Visits[n.Step.ID])
	}
	most := 0
	for _, v := range c.trail.Visits {
		most = max(most, v)
	}
	return draw.Join(untaken, alignRight(l, visits, l.Width(times(most))))
}

// alignRight returns a text at the right end of w cells.
func alignRight(l *draw.Look, text string, w int) string {
	return cells.Spaces(w-l.Width(text)) + text
}

// times returns a count as ×3, "" for none.
func times(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("×%d", n)
}

// countUntaken returns how many written routes out of a node no known run has taken.
func (c *Map) countUntaken(n routes.Node) int {
	never := 0
	for _, e := range c.edges(n.Out) {
		if c.isUntaken(e) {
			never++
		}
	}
	return never
}

// isUntaken reports whether no known run has taken a written route.
func (c *Map) isUntaken(e routes.Edge) bool {
	return c.coverage != nil && !e.Implicit && !e.Overridden && e.Times == 0 && c.coverage.RunCount(e) == 0
}
