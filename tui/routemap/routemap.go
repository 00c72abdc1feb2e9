// Package routemap is the dialog with a document's route graph: its steps in reading order, lines for the
// routes between them, and the routes from and to the selected step in words.
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

// Map implements dialog.Dialog. It takes the whole screen.
type Map struct {
	doc           *plan.Plan
	prefix        string        // the prefix of the document's labels
	documentGraph *routes.Graph // the routes that the document writes
	graph         *routes.Graph // documentGraph with the routes that the run took
	trail         *routes.Trail
	events        []machine.Event  // the events in the trail
	coverage      *routes.Coverage // the routes of other runs; nil: unknown

	entries []entry
	entryOf []int // by node: the index of its entry; the ends of the document have none
	rail    *rail.Rail
	lanes   int
	rows    map[*plan.Step]*track.Row
	at      *track.Row // the run's current row
	runOver bool

	sel    int   // the index of the selected entry
	route  int   // the index of the selected route among the selected entry's routes out
	back   []int // entries from which the person followed a route
	top    int
	shown  int            // how many entries fit
	search *search.Search // its matches are highlighted
}

// entry is a line of the map: a step, or the place where the results of a group's substeps are joined. Such
// a group also has a title line above its substeps, which is no node of the run.
type entry struct {
	node            int
	isTitle, joined bool
}

// New returns the map of the document of a row's step, with the step selected.
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

// documentOf returns the document of a row's step, and the prefix of its labels.
func documentOf(run *runview.Run, r *track.Row) (doc *plan.Plan, prefix string) {
	switch {
	case r != nil && r.Step != nil:
		return r.Plan(), strings.TrimSuffix(r.Label, r.Local)
	case r != nil && r.Doc != nil && r.Doc.Plan != nil:
		return r.Doc.Plan, r.Label + "/"
	}
	return run.Plan, ""
}

// hasSteps reports whether the document of a row's step has steps to draw.
func hasSteps(run *runview.Run, r *track.Row) bool {
	doc, _ := documentOf(run, r)
	return len(doc.Steps) > 0
}

// list lists the entries of steps. A group that joins results has its entry after its substeps.
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

// Sync brings the map in line with the moment of the run that the screen shows.
func (c *Map) Sync(run *runview.Run) {
	c.fold(run.ShownEvents)
	c.rows, c.at, c.runOver = map[*plan.Step]*track.Row{}, nil, run.Shown.IsOver()
	c.findRows(run.Shown.Rows)
	if run.Status.State != engine.Over || run.ShowsEarlierMoment() {
		c.at = run.ShownPosition()
	}
	if r := run.NextRow(); r != nil && c.has(r) { // an instance that does not exist yet is the newest
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

// Compare includes the routes that other runs took. Without other runs, it marks no route as untaken.
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

// findRows finds the rows of the document's steps: the newest instance of each.
func (c *Map) findRows(rows []*track.Row) {
	for _, r := range rows {
		if c.has(r) && r.IsLatest() {
			c.rows[r.Step] = r
		}
		c.findRows(r.Children)
	}
}

// has reports whether a row belongs to a step of the document.
func (c *Map) has(r *track.Row) bool {
	return r.Step != nil && r.Label == c.prefix+r.Local && r.Plan() == c.doc
}

// choose selects the entry of a node, or that of its first substep.
func (c *Map) choose(node int) {
	if node >= 0 && node < len(c.entryOf) && c.graph.Nodes[node].Step != nil {
		c.pick(c.entryOf[node], 1)
	}
}

// pick selects an entry, or the next one in a direction that is not a title. Of its routes it selects the
// one that the run took, else the first that is written.
func (c *Map) pick(row, by int) {
	row = min(max(0, row), len(c.entries)-1)
	for c.entries[row].isTitle {
		if row += by; row < 0 || row >= len(c.entries) {
			return
		}
	}
	c.sel, c.route = row, 0
	best := -1
	for i, e := range c.routesOut() {
		switch {
		case e.Times > 0:
			c.route = i
			return
		case !e.Implicit && best < 0:
			best, c.route = i, i
		}
	}
}

// routesOut and routesIn return the routes from and to the selected entry.
func (c *Map) routesOut() []routes.Edge { return c.edges(c.node().Out) }
func (c *Map) routesIn() []routes.Edge  { return c.edges(c.node().In) }

func (c *Map) node() routes.Node { return c.graph.Nodes[c.entries[c.sel].node] }

func (c *Map) edges(which []int) []routes.Edge {
	out := make([]routes.Edge, len(which))
	for i, n := range which {
		out[i] = c.graph.Edges[n]
	}
	return out
}

// follow selects the step to which the selected route leads.
func (c *Map) follow() ([]tea.Msg, bool) {
	out := c.routesOut()
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

// goBack selects the entry that the person came from. If there is none, it goes back along the route that
// the run took to the selected entry, else along the first one.
func (c *Map) goBack() ([]tea.Msg, bool) {
	if n := len(c.back); n > 0 {
		row := c.back[n-1]
		c.back = c.back[:n-1]
		c.pick(row, 1)
		return dialog.Send()
	}
	in := c.routesIn()
	if len(in) == 0 {
		return dialog.Send(request.Say{Text: "Only the start or a jump leads here."})
	}
	taken := max(0, slices.IndexFunc(in, func(e routes.Edge) bool { return e.Times > 0 }))
	c.choose(in[taken].From)
	return dialog.Send()
}

// Update moves the selection and follows routes.
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
	case keys.Is(k, "break", "breaks", "jump", "run-to", "what-if", "edit"):
		// The action of the key then acts on the step that show selects.
		return c.show(), false
	}
	by, moves := list.Movement(keys, k, c.arrange(run.Room.W, run.Room.H).list.H)
	c.move(by)
	return nil, moves
}

// move moves the selection up or down.
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
	out := c.routesOut()
	if c.route >= len(out) {
		return nil
	}
	e := out[c.route]
	return slices.DeleteFunc(run.Rules(), func(rule runview.Rule) bool {
		return rule.Row.Step.ID != e.Step || rule.Clause.Text.Span.Line != e.Line
	})
}

// Place returns the place where the selected route is written, else that of the selected step.
func (c *Map) Place(*runview.Run) runview.Place {
	step, line := c.node().Step, 0
	if out := c.routesOut(); c.route < len(out) {
		line = out[c.route].Line
	}
	return runview.PlaceOfRoute(c.doc, step, line)
}

// show selects the step of the selected entry in the steps.
func (c *Map) show() []tea.Msg {
	if r := c.rows[c.node().Step]; r != nil {
		return []tea.Msg{request.Select{Row: r}}
	}
	return nil
}

// SearchText returns the names of the entries, without titles of groups, which cannot be selected.
func (c *Map) SearchText() search.Text {
	lines := make([]string, len(c.entries))
	for i, s := range c.entries {
		if !s.isTitle {
			lines[i] = c.label(i)
		}
	}
	return search.Text{Lines: search.LinesOf(lines), At: search.LineReach(c.sel), Show: func(line int) []tea.Msg {
		c.pick(line, 1)
		return nil
	}}
}

func (c *Map) Highlight(s *search.Search) { c.search = s }

// click selects the entry or the route under the pointer.
func (c *Map) click(run *runview.Run, x, y int) {
	a := c.arrange(run.Room.W, run.Room.H)
	switch {
	case a.list.Holds(x, y) && c.top+y < len(c.entries):
		c.pick(c.top+y, 1)
	case a.text.Holds(x, y):
		if _, about := c.boxLines(run.Look, a.text); y-a.text.Y < len(about) && about[y-a.text.Y] >= 0 {
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
