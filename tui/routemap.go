package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/routes"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/list"
	"playhead/tui/panes"
	"playhead/tui/rail"
	"playhead/tui/request"
	"playhead/tui/runview"
	"playhead/tui/search"
)

// routeMap is the dialog of a document's route graph: its steps in reading order with the
// ways between them beside, and the ways from and to the step that is selected in
// words. It has the whole screen.
type routeMap struct {
	doc    *plan.Plan
	prefix string        // of the document's labels
	said   *routes.Graph // what the document says
	graph  *routes.Graph // that, with what the run did of it
	trail  *routes.Trail
	events []machine.Event  // that are in the trail
	cover  *routes.Coverage // of earlier runs; nil: not known

	stops []stop
	rowOf []int // by node: its row; ends have none
	rail  *rail.Rail
	lanes int
	state map[*plan.Step]*track.Row
	at    *track.Row // where the run is
	tree  *tree      // has the breakpoints

	sel   int   // a row
	way   int   // of the selected row's edges out
	back  []int // rows that were left along an edge
	top   int
	list  panes.Rect     // where the rows are in the dialog
	text  panes.Rect     // and the words
	wayAt []int          // by line of the words in sight: the way out that it is about, -1: none
	marks *search.Search // whose matches stand out
}

// stop is a row of the map: a step, or the place where the results of a group's are
// joined. A holder is a group's title: no run is there.
type stop struct {
	node           int
	holder, joined bool
}

// openMap shows the map of the document that the selected step is in.
func (m *Model) openMap() tea.Cmd {
	r := m.tree.selected()
	doc, prefix := m.mapped(r)
	c := m.mapOf(doc, prefix)
	if r != nil && r.Step != nil {
		c.choose(c.said.Node(r.Step.ID))
	} else if len(c.said.Starts) > 0 {
		c.choose(c.said.Starts[0])
	}
	m.open(c)
	return m.askCoverage()
}

// mapOf is the map of a document whose labels begin with prefix.
func (m *Model) mapOf(doc *plan.Plan, prefix string) *routeMap {
	c := &routeMap{doc: doc, prefix: prefix, said: routes.Of(doc), tree: &m.tree}
	c.rowOf = make([]int, len(c.said.Nodes))
	c.lay(doc.Steps)
	c.sync(m)
	return c
}

// mapped is the document that a row's step is in, and what its labels begin with.
func (m *Model) mapped(r *track.Row) (doc *plan.Plan, prefix string) {
	switch {
	case r != nil && r.Step != nil:
		return r.Plan(), strings.TrimSuffix(r.Label, r.Local)
	case r != nil && r.Doc != nil && r.Doc.Plan != nil:
		return r.Doc.Plan, r.Label + "/"
	}
	return m.cfg.Plan, ""
}

func notMapped(m *Model) string {
	if doc, _ := m.mapped(m.tree.selected()); len(doc.Steps) == 0 {
		return "shows the ways between steps, and this document has none"
	}
	return ""
}

// lay lists the rows of steps. A group that joins results has its row behind them.
func (c *routeMap) lay(steps []*plan.Step) {
	for _, s := range steps {
		i := c.said.Node(s.ID)
		n := c.said.Nodes[i]
		joins := len(s.Children) > 0 && n.Stands() && !s.Unit() && !s.First().Arm()
		c.rowOf[i] = len(c.stops)
		c.stops = append(c.stops, stop{node: i, holder: joins || !n.Stands()})
		c.lay(s.Children)
		if joins {
			c.rowOf[i] = len(c.stops)
			c.stops = append(c.stops, stop{node: i, joined: true})
		}
	}
}

// sync brings the map in line with what the screen shows of the run.
func (c *routeMap) sync(m *Model) {
	events, n := m.happened(), len(c.events)
	if c.trail == nil || n > len(events) || n > 0 && events[n-1].Seq != c.events[n-1].Seq {
		c.trail, c.graph, n = routes.NewTrail(c.prefix), nil, 0
	}
	if c.graph == nil || n < len(events) {
		c.trail.Fold(events[n:]...)
		c.graph, c.rail = c.said.Along(c.trail), nil
	}
	c.events = events
	c.state, c.at = map[*plan.Step]*track.Row{}, nil
	c.states(m.track.Rows)
	if m.status.State != engine.Over || m.past() {
		c.at = m.position()
	}
	if r := m.next(); r != nil && c.has(r) { // an instance that is not there yet is the newest
		c.state[r.Step] = r
	}
	// With nothing to compare this run with, what it has not taken is no news.
	if known := m.known; known != nil && c.prefix == "" && c.cover == nil && (len(known.Runs) > 0 || c == m.covering) {
		c.cover, c.rail = c.said.Cover(known.Runs), nil
	}
}

// happened are the events of the run up to the moment that the screen shows.
func (m *Model) happened() []machine.Event {
	switch {
	case m.session == nil:
		return m.cfg.History
	case m.past():
		return m.events[:m.why.at+1]
	}
	return m.events
}

// states finds the rows of the document's steps, of each the newest instance.
func (c *routeMap) states(rows []*track.Row) {
	for _, r := range rows {
		if c.has(r) && r.Latest() {
			c.state[r.Step] = r
		}
		c.states(r.Children)
	}
}

// has reports whether a row is of a step of the document.
func (c *routeMap) has(r *track.Row) bool {
	return r.Step != nil && r.Label == c.prefix+r.Local && r.Plan() == c.doc
}

// choose selects a node's row, or that of the first step in it.
func (c *routeMap) choose(node int) {
	if node >= 0 && node < len(c.rowOf) && c.graph.Nodes[node].Step != nil {
		c.pick(c.rowOf[node], 1)
	}
}

// pick selects a row, or the next one in a direction at which a run can be, and of the
// ways out of it the one that was taken last, else the first that is written.
func (c *routeMap) pick(row, by int) {
	row = min(max(0, row), len(c.stops)-1)
	for c.stops[row].holder {
		if row += by; row < 0 || row >= len(c.stops) {
			return
		}
	}
	c.sel, c.way = row, 0
	best := -1
	for i, e := range c.out() {
		switch {
		case e.Times > 0:
			c.way = i
			return
		case !e.Implicit && best < 0:
			best, c.way = i, i
		}
	}
}

// out and in are the ways from and to the selected row.
func (c *routeMap) out() []routes.Edge { return c.edges(c.node().Out) }
func (c *routeMap) in() []routes.Edge  { return c.edges(c.node().In) }

func (c *routeMap) node() routes.Node { return c.graph.Nodes[c.stops[c.sel].node] }

func (c *routeMap) edges(which []int) []routes.Edge {
	out := make([]routes.Edge, len(which))
	for i, n := range which {
		out[i] = c.graph.Edges[n]
	}
	return out
}

// follow goes along the way out of the selected row that is selected.
func (c *routeMap) follow() ([]tea.Msg, bool) {
	out := c.out()
	if c.way >= len(out) {
		return dialog.Send(request.Say{Text: "Nothing leads on from here."})
	}
	to := out[c.way].To
	if c.graph.Nodes[to].Step == nil {
		return dialog.Send(request.Say{Text: "That way leads out of the document: " + c.graph.Nodes[to].Label + ". {next-field} selects another."})
	}
	c.back = append(c.back, c.sel)
	c.choose(to)
	return dialog.Send()
}

// goBack goes back to where the person came from, else along the way that the run took
// to the selected row, else along the first there is.
func (c *routeMap) goBack() ([]tea.Msg, bool) {
	if n := len(c.back); n > 0 {
		row := c.back[n-1]
		c.back = c.back[:n-1]
		c.pick(row, 1)
		return dialog.Send()
	}
	in := c.in()
	if len(in) == 0 {
		return dialog.Send(request.Say{Text: "Nothing leads here but the start, or a jump."})
	}
	taken := max(0, slices.IndexFunc(in, func(e routes.Edge) bool { return e.Times > 0 }))
	c.choose(in[taken].From)
	return dialog.Send()
}

// Update moves, and goes along ways.
func (c *routeMap) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	switch msg := msg.(type) {
	case dialog.Click:
		c.click(msg.X, msg.Y)
		return dialog.Send()
	case tea.KeyPressMsg:
		return c.key(run.Look.Keys, msg)
	}
	return dialog.Unhandled()
}

func (c *routeMap) key(keys keymap.Map, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	switch {
	case keys.Is(k, "close", "map"):
		return dialog.Send(dialog.Close{})
	case keys.Is(k, "accept"):
		return append(c.show(), dialog.Close{}, request.Press{Action: "steps"}), true
	case keys.Is(k, "right"):
		return c.follow()
	case keys.Is(k, "left", "previous-node"):
		return c.goBack()
	case keys.Is(k, "next-field", "previous-field"):
		c.turn(keys.Is(k, "next-field"))
		return dialog.Send()
	case keys.Is(k, "break", "breaks", "jump", "run-to"): // what acts on the selected step acts on this one
		return c.show(), false
	}
	by, moves := list.Moved(keys, k, c.list.H)
	c.move(by)
	return nil, moves
}

// move goes up or down the rows.
func (c *routeMap) move(by int) {
	if by == 0 {
		return
	}
	to := min(max(0, c.sel+by), len(c.stops)-1)
	dir := 1
	if by < 0 && to > 0 {
		dir = -1
	}
	c.pick(to, dir)
}

// turn selects another way out.
func (c *routeMap) turn(forward bool) {
	n := len(c.node().Out)
	switch {
	case n == 0:
	case forward:
		c.way = (c.way + 1) % n
	default:
		c.way = (c.way + n - 1) % n
	}
}

// show selects the row's step in the tree.
func (c *routeMap) show() []tea.Msg {
	if r := c.state[c.node().Step]; r != nil {
		return []tea.Msg{request.Select{Row: r}}
	}
	return nil
}

// SearchText returns the rows, of which a group's title is none that can be gone to.
func (c *routeMap) SearchText() search.Text {
	lines := make([]string, len(c.stops))
	for i, s := range c.stops {
		if !s.holder {
			lines[i] = c.called(i)
		}
	}
	return search.Text{Lines: search.LinesOf(lines), At: search.Chosen(c.sel), Show: func(line int) { c.pick(line, 1) }}
}

func (c *routeMap) Highlight(s *search.Search) { c.marks = s }

// click selects the row or the way under the pointer.
func (c *routeMap) click(x, y int) {
	switch i := y - c.text.Y; {
	case c.list.Holds(x, y) && c.top+y < len(c.stops):
		c.pick(c.top+y, 1)
	case c.text.Holds(x, y) && i < len(c.wayAt) && c.wayAt[i] >= 0:
		c.way = c.wayAt[i]
	}
}

func (c *routeMap) Height(*runview.Run, int) int { return 1 }
func (c *routeMap) Tall(*runview.Run) bool       { return true }
func (c *routeMap) IsFullScreen() bool           { return true }

func (c *routeMap) Signs() [][2]string {
	return [][2]string{
		{"┃ ━", "a way that this run took"}, {"┈ ⇢", "one that a person chose"}, {"◆", "a group's results meet"},
		{"↻", "leads to itself: again"}, {"↻ next", "to its next instance"}, {"■", "the run ends so"}, {"2 never", "ways that no run took"},
	}
}

func (c *routeMap) Hints(run *runview.Run) []draw.Hint {
	l := run.Look
	out := []draw.Hint{l.Press("close", "close"), l.Press("accept", "go there"), l.Press("right", "follow")}
	if len(c.node().Out) > 1 {
		out = append(out, l.Press("next-field", "other way"))
	}
	out = append(out, l.Press("left", "back"))
	return append(append(out, run.Hints("next-match", "find")...), l.Press("break", "break"))
}
