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

// maxRuns is how many runs of a document are looked at for what they took.
const maxRuns = 200

// Coverage says which routes the runs of a document took. What a journal said is kept until it
// has more.
type Coverage struct {
	document string
	plan     *plan.Plan
	mu       sync.Mutex
	byRun    map[string]runRoutes // by run
}

// runRoutes are the routes that a journal of so many bytes has.
type runRoutes struct {
	bytes  int64
	routes []routes.RouteRef
}

// NewCoverage is that of the document at an absolute path.
func NewCoverage(document string, p *plan.Plan) *Coverage {
	return &Coverage{document: document, plan: p, byRun: map[string]runRoutes{}}
}

// OtherRoutes is what is known of other runs of a document.
type OtherRoutes struct {
	Runs   [][]routes.RouteRef // the routes of each, scenarios among them
	Others int                 // runs of other versions of the document, which do not count
}

// Others reads the journals of the runs of this version of the document, but for one. One
// that is damaged counts with what stands before the damage.
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

// scenarioRoutes is what the scenarios of a document took when they were last run.
type scenarioRoutes struct {
	Version string              `json:"version"` // of the document
	Routes  [][]routes.RouteRef `json:"routes"`  // of each scenario
}

const scenarioFolder = "tested"

// SaveScenarioRoutes remembers what scenarios took, for the map of routes. Where that cannot be
// written, the map does without.
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

// scenarioRoutes is what the scenarios of this version of the document took, if that is known.
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
