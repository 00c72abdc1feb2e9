// Package routemap is the dialog of a document's route graph: its steps in reading order, the routes
// between them beside, and the routes from and to the selected step in words.
package routemap

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/routes"
	"playhead/engine/runs"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/rail"
	"playhead/tui/request"
	"playhead/tui/runview"
	"playhead/tui/search"
)

// Map is the dialog. It has the whole screen.
type Map struct {
	doc           *plan.Plan
	prefix        string        // of the document's labels
	documentGraph *routes.Graph // what the document says
	graph         *routes.Graph // that, with what the run did of it
	trail         *routes.Trail
	events        []machine.Event  // that are in the trail
	coverage      *routes.Coverage // of earlier runs; nil: not known

	entries []entry
	entryOf []int // by node: its entry; the ends of the document have none
	rail    *rail.Rail
	lanes   int
	rows    map[*plan.Step]*track.Row
	at      *track.Row // where the run is
	runOver bool

	sel   int   // an entry
	route int   // of the selected entry's edges out
	back  []int // entries that were left along an edge
	top   int
	shown int            // how many entries there is room for
	marks *search.Search // whose matches stand out
}

// entry is a line of the map: a step, or the place where the results of a group's are
// joined. Where the results are joined, the group has a line above that is its title:
// no run is there.
type entry struct {
	node            int
	isTitle, joined bool
}

// New returns the map of the document that a row's step is in, with the step selected.
func New(run *runview.Run, row *track.Row) *Map {
	c := newMap(documentOf(run, row))
	c.Sync(run)
	if row != nil && row.Step != nil {
		c.choose(c.documentGraph.Node(row.Step.ID))
	} else if len(c.documentGraph.Starts) > 0 {
		c.choose(c.documentGraph.Starts[0])
	}
	c.scroll(run)
	return c
}

func newMap(doc *plan.Plan, prefix string) *Map {
	c := &Map{doc: doc, prefix: prefix, documentGraph: routes.Of(doc)}
	c.entryOf = make([]int, len(c.documentGraph.Nodes))
	c.list(doc.Steps)
	return c
}

// documentOf returns the document that a row's step is in, and what its labels begin with.
func documentOf(run *runview.Run, r *track.Row) (doc *plan.Plan, prefix string) {
	switch {
	case r != nil && r.Step != nil:
		return r.Plan(), strings.TrimSuffix(r.Label, r.Local)
	case r != nil && r.Doc != nil && r.Doc.Plan != nil:
		return r.Doc.Plan, r.Label + "/"
	}
	return run.Plan, ""
}

// hasSteps reports whether the document that a row's step is in has steps to draw.
func hasSteps(run *runview.Run, r *track.Row) bool {
	doc, _ := documentOf(run, r)
	return len(doc.Steps) > 0
}

// list lists the entries of steps. A group that joins results has its entry behind them.
func (c *Map) list(steps []*plan.Step) {
	for _, s := range steps {
		i := c.documentGraph.Node(s.ID)
		n := c.documentGraph.Nodes[i]
		joins := len(s.Children) > 0 && n.CanBeCurrent() && !s.IsExecutable() && !s.First().IsArm()
		c.entryOf[i] = len(c.entries)
		c.entries = append(c.entries, entry{node: i, isTitle: joins || !n.CanBeCurrent()})
		c.list(s.Children)
		if joins {
			c.entryOf[i] = len(c.entries)
			c.entries = append(c.entries, entry{node: i, joined: true})
		}
	}
}

// Sync brings the map in line with what the screen shows of the run.
func (c *Map) Sync(run *runview.Run) {
	c.fold(run.ShownEvents)
	c.rows, c.at, c.runOver = map[*plan.Step]*track.Row{}, nil, run.Shown.IsOver()
	c.findRows(run.Shown.Rows)
	if run.Status.State != engine.Over || run.ShowsEarlierMoment() {
		c.at = run.ShownPosition()
	}
	if r := run.NextRow(); r != nil && c.has(r) { // an instance that is not there yet is the newest
		c.rows[r.Step] = r
	}
	c.scroll(run)
}

// fold takes over the events of the run up to the moment that the screen shows.
func (c *Map) fold(events []machine.Event) {
	n := len(c.events)
	if c.trail == nil || n > len(events) || n > 0 && events[n-1].Seq != c.events[n-1].Seq {
		c.trail, c.graph, n = routes.NewTrail(c.prefix), nil, 0
	}
	if c.graph == nil || n < len(events) {
		c.trail.Fold(events[n:]...)
		c.graph, c.rail = c.documentGraph.Along(c.trail), nil
	}
	c.events = events
}

// Compare counts the routes that other runs took. With no other run to compare this one with, what
// it has not taken is no news.
func (c *Map) Compare(known *runs.OtherRoutes) {
	c.coverage, c.rail = nil, nil
	if len(known.Runs) > 0 {
		c.cover(known)
	}
}

func (c *Map) cover(known *runs.OtherRoutes) {
	if c.prefix == "" {
		c.coverage, c.rail = c.documentGraph.Cover(known.Runs), nil
	}
}

// findRows finds the rows of the document's steps, of each the newest instance.
func (c *Map) findRows(rows []*track.Row) {
	for _, r := range rows {
		if c.has(r) && r.IsLatest() {
			c.rows[r.Step] = r
		}
		c.findRows(r.Children)
	}
}

// has reports whether a row is of a step of the document.
func (c *Map) has(r *track.Row) bool {
	return r.Step != nil && r.Label == c.prefix+r.Local && r.Plan() == c.doc
}

// choose selects a node's row, or that of the first step in it.
func (c *Map) choose(node int) {
	if node >= 0 && node < len(c.entryOf) && c.graph.Nodes[node].Step != nil {
		c.pick(c.entryOf[node], 1)
	}
}

// pick selects a row, or the next one in a direction at which a run can be, and of the
// routes out of it the one that was taken last, else the first that is written.
func (c *Map) pick(row, by int) {
	row = min(max(0, row), len(c.entries)-1)
	for c.entries[row].isTitle {
		if row += by; row < 0 || row >= len(c.entries) {
			return
		}
	}
	c.sel, c.route = row, 0
	best := -1
	for i, e := range c.out() {
		switch {
		case e.Times > 0:
			c.route = i
			return
		case !e.Implicit && best < 0:
			best, c.route = i, i
		}
	}
}

// out and in are the routes from and to the selected entry.
func (c *Map) out() []routes.Edge { return c.edges(c.node().Out) }
func (c *Map) in() []routes.Edge  { return c.edges(c.node().In) }

func (c *Map) node() routes.Node { return c.graph.Nodes[c.entries[c.sel].node] }

func (c *Map) edges(which []int) []routes.Edge {
	out := make([]routes.Edge, len(which))
	for i, n := range which {
		out[i] = c.graph.Edges[n]
	}
	return out
}

// follow goes along the route out of the selected entry that is selected.
func (c *Map) follow() ([]tea.Msg, bool) {
	out := c.out()
	if c.route >= len(out) {
		return dialog.Send(request.Say{Text: "No route leads on from here."})
	}
	to := out[c.route].To
	if c.graph.Nodes[to].Step == nil {
		return dialog.Send(request.Say{Text: "This route leaves the document: " + c.graph.Nodes[to].Label + ". {next-field} to select another."})
	}
	c.back = append(c.back, c.sel)
	c.choose(to)
	return dialog.Send()
}

// goBack goes back to where the person came from, else along the route that the run took
// to the selected row, else along the first there is.
func (c *Map) goBack() ([]tea.Msg, bool) {
	if n := len(c.back); n > 0 {
		row := c.back[n-1]
		c.back = c.back[:n-1]
		c.pick(row, 1)
		return dialog.Send()
	}
	in := c.in()
	if len(in) == 0 {
		return dialog.Send(request.Say{Text: "Only the start or a jump leads here."})
	}
	taken := max(0, slices.IndexFunc(in, func(e routes.Edge) bool { return e.Times > 0 }))
	c.choose(in[taken].From)
	return dialog.Send()
}

// Update moves, and goes along routes.
func (c *Map) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	switch msg := msg.(type) {
	case dialog.Click:
		c.click(run, msg.X, msg.Y)
		return dialog.Send()
	case tea.KeyPressMsg:
		return c.key(run, msg)
	}
	return dialog.Unhandled()
}

func (c *Map) key(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	keys := run.Look.Keys
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
	case keys.Is(k, "break", "breaks", "jump", "run-to", "what-if", "edit"): // what acts on the selected step acts on this one
		return c.show(), false
	}
	by, moves := list.Movement(keys, k, c.arrange(run.Room.W, run.Room.H).list.H)
	c.move(by)
	return nil, moves
}

// move goes up or down the rows.
func (c *Map) move(by int) {
	if by == 0 {
		return
	}
	to := min(max(0, c.sel+by), len(c.entries)-1)
	dir := 1
	if by < 0 && to > 0 {
		dir = -1
	}
	c.pick(to, dir)
}

// turn selects another route.
func (c *Map) turn(forward bool) {
	n := len(c.node().Out)
	switch {
	case n == 0:
	case forward:
		c.route = (c.route + 1) % n
	default:
		c.route = (c.route + n - 1) % n
	}
}

// RulesInSight returns the rules of the selected step in which the selected route is written.
func (c *Map) RulesInSight(run *runview.Run) []runview.Rule {
	out := c.out()
	if c.route >= len(out) {
		return nil
	}
	e := out[c.route]
	return slices.DeleteFunc(run.Rules(), func(rule runview.Rule) bool {
		return rule.Row.Step.ID != e.Step || rule.Clause.Text.Span.Line != e.Line
	})
}

// Place is where the selected route is written, else where the selected step begins.
func (c *Map) Place(*runview.Run) runview.Place {
	step, line := c.node().Step, 0
	if out := c.out(); c.route < len(out) {
		line = out[c.route].Line
	}
	return runview.PlaceOfRoute(c.doc, step, line)
}

// show selects the row's step in the tree.
func (c *Map) show() []tea.Msg {
	if r := c.rows[c.node().Step]; r != nil {
		return []tea.Msg{request.Select{Row: r}}
	}
	return nil
}

// SearchText returns the rows, of which a group's title is none that can be gone to.
func (c *Map) SearchText() search.Text {
	lines := make([]string, len(c.entries))
	for i, s := range c.entries {
		if !s.isTitle {
			lines[i] = c.label(i)
		}
	}
	return search.Text{Lines: search.LinesOf(lines), At: search.Chosen(c.sel), Show: func(line int) []tea.Msg {
		c.pick(line, 1)
		return nil
	}}
}

func (c *Map) Highlight(s *search.Search) { c.marks = s }

// click selects the entry or the route under the pointer.
func (c *Map) click(run *runview.Run, x, y int) {
	a := c.arrange(run.Room.W, run.Room.H)
	switch {
	case a.list.Holds(x, y) && c.top+y < len(c.entries):
		c.pick(c.top+y, 1)
	case a.text.Holds(x, y):
		if _, about := c.routesIn(run.Look, a.text); y-a.text.Y < len(about) && about[y-a.text.Y] >= 0 {
			c.route = about[y-a.text.Y]
		}
	}
}

func (c *Map) Height(*runview.Run, int) int     { return 1 }
func (c *Map) MayCoverOutput(*runview.Run) bool { return true }
func (c *Map) IsFullScreen() bool               { return true }

func (c *Map) Signs() [][2]string {
	return [][2]string{
		{"┃ ━", "a route that this run took"}, {"┈ ⇢", "one that a person chose"}, {"◆", "a group's results meet"},
		{"↻", "leads to itself: again"}, {"↻ next", "to its next instance"}, {"■", "the run ends with this result"}, {"2 untaken", "routes that no run took"}, {"×2", "how often this run was there"},
	}
}

func (c *Map) Hints(run *runview.Run) []draw.Hint {
	l := run.Look
	out := []draw.Hint{l.Press("close", "close"), l.Press("accept", "go there"), l.Press("right", "follow")}
	if len(c.node().Out) > 1 {
		out = append(out, l.Press("next-field", "other route"))
	}
	out = append(out, l.Press("left", "back"))
	return append(append(out, run.Hints("next-match", "find")...), l.Press("break", "break"))
}
