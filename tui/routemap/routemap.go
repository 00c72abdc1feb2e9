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
	"playhead/tui/keymap"
	"playhead/tui/layout"
	"playhead/tui/list"
	"playhead/tui/request"
	"playhead/tui/routemap/rail"
	"playhead/tui/runview"
	"playhead/tui/search"
)

// Map implements dialog.Dialog. It takes the whole screen.
type Map struct {
	dialog.FullScreen
	document          *plan.Plan
	labelPrefix       string        // the prefix of the document's labels
	writtenGraph      *routes.Graph // the routes that the document writes
	runGraph          *routes.Graph // writtenGraph with the routes that the run took
	runCounts         *routes.RunCounts
	foldedEvents      []machine.Event  // the events in runCounts
	maxEntryCount     int              // the highest entry count in runCounts
	otherRunsCoverage *routes.Coverage // the routes of other runs; nil: unknown

	entries          []mapEntry
	entryIndexByNode []int // by node: the index of its entry; the ends of the document have none
	rail             *rail.Rail
	maxRailLanes     int
	rowByStep        map[*plan.Step]*track.Row
	currentRow       *track.Row              // the run's current row
	statusText       func(*track.Row) string // returns a row's state in the run

	selectedEntry int   // the index of the selected entry
	selectedRoute int   // the index of the selected route among the selected entry's routes out
	returnEntries []int // entries from which the person followed a route
	firstVisible  int
	visibleCount  int             // how many entries fit
	hiddenRoutes  layout.Overflow // how many lines about the selected entry's routes are out of sight
	search        *search.Search  // its matches are highlighted
}

// mapEntry is a line of the map: a step, or the place where the results of a group's substeps are joined. Such
// a group also has a title line above its substeps, which is no node of the run.
type mapEntry struct {
	nodeIndex       int
	isTitle, isJoin bool
}

// New returns the map of the document of a row's step, with the step selected.
func New(run *runview.Run, row *track.Row) *Map {
	m := newMap(documentOf(run, row))
	m.Sync(run)
	if row != nil && row.Step != nil {
		m.selectNode(m.writtenGraph.NodeIndex(row.Step.ID))
	} else if len(m.writtenGraph.StartNodes) > 0 {
		m.selectNode(m.writtenGraph.StartNodes[0])
	}
	m.scrollToSelected(run)
	return m
}

// newMap returns the map of a document, before it knows a run.
func newMap(doc *plan.Plan, prefix string) *Map {
	m := &Map{document: doc, labelPrefix: prefix, writtenGraph: routes.GraphOf(doc)}
	m.entryIndexByNode = make([]int, len(m.writtenGraph.Nodes))
	m.addEntries(doc.Steps)
	return m
}

// documentOf returns the document of a row's step, and the prefix of its labels.
func documentOf(run *runview.Run, r *track.Row) (doc *plan.Plan, prefix string) {
	switch {
	case r != nil && r.Step != nil:
		return r.Plan(), strings.TrimSuffix(r.Label, r.LocalLabel)
	case r != nil && r.IncludedDocument != nil && r.IncludedDocument.Plan != nil:
		return r.IncludedDocument.Plan, r.Label + "/"
	}
	return run.Plan, ""
}

// hasSteps reports whether the document of a row's step has steps to draw.
func hasSteps(run *runview.Run, r *track.Row) bool {
	doc, _ := documentOf(run, r)
	return len(doc.Steps) > 0
}

// addEntries lists the entries of steps. A group that joins results has its entry after its substeps.
func (m *Map) addEntries(steps []*plan.Step) {
	for _, s := range steps {
		i := m.writtenGraph.NodeIndex(s.ID)
		n := m.writtenGraph.Nodes[i]
		joins := len(s.Children) > 0 && n.CanBeCurrent() && !s.IsExecutable() && !s.EntryChild().IsArm()
		m.entryIndexByNode[i] = len(m.entries)
		m.entries = append(m.entries, mapEntry{nodeIndex: i, isTitle: joins || !n.CanBeCurrent()})
		m.addEntries(s.Children)
		if joins {
			m.entryIndexByNode[i] = len(m.entries)
			m.entries = append(m.entries, mapEntry{nodeIndex: i, isJoin: true})
		}
	}
}

// Sync brings the map in line with the moment of the run that the screen shows.
func (m *Map) Sync(run *runview.Run) {
	m.foldEvents(run.ShownEvents)
	m.rowByStep, m.currentRow, m.statusText = map[*plan.Step]*track.Row{}, nil, run.StatusText
	m.findRows(run.ShownTrack.Rows)
	if run.Status.State != engine.Over || run.ShowsEarlierMoment() {
		m.currentRow = run.ShownPosition()
	}
	if r := run.NextRowToEnter(); r != nil && m.isOwnRow(r) { // an instance that does not exist yet is the newest
		m.rowByStep[r.Step] = r
	}
	m.scrollToSelected(run)
}

// foldEvents takes over the events of the run up to the moment that the screen shows.
func (m *Map) foldEvents(events []machine.Event) {
	n := len(m.foldedEvents)
	if m.runCounts == nil || n > len(events) || n > 0 && events[n-1].Seq != m.foldedEvents[n-1].Seq {
		m.runCounts, m.runGraph, n = routes.NewRunCounts(m.labelPrefix), nil, 0
	}
	if m.runGraph == nil || n < len(events) {
		m.runCounts.Fold(events[n:]...)
		m.runGraph, m.rail, m.maxEntryCount = m.writtenGraph.WithCounts(m.runCounts), nil, 0
		for _, n := range m.runCounts.EntryCounts {
			m.maxEntryCount = max(m.maxEntryCount, n)
		}
	}
	m.foldedEvents = events
}

// IncludeOtherRuns includes the routes that other runs took. Without other runs, it marks no route as untaken.
func (m *Map) IncludeOtherRuns(known *runs.RoutesOfOtherRuns) {
	m.otherRunsCoverage, m.rail = nil, nil
	if len(known.RouteLists) > 0 {
		m.setOtherRunsCoverage(known)
	}
}

// setOtherRunsCoverage includes the routes that other runs took. They are known only for the main document of a run.
func (m *Map) setOtherRunsCoverage(known *runs.RoutesOfOtherRuns) {
	if m.labelPrefix == "" {
		m.otherRunsCoverage, m.rail = m.writtenGraph.CoverageOf(known.RouteLists), nil
	}
}

// findRows finds the rows of the document's steps: the newest instance of each.
func (m *Map) findRows(rows []*track.Row) {
	for _, r := range rows {
		if m.isOwnRow(r) && r.IsLatestInstance() {
			m.rowByStep[r.Step] = r
		}
		m.findRows(r.Children)
	}
}

// isOwnRow reports whether a row belongs to a step of the document.
func (m *Map) isOwnRow(r *track.Row) bool {
	return r.Step != nil && r.Label == m.labelPrefix+r.LocalLabel && r.Plan() == m.document
}

// selectNode selects the entry of a node, or that of its first substep.
func (m *Map) selectNode(node int) {
	if node >= 0 && node < len(m.entryIndexByNode) && m.runGraph.Nodes[node].Step != nil {
		m.selectEntry(m.entryIndexByNode[node], 1)
	}
}

// selectEntry selects an entry, or the next one in a direction (1 or -1) that is not a title. Of its routes it
// selects the first that the run took, else the first that is written.
func (m *Map) selectEntry(entry, direction int) {
	entry = min(max(0, entry), len(m.entries)-1)
	for m.entries[entry].isTitle {
		if entry += direction; entry < 0 || entry >= len(m.entries) {
			return
		}
	}
	m.selectedEntry, m.selectedRoute = entry, 0
	best := -1
	for i, e := range m.routesOut() {
		switch {
		case e.TakenCount > 0:
			m.selectedRoute = i
			return
		case !e.Implicit && best < 0:
			best, m.selectedRoute = i, i
		}
	}
}

// routesOut and routesIn return the routes from and to the selected entry.
func (m *Map) routesOut() []routes.Edge { return m.edgesAt(m.selectedNode().OutEdges) }
func (m *Map) routesIn() []routes.Edge  { return m.edgesAt(m.selectedNode().InEdges) }

func (m *Map) selectedNode() routes.Node {
	return m.runGraph.Nodes[m.entries[m.selectedEntry].nodeIndex]
}

func (m *Map) edgesAt(which []int) []routes.Edge {
	out := make([]routes.Edge, len(which))
	for i, n := range which {
		out[i] = m.runGraph.Edges[n]
	}
	return out
}

// followRoute selects the step to which the selected route leads.
func (m *Map) followRoute() ([]tea.Msg, bool) {
	out := m.routesOut()
	if m.selectedRoute >= len(out) {
		return dialog.Handled(request.Say{Text: "No route leads on from here."})
	}
	to := out[m.selectedRoute].To
	switch n := m.runGraph.Nodes[to]; {
	case n.Label == routes.UnknownTarget:
		return dialog.Handled(request.Say{Text: "Where this route leads is " + n.Label + "."})
	case n.Step == nil:
		return dialog.Handled(request.Say{Text: "This route leads to the end of the document (" + n.Label + ")."})
	}
	m.returnEntries = append(m.returnEntries, m.selectedEntry)
	m.selectNode(to)
	return dialog.Handled()
}

// goBack selects the entry that the person came from. If there is none, it goes back along the route that
// the run took to the selected entry, else along the first one.
func (m *Map) goBack() ([]tea.Msg, bool) {
	if n := len(m.returnEntries); n > 0 {
		entry := m.returnEntries[n-1]
		m.returnEntries = m.returnEntries[:n-1]
		m.selectEntry(entry, 1)
		return dialog.Handled()
	}
	in := m.routesIn()
	if len(in) == 0 {
		return dialog.Handled(request.Say{Text: "Only the start or a jump leads here."})
	}
	firstTaken := max(0, slices.IndexFunc(in, func(e routes.Edge) bool { return e.TakenCount > 0 }))
	m.selectNode(in[firstTaken].From)
	return dialog.Handled()
}

// Update moves the selection and follows routes.
func (m *Map) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	switch msg := msg.(type) {
	case dialog.Click:
		m.handleClick(run, msg.X, msg.Y)
		return dialog.Handled()
	case tea.KeyPressMsg:
		return m.handleKey(run, msg)
	}
	return dialog.Unhandled()
}

func (m *Map) handleKey(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	keys := run.DrawContext.Keys
	switch {
	case keys.IsKeyOf(k, "close", "map"):
		return dialog.Handled(dialog.Close{})
	case keys.IsKeyOf(k, "accept"):
		return append(m.selectInSteps(), dialog.Close{}, request.PressKeyOf{Action: "steps"}), true
	case keys.IsKeyOf(k, "right"):
		return m.followRoute()
	case keys.IsKeyOf(k, "left", "previous-step"):
		return m.goBack()
	case keys.IsKeyOf(k, "next-field", "previous-field"):
		m.selectNextRoute(keys.IsKeyOf(k, "next-field"))
		return dialog.Handled()
	case keys.IsKeyOf(k, "break", "breaks", "jump", "run-to", "what-if", "edit"):
		// The action of the key then acts on the step that selectInSteps selects.
		return m.selectInSteps(), false
	}
	by, moves := list.KeyMovement(keys, k, m.layOut(run.DialogArea.W, run.DialogArea.H).entriesArea.H)
	m.moveSelection(by)
	return nil, moves
}

// moveSelection moves the selection up or down.
func (m *Map) moveSelection(by int) {
	if by == 0 {
		return
	}
	to := min(max(0, m.selectedEntry+by), len(m.entries)-1)
	dir := 1
	if by < 0 && to > 0 {
		dir = -1
	}
	m.selectEntry(to, dir)
}

// selectNextRoute selects another route.
func (m *Map) selectNextRoute(forward bool) {
	n := len(m.selectedNode().OutEdges)
	switch {
	case n == 0:
	case forward:
		m.selectedRoute = (m.selectedRoute + 1) % n
	default:
		m.selectedRoute = (m.selectedRoute + n - 1) % n
	}
}

// RulesOfSelectedRoute returns the rules of the selected step in which the selected route is written.
func (m *Map) RulesOfSelectedRoute(run *runview.Run) []runview.EditableRule {
	out := m.routesOut()
	if m.selectedRoute >= len(out) {
		return nil
	}
	e := out[m.selectedRoute]
	return slices.DeleteFunc(run.EditableRules(), func(rule runview.EditableRule) bool {
		return rule.Row.Step.ID != e.Step || rule.Location.Span.Line != e.Line
	})
}

// CandidateOfSelectedRoute returns which candidate of a decision of the selected step the selected route is, -1: none.
func (m *Map) CandidateOfSelectedRoute(d *machine.Decision) int {
	out := m.routesOut()
	if d == nil || m.selectedRoute >= len(out) {
		return -1
	}
	return out[m.selectedRoute].CandidateIndex(d)
}

// DocumentPlace returns the place where the selected route is written, else that of the selected step.
func (m *Map) DocumentPlace(*runview.Run) runview.DocumentPlace {
	step, line := m.selectedNode().Step, 0
	if out := m.routesOut(); m.selectedRoute < len(out) {
		line = out[m.selectedRoute].Line
	}
	return runview.PlaceOfRoute(m.document, step, line)
}

// selectInSteps selects the step of the selected entry in the steps.
func (m *Map) selectInSteps() []tea.Msg {
	if r := m.rowByStep[m.selectedNode().Step]; r != nil {
		return []tea.Msg{request.SelectStep{Row: r}}
	}
	return nil
}

// SearchText returns the names of the entries, without titles of groups, which cannot be selected.
func (m *Map) SearchText(*search.Search) search.Text {
	lines := make([]string, len(m.entries))
	for i, s := range m.entries {
		if !s.isTitle {
			lines[i] = m.entryName(i)
		}
	}
	return search.Text{Lines: search.MemoryLinesOf(lines), Position: search.LinePosition(m.selectedEntry), ShowLine: func(line int) []tea.Msg {
		m.selectEntry(line, 1)
		return nil
	}}
}

func (m *Map) Highlight(s *search.Search) { m.search = s }

// handleClick selects the entry or the route under the pointer.
func (m *Map) handleClick(run *runview.Run, x, y int) {
	a := m.layOut(run.DialogArea.W, run.DialogArea.H)
	switch {
	case a.entriesArea.Contains(x, y) && m.firstVisible+y < len(m.entries):
		m.selectEntry(m.firstVisible+y, 1)
	case a.routesArea.Contains(x, y):
		if _, routeByLine := m.routeBoxLines(run.DrawContext, a.routesArea); y-a.routesArea.Y < len(routeByLine) && routeByLine[y-a.routesArea.Y] >= 0 {
			m.selectedRoute = routeByLine[y-a.routesArea.Y]
		}
	}
}

// AllowsAction implements dialog.ActionFilter: the map shows the run, so the keys of the screen work, except those that go
// through the panes, which select a route here.
func (m *Map) AllowsAction(a *keymap.KeyAction) bool {
	return a.Name != "next-pane" && a.Name != "previous-pane"
}

func (m *Map) Legend() [][2]string {
	return [][2]string{
		{"┃ ━", "a route that this run took"}, {"┈ ⇢", "a jump by a person"}, {"◆", "where a group's outcome is decided"},
		{"↻", "to the same step again"}, {"↻ next", "to the next instance of the same step"}, {"■", "the document ends with this result"}, {"2 untaken", "routes that no run has taken"}, {"×2", "entered 2 times"},
	}
}

func (m *Map) Hints(run *runview.Run) []draw.Hint {
	dc := run.DrawContext
	out := []draw.Hint{dc.ActionHint("close", "close"), dc.ActionHint("accept", "go there"), dc.ActionHint("right", "follow")}
	if len(m.selectedNode().OutEdges) > 1 {
		out = append(out, dc.ActionHint("next-field", "other route"))
	}
	out = append(out, dc.ActionHint("left", "back"))
	out = append(append(out, run.AvailableHints("find")...), dc.ActionHint("break", "break"))
	if r := m.rowByStep[m.selectedNode().Step]; r != nil && m.runCounts.EntryCounts[r.Step.ID] > 0 && !run.IsReplay {
		out = append(out, dc.ActionHint("what-if", "what if"))
	}
	return out
}
