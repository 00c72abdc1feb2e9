package tui

import (
	"fmt"
	"strings"

	"playhead/engine/routes"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/cells"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
	"playhead/tui/rail"
	"playhead/tui/runview"
)

// How much of the map's width the rows take beside the words, from which width there is
// room for both, and how many lanes there are at most.
const (
	mapRows   = 52 // of a hundred
	mapWidth  = 96
	mostLanes = 8
)

func (c *routeMap) Title(run *runview.Run) panes.Title {
	name := c.doc.Path[strings.LastIndexByte(c.doc.Path, '/')+1:]
	return panes.Title{Left: "MAP " + draw.Clean(name), Right: run.Look.Muted.Paint(c.facts())}
}

// facts say how much of the document's routes was taken.
func (c *routeMap) facts() string {
	total, here, never := 0, 0, 0
	for _, e := range c.graph.Edges[:len(c.said.Edges)] {
		if e.Implicit {
			continue
		}
		total++
		if e.Times > 0 {
			here++
		}
		if c.never(e) {
			never++
		}
	}
	if total == 0 {
		return "steps follow each other"
	}
	s := fmt.Sprintf("%s of %s taken", track.Thousands(here), draw.Count(total, "route"))
	if c.cover != nil {
		s += fmt.Sprintf(", %s never in %s", track.Thousands(never), draw.Count(c.cover.Runs+1, "run"))
	}
	if c.rail != nil && c.rail.Hidden() > 0 {
		s += fmt.Sprintf(" · %d not drawn", c.rail.Hidden())
	}
	return s
}

// View is the rows, and beside or below them the ways of the selected one in words.
func (c *routeMap) View(run *runview.Run, w, h int) []string {
	l := run.Look
	if w >= mapWidth {
		left := w * mapRows / 100
		c.list, c.text = panes.Rect{X: 0, Y: 0, W: left, H: h}, panes.Rect{X: left + 3, Y: 0, W: w - left - 3, H: h}
		rows, words := c.rows(l), c.words(l)
		for i := range rows {
			rows[i] += " " + l.Border.Paint("│") + " " + l.Fit(list.Nth(words, i), c.text.W)
		}
		return rows
	}
	below := max(min(max(5, h/2), c.most()), h-1-len(c.stops))
	c.list, c.text = panes.Rect{X: 0, Y: 0, W: w, H: h - below - 1}, panes.Rect{X: 0, Y: h - below, W: w, H: below}
	return append(append(c.rows(l), l.Border.Paint(cells.Rule(w))), c.words(l)...)
}

// most is how many lines the words of a step take at most, if each way takes one.
func (c *routeMap) most() int {
	most := 0
	for _, s := range c.stops {
		n := c.graph.Nodes[s.node]
		most = max(most, len(n.Out)+len(n.In))
	}
	return 3 + most
}

// rows are the rows in sight.
func (c *routeMap) rows(l *look) []string {
	w, h := c.list.W, max(1, c.list.H)
	c.top = min(c.top, max(0, c.sel-1))
	c.top = max(c.top, min(c.sel+2, len(c.stops))-h)
	c.top = max(0, min(c.top, len(c.stops)-h))
	c.draw(w)
	drawn := c.rail.Draw(c.top, h, c.sel)
	out := make([]string, h)
	for i := range out {
		out[i] = cells.Spaces(w)
		if row := c.top + i; row < len(c.stops) {
			out[i] = c.row(l, row, inked(l, drawn[i]), w)
		}
	}
	return out
}

// draw lays out the rail, once for a width and a state of the run.
func (c *routeMap) draw(w int) {
	lanes := min(mostLanes, w/8)
	if c.rail != nil && c.lanes == lanes {
		return
	}
	holders := make([]bool, len(c.stops))
	for i, s := range c.stops {
		holders[i] = s.holder
	}
	var arcs []rail.Arc
	for _, e := range c.graph.Edges {
		if c.graph.Nodes[e.To].Step == nil {
			continue
		}
		a := rail.Arc{From: c.rowOf[e.From], To: c.rowOf[e.To], Faint: e.Implicit && e.Times == 0, Known: c.known(e)}
		switch {
		case e.Forced:
			a.Stroke = rail.Dotted
		case e.Times > 0:
			a.Stroke = rail.Heavy
		}
		arcs = append(arcs, a)
	}
	c.rail, c.lanes = rail.New(holders, arcs, lanes), lanes
}

// known reports whether an edge was taken by an earlier run, or nobody knows.
func (c *routeMap) known(e routes.Edge) bool { return c.cover == nil || c.cover.Took(e) > 0 }

// inked paints the lanes.
func inked(l *look, cells []rail.Cell) string {
	inks := [...]func(string) string{
		rail.Plain: l.Border.Paint, rail.Known: l.Muted.Paint, rail.Taken: l.Text.Paint, rail.Forced: l.Warn.Paint, rail.Focus: l.Accent.Paint,
	}
	var b strings.Builder
	for i := 0; i < len(cells); {
		part := ""
		ink := cells[i].Ink
		for ; i < len(cells) && cells[i].Ink == ink; i++ {
			part += string(cells[i].Rune)
		}
		b.WriteString(inks[ink](part))
	}
	return b.String()
}

// row is a line of the map.
func (c *routeMap) row(l *look, n int, lanes string, w int) string {
	s := c.stops[n]
	node := c.graph.Nodes[s.node]
	r := c.state[node.Step]
	sign := " "
	switch {
	case s.joined:
		sign = l.Muted.Paint("◆")
	case !s.holder && r != nil:
		sign = l.Glyph(r)
	}
	name := c.called(n)
	switch {
	case s.holder:
		name = l.Muted.Paint(name)
	case r != nil && r == c.at:
		name = l.Bold.Paint(name)
	}
	if !s.holder {
		name = c.marks.Highlight(l, name, n == c.sel)
	}
	text := c.gutter(l, s, r) + lanes + cells.Spaces(1+2*node.Depth) + sign + " " + name
	if !s.holder {
		text += c.ends(l, node)
	}
	line := l.Spread(text, c.numbers(l, s, node), w)
	if n == c.sel {
		return l.Selected.Over(line)
	}
	return line
}

// gutter marks where the run is and where it is to be held. What holds before a group is
// at its title.
func (c *routeMap) gutter(l *look, s stop, r *track.Row) string {
	switch {
	case r == nil, s.joined && r != c.at:
		return "  "
	case s.holder:
		return c.tree.gutter(l, r, nil)
	}
	return c.tree.gutter(l, r, c.at)
}

// called is what a row says of its step.
func (c *routeMap) called(n int) string {
	s := c.stops[n]
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

// nameOf is a step's id and title.
func nameOf(s *plan.Step) string {
	switch {
	case s.Arm():
		return draw.Clean(s.ArmText())
	case s.Title == "" || s.Title == s.ID:
		return draw.Clean(s.ID)
	}
	return draw.Clean(s.ID + " " + s.Title)
}

// ends are the ways out of the document, and back to the step itself, that are written
// or were taken.
func (c *routeMap) ends(l *look, n routes.Node) string {
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
		case to.Step == nil && to.Label != routes.AsTheRunSays:
			word, _, _ := strings.Cut(to.Label, ":")
			sign = "■ " + draw.Clean(word)
		}
		if sign == "" || seen[sign] {
			continue
		}
		seen[sign] = true
		ink := l.Muted
		if e.Times > 0 {
			sign, ink = "━"+sign, l.Text
		}
		out += " " + ink.Paint(sign)
	}
	return out
}

// numbers are what stands at a row's right end: how often the run was there, and how
// many of its written ways no run has taken.
func (c *routeMap) numbers(l *look, s stop, n routes.Node) string {
	if s.holder {
		return ""
	}
	out := ""
	if never := c.nevers(n); never > 0 {
		out = l.Muted.Paint(fmt.Sprintf("%d never", never))
	}
	if v := c.trail.Visits[n.Step.ID]; v > 0 && !s.joined {
		out = draw.Join(out, fmt.Sprintf("×%d", v))
	}
	return out
}

// nevers is how many written ways out of a node no run has taken, as far as is known.
func (c *routeMap) nevers(n routes.Node) int {
	never := 0
	for _, e := range c.edges(n.Out) {
		if c.never(e) {
			never++
		}
	}
	return never
}

// never reports whether a written edge was taken by no run that is known.
func (c *routeMap) never(e routes.Edge) bool {
	return c.cover != nil && !e.Implicit && !e.Forced && e.Times == 0 && c.cover.Took(e) == 0
}
