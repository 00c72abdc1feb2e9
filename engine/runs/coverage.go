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

// maxRuns limits how many runs of a document are read for their routes.
const maxRuns = 200

// Coverage says which routes the runs of a document took. It caches the contents of a journal until
// the journal grows.
type Coverage struct {
	document string
	plan     *plan.Plan
	mu       sync.Mutex
	byRun    map[string]runRoutes // by run
}

// runRoutes are the routes in a journal of a given size in bytes.
type runRoutes struct {
	bytes  int64
	routes []routes.RouteRef
}

// NewCoverage returns the coverage of the document at an absolute path.
func NewCoverage(document string, p *plan.Plan) *Coverage {
	return &Coverage{document: document, plan: p, byRun: map[string]runRoutes{}}
}

// OtherRoutes are the routes of other runs of a document.
type OtherRoutes struct {
	Runs   [][]routes.RouteRef // the routes of each run, and of each scenario
	Others int                 // the number of runs of other versions, which do not count
}

// Others reads the journals of the other runs of this version of the document. A damaged journal
// counts up to the damage.
func (c *Coverage) Others(run string) (OtherRoutes, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	same, different, err := journal.Default().RunsOfVersion(c.document, c.plan)
	if err != nil {
		return OtherRoutes{}, err
	}
	out := OtherRoutes{Others: different, Runs: c.scenarioRoutes()}
	for _, j := range same[:min(len(same), maxRuns)] {
		if j.ID() == run {
			continue
		}
		t, ok := c.byRun[j.ID()]
		if !ok || t.bytes != j.Bytes {
			events, _ := j.Decisions()
			t = runRoutes{j.Bytes, routes.RoutesTaken(events)}
			c.byRun[j.ID()] = t
		}
		out.Runs = append(out.Runs, t.routes)
	}
	return out, nil
}

// scenarioRoutes are the routes that the scenarios of a document took when they last ran.
type scenarioRoutes struct {
	Version string              `json:"version"` // of the document
	Routes  [][]routes.RouteRef `json:"routes"`  // of each scenario
}

const scenarioFolder = "tested"

// SaveScenarioRoutes stores the routes of scenarios for the map. It ignores errors, and the map
// then does not show these routes.
func SaveScenarioRoutes(path string, p *plan.Plan, c *routes.Coverage) {
	file, err := setup.StateFile(scenarioFolder, path)
	if err != nil {
		return
	}
	version, err := journal.Version(p)
	if err != nil {
		return
	}
	if data, err := json.Marshal(scenarioRoutes{version, c.Each}); err == nil {
		_ = outfile.WriteState(file, data)
	}
}

// scenarioRoutes returns the routes of the scenarios of this version of the document, nil if
// unknown.
func (c *Coverage) scenarioRoutes() [][]routes.RouteRef {
	file, err := setup.StateFile(scenarioFolder, c.document)
	if err != nil {
		return nil
	}
	var t scenarioRoutes
	data, err := infile.Read(file, infile.State)
	if err != nil || json.Unmarshal(data, &t) != nil {
		return nil
	}
	if version, err := journal.Version(c.plan); err != nil || version != t.Version {
		return nil
	}
	return t.Routes
}
