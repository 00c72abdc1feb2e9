package routemap

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/control"
	"playhead/engine/routes"
	"playhead/engine/runs"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// CoverageTracker knows which routes other runs took, for the map and for the marks of the steps.
type CoverageTracker struct {
	FindRoutesOfOtherRuns func(version *plan.Plan, run string) (runs.RoutesOfOtherRuns, error) // finds the routes of a version that all other runs took; nil: there are none

	lastMap           *Map                    // the map that was opened last; nil: none
	routesOfOtherRuns *runs.RoutesOfOtherRuns // nil: not looked up yet
	untakenCounter    *UntakenCounter         // nil: steps are not marked
}

// OtherRunsMsg is the message with the routes that other runs took.
type OtherRunsMsg struct {
	otherRoutes runs.RoutesOfOtherRuns
	err         error
}

// requestOtherRoutes looks up in the background which routes other runs took.
func (t *CoverageTracker) requestOtherRoutes(run *runview.Run) []tea.Msg {
	find, version, id := t.FindRoutesOfOtherRuns, run.Plan, run.Track.RunID
	if find == nil {
		return nil
	}
	return []tea.Msg{request.Background{Cmd: func() tea.Msg {
		known, err := find(version, id)
		return OtherRunsMsg{known, err}
	}}}
}

// HandleOtherRuns stores the routes of other runs.
func (t *CoverageTracker) HandleOtherRuns(f OtherRunsMsg) []tea.Msg {
	if f.err != nil {
		return []tea.Msg{request.Say{Text: wording.ErrorSentence(f.err)}}
	}
	t.routesOfOtherRuns = &f.otherRoutes
	if t.lastMap != nil {
		t.lastMap.IncludeOtherRuns(t.routesOfOtherRuns)
	}
	if t.untakenCounter != nil {
		t.untakenCounter.IncludeOtherRuns(t.routesOfOtherRuns)
		if !t.untakenCounter.hasUntakenRoutes() { // no step would have a mark
			t.untakenCounter = nil
			return []tea.Msg{request.Say{Text: "Every explicit route of this document has been taken."}}
		}
	}
	if n := f.otherRoutes.OtherVersionCount; n > 0 {
		return []tea.Msg{request.Say{Text: "Not counted: " + plan.CountText(n, "run") + " with a different version of this document."}}
	}
	return nil
}

// ToggleMarks begins or ends marking the steps that have routes which no run has taken.
func (t *CoverageTracker) ToggleMarks(run *runview.Run) []tea.Msg {
	if t.untakenCounter != nil {
		t.untakenCounter = nil
		return nil
	}
	t.untakenCounter = NewUntakenCounter(run)
	if t.routesOfOtherRuns != nil {
		t.untakenCounter.IncludeOtherRuns(t.routesOfOtherRuns)
	}
	return t.requestOtherRoutes(run)
}

// HandlePlanChange forgets the routes of the document's previous version, and counts those of the current one if steps
// are marked.
func (t *CoverageTracker) HandlePlanChange(run *runview.Run) []tea.Msg {
	t.lastMap, t.routesOfOtherRuns = nil, nil
	if t.untakenCounter == nil {
		return nil
	}
	t.untakenCounter = NewUntakenCounter(run)
	return t.requestOtherRoutes(run)
}

// OpenMap shows the map of the selected step's document.
func (t *CoverageTracker) OpenMap(run *runview.Run) []tea.Msg {
	t.lastMap = New(run, run.SelectedRow)
	if t.routesOfOtherRuns != nil {
		t.lastMap.IncludeOtherRuns(t.routesOfOtherRuns)
	}
	return append([]tea.Msg{dialog.Open{Dialog: t.lastMap}}, t.requestOtherRoutes(run)...)
}

// Sync brings the open map, nil if none is open, and the marks in line with the run. untaken counts the
// routes of each step that no run has taken. changed reports whether to show it again.
func (t *CoverageTracker) Sync(run *runview.Run, open *Map) (untaken map[*plan.Step]int, changed bool) {
	if open != nil {
		open.Sync(run)
	}
	if t.untakenCounter == nil {
		return nil, true
	}
	changed = t.untakenCounter.Sync(run)
	return t.untakenCounter.UntakenCounts(), changed
}

// UnavailableReason returns why there is no map of the selected step's document, "" if there is one.
func UnavailableReason(run *runview.Run) string {
	if !hasSteps(run, run.SelectedRow) {
		return control.NoStepsReason
	}
	return ""
}

// MarkStepsUnavailableReason returns why no steps can be marked, "" if they can.
func MarkStepsUnavailableReason(run *runview.Run) string {
	if !routes.GraphOf(run.Plan).HasExplicitRoutes() {
		return routes.NoExplicitRoutesText
	}
	return ""
}

// UntakenCounter counts the explicit routes of a document that no run has taken.
type UntakenCounter struct {
	documentMap   *Map
	countedGraph  *routes.Graph // the graph that untakenCounts was counted from
	untakenCounts map[*plan.Step]int
}

// NewUntakenCounter returns the coverage of the run's main document, before other runs are known.
func NewUntakenCounter(run *runview.Run) *UntakenCounter {
	return &UntakenCounter{documentMap: newMap(run.Plan, "")}
}

// IncludeOtherRuns includes the routes that other runs took.
func (c *UntakenCounter) IncludeOtherRuns(known *runs.RoutesOfOtherRuns) {
	c.documentMap.setOtherRunsCoverage(known)
	c.countedGraph = nil
}

// Sync counts again if the run has changed, and reports whether it has.
func (c *UntakenCounter) Sync(run *runview.Run) bool {
	c.documentMap.foldEvents(run.ShownEvents)
	if c.countedGraph == c.documentMap.runGraph {
		return false
	}
	c.countedGraph, c.untakenCounts = c.documentMap.runGraph, map[*plan.Step]int{}
	for _, n := range c.countedGraph.Nodes {
		if n.Step != nil {
			c.untakenCounts[n.Step] = c.documentMap.countUntaken(n)
		}
	}
	return true
}

// hasUntakenRoutes reports whether a step has an explicit route that no run has taken.
func (c *UntakenCounter) hasUntakenRoutes() bool {
	return slices.ContainsFunc(c.documentMap.runGraph.Edges, c.documentMap.isUntaken)
}

// UntakenCounts returns how many explicit routes out of each step no run has taken.
func (c *UntakenCounter) UntakenCounts() map[*plan.Step]int { return c.untakenCounts }
