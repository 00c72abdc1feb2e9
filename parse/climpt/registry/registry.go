// Package registry parses Climpt's registries with structured gates
// (spec/climpt-registry.md) into Plans.
//
// Parsing has four parts. It reads the fields of the registry (fields.go, step.go, gate.go, rule.go,
// validation.go), then its prompts (file.go, text.go, template.go) and schemas (schema.go,
// jsonnode.go); it checks all of them (contract.go, graph.go, variables.go); and it builds the Plan
// (lower.go, routes.go).
//
// The types in the Plan that decide during a run are the Judges of gates and commands (judge.go,
// reply.go), validators (validator.go, extract.go, violations.go) and verdicts (verdict.go), the
// Prompts of steps (prompt.go, values.go), and the replies that a person can pick (choices.go).
package registry

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"playhead/parse/climpt"
	"playhead/parse/near"
	"playhead/parse/plan"
)

// registry is a registry while it is read.
type registry struct {
	*climpt.Flow
	agentID, promptC1 string
	pathTemplates     pathTemplates
	promptFolder      string // the folder of prompt files
	schemaFolder      string // the folder of schema files
	hasPromptFolder   bool   // whether the folder of prompt files exists
	verdict           climpt.VerdictConfig
	hasGates          bool          // a step has a gate
	validatorTimeout  time.Duration // 0: no limit

	steps           []*step
	byID            map[string]*step
	stepIDs         near.KnownNames
	sectionSteps    map[string]*step // by the normalized names of the placeholders that include them
	failurePatterns map[string]failurePattern
	validators      map[string]validator
	validations     []*validation
	mappedEntries   []plan.Entry // of entryStepMapping: the first steps by verdict type
	entryID         string       // the ID of the first step; "": none

	schemaDocuments map[string]*climpt.Document // schema files, by path relative to their folder
	promptValues    *staticValues               // what all prompts are filled in with
}

// Parse compiles a registry into a Plan. If a diagnostic is an error, the Plan can be shown but not
// run.
func Parse(f *climpt.Flow) *plan.Plan {
	r := &registry{Flow: f, sectionSteps: map[string]*step{}, schemaDocuments: map[string]*climpt.Document{}}
	p := f.NewPlan()
	if r.Registry.Value != nil {
		r.readFields()
		r.readEntries()
		r.readPromptsAndSchemas()
		r.checkSteps()
		r.checkGraph()
		r.checkVariables()
		r.checkModels()
		r.fillPlan(p)
	}
	return f.FinishPlan(p)
}

func (r *registry) verdictType() string { return cmp.Or(r.verdict.Type, climpt.DefaultVerdictType) }

// readEntries reads where runs can begin, and chooses where this run does (spec §9).
func (r *registry) readEntries() {
	o := r.Registry
	mapping := o.Object("entryStepMapping").Members()
	for _, m := range mapping {
		if id := m.Text(); m.Is(climpt.String) && r.checkEntry(id, m.Place()) {
			r.mappedEntries = append(r.mappedEntries, plan.Entry{When: m.Key(), Step: id})
		} else if !m.Is(climpt.String) {
			r.Error(m.Place(), "bad-type", "the entry for "+m.Key()+" is not a string", "name a step")
		}
	}
	usual := o.String("entryStep")
	if o.Get("entryStep").Is(climpt.String) && !r.checkEntry(usual, o.PlaceOf("entryStep")) {
		usual = ""
	}
	if !o.Has("entryStep") && len(mapping) == 0 && !r.Options.Has("entry") {
		r.ReportNoEntry(o.Place(), `add "entryStep" or "entryStepMapping", or use --entry STEP`)
		return
	}
	r.chooseEntry(usual)
	if r.verdict.Type == "detect:graph" && !r.hasGates {
		r.Error(o.Place(), "graph-without-gates", "the verdict detect:graph needs gates, but no step has one", "add gates, or use another verdict")
	}
}

// checkEntry reports whether a run can start at a step. If not, it adds a diagnostic.
func (r *registry) checkEntry(id string, at climpt.Place) bool {
	switch s := r.byID[id]; {
	case s == nil:
		r.ReportUnknownEntry(at, id, r.suggestStep(id))
	case s.isSection:
		r.Error(at, "section-target", fmt.Sprintf("the entry %q is a section, which is never executed", id), "name another step")
	default:
		return true
	}
	return false
}

// chooseEntry sets the entry of this run, or reports that there is none. usual is entryStep if it is valid,
// else "".
func (r *registry) chooseEntry(usual string) {
	if id := r.Options.Get("entry"); id != "" {
		if r.checkEntry(id, climpt.Place{File: "--entry"}) {
			r.entryID = id
		}
		return
	}
	mapped := slices.IndexFunc(r.mappedEntries, func(e plan.Entry) bool { return e.When == r.verdictType() })
	switch {
	case mapped >= 0:
		r.entryID = r.mappedEntries[mapped].Step
	case usual != "":
		r.entryID = usual
	case r.verdict.Type == "" && r.entriesLeadToSameStep():
		r.entryID = r.mappedEntries[0].Step
	case r.Registry.Has("entryStep"), len(r.mappedEntries) < len(r.Registry.Get("entryStepMapping").Members()): // reported
	default:
		r.Error(r.Registry.PlaceOf("entryStepMapping"), "no-entry", "there is no entry for the verdict "+r.verdictType(), "add one to entryStepMapping, or use --entry STEP")
	}
}

// entriesLeadToSameStep reports whether all verdict types have the same entry.
func (r *registry) entriesLeadToSameStep() bool {
	return len(r.mappedEntries) > 0 && !slices.ContainsFunc(r.mappedEntries, func(e plan.Entry) bool { return e.Step != r.mappedEntries[0].Step })
}
