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
	LookUp func(run string) (runs.OtherRoutes, error) // of other runs than this one; nil: of none

	lastMap  *Map              // last; nil: none was
	known    *runs.OtherRoutes // nil: nobody has looked
	coverage *Coverage         // nil: no marks were asked for
}

// OtherRuns are the routes that other runs took, once they were looked up.
type OtherRuns struct {
	known runs.OtherRoutes
	err   error
}

// lookUp looks up which routes other runs took, which may take a while.
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

// Take takes over what was found.
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

// Toggle marks the steps that have routes which no run has taken, or does not any more.
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

// Open shows the map of the document that the selected step is in.
func (t *Tracker) Open(run *runview.Run) []tea.Msg {
	t.lastMap = New(run, run.Selected)
	if t.known != nil {
		t.lastMap.Compare(t.known)
	}
	return append([]tea.Msg{dialog.Open{Dialog: t.lastMap}}, t.lookUp(run)...)
}

// Sync brings the map, if it is open, in line with the run, and the marks. changed reports whether
// untaken, which counts the routes of each step that no run has taken, is to be shown anew.
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

// Unavailable returns why there is no map of the selected step's document, empty if there is.
func Unavailable(run *runview.Run) string {
	if !hasSteps(run, run.Selected) {
		return "This document has no steps."
	}
	return ""
}

// CannotMark returns why no steps can be marked, empty if they can.
func CannotMark(run *runview.Run) string {
	if !routes.Of(run.Plan).Written() {
		return "This document has no explicit routes."
	}
	return ""
}

// Coverage counts the written routes of a document that no run has taken.
type Coverage struct {
	documentMap  *Map
	countedGraph *routes.Graph // that was counted
	untaken      map[*plan.Step]int
}

// NewCoverage returns the coverage of the run's own document, before other runs are known.
func NewCoverage(run *runview.Run) *Coverage { return &Coverage{documentMap: newMap(run.Plan, "")} }

// Compare counts the routes that other runs took.
func (c *Coverage) Compare(known *runs.OtherRoutes) {
	c.documentMap.cover(known)
	c.countedGraph = nil
}

// Sync counts anew if the run has changed, and reports whether it has.
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
