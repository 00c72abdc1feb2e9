package runs

import (
	"encoding/json"
	"sync"

	"playhead/engine/journal"
	"playhead/engine/outfile"
	"playhead/engine/routes"
	"playhead/engine/setup"
	"playhead/parse/infile"
	"playhead/parse/plan"
)

// maxRunsForCoverage limits how many runs of a document CoverageCache reads, the newest first.
const maxRunsForCoverage = 200

// CoverageCache finds the routes that the runs of a document took. It keeps the routes in a journal until the journal
// grows. Its methods may be called from any goroutine.
type CoverageCache struct {
	document    string
	mu          sync.Mutex
	routesByRun map[string]runRoutes // by the run's ID
}

// runRoutes are the routes in a journal of a given size in bytes.
type runRoutes struct {
	journalBytes int64
	routes       []routes.RouteRef
}

// NewCoverageCache returns an empty cache for the document at an absolute path.
func NewCoverageCache(document string) *CoverageCache {
	return &CoverageCache{document: document, routesByRun: map[string]runRoutes{}}
}

// RoutesOfOtherRuns are the routes that other runs of a document and its scenarios took.
type RoutesOfOtherRuns struct {
	RouteLists        [][]routes.RouteRef // the routes of each run, and of each scenario
	OtherVersionCount int                 // the number of runs of other versions, which do not count
}

// ReadRoutesOfOtherRuns returns the routes of a version of the document that its other runs (all but run) took, as far as their
// journals can be read, and the routes of its scenarios.
func (c *CoverageCache) ReadRoutesOfOtherRuns(version *plan.Plan, run string) (RoutesOfOtherRuns, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	same, different, err := journal.DefaultStore().RunsOfVersion(c.document, version)
	if err != nil {
		return RoutesOfOtherRuns{}, err
	}
	out := RoutesOfOtherRuns{OtherVersionCount: different, RouteLists: c.readScenarioRoutes(version)}
	for _, j := range same[:min(len(same), maxRunsForCoverage)] {
		if j.ID() == run {
			continue
		}
		t, ok := c.routesByRun[j.ID()]
		if !ok || t.journalBytes != j.Bytes {
			t = runRoutes{j.Bytes, routes.RoutesTakenBy(j.DecisionEvents())}
			c.routesByRun[j.ID()] = t
		}
		out.RouteLists = append(out.RouteLists, t.routes)
	}
	return out, nil
}

// scenarioRoutes are the routes that the scenarios of a document took when they last ran.
type scenarioRoutes struct {
	Version string              `json:"version"` // of the document
	Routes  [][]routes.RouteRef `json:"routes"`  // of each scenario
}

// scenarioStateFolder is the kind of state (setup.StateFilePath) that contains scenarioRoutes.
const scenarioStateFolder = "tested"

// SaveScenarioRoutes stores the routes of scenarios for the map. It ignores errors, and the map
// then does not show these routes.
func SaveScenarioRoutes(path string, p *plan.Plan, c *routes.Coverage) {
	file, err := setup.StateFilePath(scenarioStateFolder, path)
	if err != nil {
		return
	}
	version, err := journal.VersionHash(p)
	if err != nil {
		return
	}
	if data, err := json.Marshal(scenarioRoutes{version, c.RoutesByRun}); err == nil {
		_ = outfile.WriteStateFile(file, data)
	}
}

// readScenarioRoutes returns the routes of the scenarios of a version of the document, nil if unknown.
func (c *CoverageCache) readScenarioRoutes(version *plan.Plan) [][]routes.RouteRef {
	file, err := setup.StateFilePath(scenarioStateFolder, c.document)
	if err != nil {
		return nil
	}
	var t scenarioRoutes
	data, err := infile.Read(file, infile.MaxStateFileSize)
	if err != nil || json.Unmarshal(data, &t) != nil {
		return nil
	}
	if hash, err := journal.VersionHash(version); err != nil || hash != t.Version {
		return nil
	}
	return t.Routes
}
