package main

import (
	"encoding/json"
	"path/filepath"
	"sync"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/routes"
	"playhead/engine/setup"
	"playhead/parse/infile"
	"playhead/parse/plan"
	"playhead/tui"
)

// mostRuns is how many runs of a document are looked at for what they took.
const mostRuns = 200

// others says which routes other runs of a document took. What a journal said is kept
// until it has more.
type others struct {
	document string
	plan     *plan.Plan
	mu       sync.Mutex
	read     map[string]taken // by run
}

// taken are the roads that a journal of so many bytes has.
type taken struct {
	bytes int64
	roads []routes.Road
}

func othersOf(c *engine.Config) (*others, error) {
	document, err := setup.OriginalDocument(c)
	if err == nil {
		document, err = filepath.Abs(document)
	}
	return othersIn(document, c.Plan), err
}

func othersIn(document string, p *plan.Plan) *others {
	return &others{document: document, plan: p, read: map[string]taken{}}
}

// than reads the journals of the runs of this version of the document, but for one. One
// that is damaged counts with what stands before the damage.
func (o *others) than(run string) (tui.Known, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	same, different, err := journal.Default().Same(o.document, o.plan)
	if err != nil {
		return tui.Known{}, err
	}
	out := tui.Known{Others: different, Runs: o.tested()}
	for _, j := range same[:min(len(same), mostRuns)] {
		if j.ID() == run {
			continue
		}
		t, read := o.read[j.ID()]
		if !read || t.bytes != j.Bytes {
			events, _ := j.Decisions()
			t = taken{j.Bytes, routes.Roads(events)}
			o.read[j.ID()] = t
		}
		out.Runs = append(out.Runs, t.roads)
	}
	return out, nil
}

// tested is what the scenarios of a document took when they were last run.
type tested struct {
	Version string          `json:"version"` // of the document
	Roads   [][]routes.Road `json:"roads"`   // of each scenario
}

const testedFolder = "tested"

// keepTested remembers what scenarios took, for the map of routes. Where that cannot be
// written, the map does without.
func keepTested(path string, p *plan.Plan, c *routes.Coverage) {
	file, err := setup.StateFile(testedFolder, path)
	if err != nil {
		return
	}
	version, err := journal.Version(p)
	if err != nil {
		return
	}
	if data, err := json.Marshal(tested{version, c.Each}); err == nil {
		_ = setup.WriteState(file, data)
	}
}

// tested is what the scenarios of this version of the document took, if that is known.
func (o *others) tested() [][]routes.Road {
	file, err := setup.StateFile(testedFolder, o.document)
	if err != nil {
		return nil
	}
	var t tested
	data, err := infile.Read(file, infile.State)
	if err != nil || json.Unmarshal(data, &t) != nil {
		return nil
	}
	if version, err := journal.Version(o.plan); err != nil || version != t.Version {
		return nil
	}
	return t.Roads
}
