// Package registry parses Climpt's registries with structured gates
// (spec/climpt-registry.md) into Plans.
//
// Reading has three parts: the fields (fields.go, step.go, gate.go, rule.go, validation.go),
// the checks (contract.go, graph.go, variables.go), and the files: prompts (file.go, text.go)
// and schemas (schema.go). Lowering (lower.go, routes.go) makes a Plan whose Judges are those of
// gates (judge.go), validators (validator.go) and verdicts (verdict.go).
package registry

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"playhead/parse/climpt"
	"playhead/parse/plan"
)

// registry is a registry while it is read.
type registry struct {
	*climpt.Flow
	id, c1           string
	templates        pathTemplates
	prompts          string // the folder of prompt files
	schemas          string // the folder of schema files
	hasFiles         bool   // whether the folder of prompt files exists
	verdict          climpt.Verdict
	gated            bool          // a step has a gate
	validatorTimeout time.Duration // 0: no limit

	steps        []*step
	byID         map[string]*step
	sectionSteps map[string]*step // by sectionKey of their placeholders
	patterns     map[string]failurePattern
	validators   map[string]validator
	validations  []*validation
	entries      []plan.Entry
	entry        string // the ID of the first step; "": none

	suggestions map[string]string           // similar step IDs, by unknown ID
	documents   map[string]*climpt.Document // schema files, by path relative to their folder
	values      *staticValues               // what all prompts are filled in with
}

// Parse compiles a registry into a Plan. If a diagnostic is an error, the Plan can be shown but not
// run.
func Parse(f *climpt.Flow) *plan.Plan {
	r := &registry{Flow: f, sectionSteps: map[string]*step{}, documents: map[string]*climpt.Document{}, suggestions: map[string]string{}}
	p := f.Plan()
	if r.Registry.Value != nil {
		r.readFields()
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

func (r *registry) verdictType() string { return cmp.Or(r.verdict.Type, climpt.DefaultVerdict) }

// findEntries reads where runs can begin, and chooses where this run does (spec §9).
func (r *registry) findEntries() {
	o := r.Registry
	mapping := o.Object("entryStepMapping").Members()
	for _, m := range mapping {
		if id := m.Text(); m.Is(climpt.String) && r.isEntry(id, m.Place()) {
			r.entries = append(r.entries, plan.Entry{When: m.Key(), Step: id})
		} else if !m.Is(climpt.String) {
			r.Error(m.Place(), "bad-type", "the entry for "+m.Key()+" is not a string", "name a step")
		}
	}
	usual := o.String("entryStep")
	if usual != "" && !r.isEntry(usual, o.At("entryStep")) {
		usual = ""
	}
	if !o.Has("entryStep") && len(mapping) == 0 && !r.Options.Has("entry") {
		r.Error(o.Place(), "no-entry", "nothing says where to start", `add "entryStep" or "entryStepMapping"`)
		return
	}
	r.chooseEntry(usual)
	if r.verdict.Type == "detect:graph" && !r.gated {
		r.Error(o.Place(), "graph-without-gates", "the verdict detect:graph follows gates, and there are none", "add gates, or take another verdict")
	}
}

// isEntry reports whether a run can start at a step. If not, it adds a diagnostic.
func (r *registry) isEntry(id string, at climpt.Place) bool {
	switch s := r.byID[id]; {
	case s == nil:
		r.Error(at, "unknown-entry", fmt.Sprintf("the entry %q is not a step", id), r.suggestStep(id))
	case s.section:
		r.Error(at, "section-target", fmt.Sprintf("the entry %q is a section, which is never executed", id), "name another step")
	default:
		return true
	}
	return false
}

// chooseEntry sets the entry of this run.
func (r *registry) chooseEntry(usual string) {
	if id := r.Options.Get("entry"); id != "" {
		if r.isEntry(id, climpt.Place{File: "--entry"}) {
			r.entry = id
		}
		return
	}
	mapped := slices.IndexFunc(r.entries, func(e plan.Entry) bool { return e.When == r.verdictType() })
	switch {
	case mapped >= 0:
		r.entry = r.entries[mapped].Step
	case usual != "":
		r.entry = usual
	case r.verdict.Type == "" && r.entriesAgree():
		r.entry = r.entries[0].Step
	case r.Registry.Has("entryStep"), len(r.entries) < len(r.Registry.Get("entryStepMapping").Members()): // reported
	default:
		r.Error(r.Registry.At("entryStepMapping"), "no-entry", "there is no entry for the verdict "+r.verdictType(), "add one to entryStepMapping, or use --entry ID")
	}
}

// entriesAgree reports whether all verdict types have the same entry.
func (r *registry) entriesAgree() bool {
	return len(r.entries) > 0 && !slices.ContainsFunc(r.entries, func(e plan.Entry) bool { return e.Step != r.entries[0].Step })
}
