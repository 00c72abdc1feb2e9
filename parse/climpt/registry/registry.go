// Package registry parses Climpt's registries with structured gates
// (spec/climpt-registry.md) into Plans.
//
// A registry is read field by field (fields.go, step.go, gate.go, rule.go,
// validation.go) and looked over (contract.go, graph.go, variables.go). Prompt files
// become Prompts (file.go, text.go, builtin.go), schema files become one schema a step
// (schema.go). Lowering (lower.go, routes.go) puts them into a Plan with the Judges of
// gates (gate.go), of validators (validator.go) and of verdicts (verdict.go).
package registry

import (
	"time"

	"playhead/parse/climpt"
	"playhead/parse/plan"
)

// registry is a registry while it is read.
type registry struct {
	*climpt.Flow
	id, c1    string
	templates templates
	prompts   string // the folder of prompt files
	schemas   string // the folder of schema files
	hasFiles  bool   // the folder of prompt files is there
	verdict   climpt.Verdict
	gated     bool          // a step has a gate
	patience  time.Duration // how long a validator may run; 0: as long as it likes

	steps        []*step
	byID         map[string]*step
	sectionSteps map[string]*step // by the flat name of their placeholders
	patterns     map[string]pattern
	validators   map[string]validator
	validations  []*validation
	entries      []plan.Entry
	entry        string // the id of the step that a run starts with; "": none

	suggestions map[string]string           // ids of steps, by ids that there are not
	documents   map[string]*climpt.Document // schema files, by path below their folder
	values      *values                     // what prompts are filled in with
}

// Parse compiles a registry. With an error among its diagnostics the Plan is for
// looking at only.
func Parse(f *climpt.Flow) *plan.Plan {
	r := &registry{Flow: f, sectionSteps: map[string]*step{}, documents: map[string]*climpt.Document{}, suggestions: map[string]string{}}
	p := f.Plan()
	if r.Registry.Value != nil {
		r.read()
		r.findEntries()
		r.readFiles()
		r.checkSteps()
		r.checkGraph()
		r.checkVariables()
		r.checkModels()
		r.lower(p)
	}
	return f.Finish(p)
}
