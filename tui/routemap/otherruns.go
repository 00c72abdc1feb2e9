package routemap

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine/routes"
	"playhead/engine/runs"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Tracker knows which routes other runs took, for the map and for the marks of the steps.
type Tracker struct {
	LookUp func(run string) (runs.OtherRoutes, error) // finds the routes of all other runs; nil: there are none

	lastMap  *Map              // the map that was opened last; nil: none
	known    *runs.OtherRoutes // nil: not looked up yet
	coverage *Coverage         // nil: steps are not marked
}

// OtherRuns is the message with the routes that other runs took.
type OtherRuns struct {
	known runs.OtherRoutes
	err   error
}

// lookUp looks up in the background which routes other runs took.
func (t *Tracker) lookUp(run *runview.Run) []tea.Msg {
	look, id := t.LookUp, run.Track.Run
	if look == nil {
		return nil
	}
	return []tea.Msg{request.Background{Cmd: func() tea.Msg {
		known, err := look(id)
		return OtherRuns{known, err}
	}}}
}

// Take stores the routes of other runs.
func (t *Tracker) Take(f OtherRuns) []tea.Msg {
	if f.err != nil {
		return []tea.Msg{request.Say{Text: f.err.Error()}}
	}
	t.known = &f.known
	if t.lastMap != nil {
		t.lastMap.Compare(t.known)
	}
	if t.coverage != nil {
		t.coverage.Compare(t.known)
	}
	if n := f.known.Others; n > 0 {
		return []tea.Msg{request.Say{Text: "Not counted: " + wording.Count(n, "run") + " of other versions of this document."}}
	}
	return nil
}

// Toggle begins or ends marking the steps that have routes which no run has taken.
func (t *Tracker) Toggle(run *runview.Run) []tea.Msg {
	if t.coverage != nil {
		t.coverage = nil
		return nil
	}
	t.coverage = NewCoverage(run)
	if t.known != nil {
		t.coverage.Compare(t.known)
	}
	return t.lookUp(run)
}

// Open shows the map of the selected step's document.
func (t *Tracker) Open(run *runview.Run) []tea.Msg {
	t.lastMap = New(run, run.Selected)
	if t.known != nil {
		t.lastMap.Compare(t.known)
	}
	return append([]tea.Msg{dialog.Open{Dialog: t.lastMap}}, t.lookUp(run)...)
}

// Sync brings the open map, nil if none is open, and the marks in line with the run. untaken counts the
// routes of each step that no run has taken. changed reports whether to show it again.
func (t *Tracker) Sync(run *runview.Run, open *Map) (untaken map[*plan.Step]int, changed bool) {
	if open != nil {
		open.Sync(run)
	}
	if t.coverage == nil {
		return nil, true
	}
	changed = t.coverage.Sync(run)
	return t.coverage.Untaken(), changed
}

// Unavailable returns why there is no map of the selected step's document, "" if there is one.
func Unavailable(run *runview.Run) string {
	if !hasSteps(run, run.Selected) {
		return "This document has no steps."
	}
	return ""
}

// CannotMark returns why no steps can be marked, "" if they can.
func CannotMark(run *runview.Run) string {
	if !routes.Of(run.Plan).Written() {
		return "This document has no explicit routes."
	}
	return ""
}

// Coverage counts the written routes of a document that no run has taken.
type Coverage struct {
	documentMap  *Map
	countedGraph *routes.Graph // the graph that untaken was counted from
	untaken      map[*plan.Step]int
}

// NewCoverage returns the coverage of the run's main document, before other runs are known.
func NewCoverage(run *runview.Run) *Coverage { return &Coverage{documentMap: newMap(run.Plan, "")} }

// Compare includes the routes that other runs took.
func (c *Coverage) Compare(known *runs.OtherRoutes) {
	c.documentMap.cover(known)
	c.countedGraph = nil
}

// Sync counts again if the run has changed, and reports whether it has.
func (c *Coverage) Sync(run *runview.Run) bool {
	c.documentMap.fold(run.ShownEvents)
	if c.countedGraph == c.documentMap.graph {
		return false
	}
	c.countedGraph, c.untaken = c.documentMap.graph, map[*plan.Step]int{}
	for _, n := range c.countedGraph.Nodes {
		if n.Step != nil {
			c.untaken[n.Step] = c.documentMap.countUntaken(n)
		}
	}
	return true
}

// Untaken returns how many written routes out of each step no run has taken.
func (c *Coverage) Untaken() map[*plan.Step]int { return c.untaken }
