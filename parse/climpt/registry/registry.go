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

func (r *registry) verdictType() string { return cmp.Or(r.verdict.Type, climpt.DefaultVerdict) }

// findEntries finds where runs begin, and where this one does (spec §9).
func (r *registry) findEntries() {
	o := r.Registry
	mapping := o.Object("entryStepMapping").Members()
	for _, m := range mapping {
		if id := m.Text(); m.Is(climpt.String) && r.isEntry(id, m.Place()) {
			r.entries = append(r.entries, plan.Entry{When: m.Key(), Step: id})
		} else if !m.Is(climpt.String) {
			r.Error(m.Place(), "bad-type", "the entry for "+m.Key()+" is no string", "name a step")
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
	r.choose(usual)
	if r.verdict.Type == "detect:graph" && !r.gated {
		r.Error(o.Place(), "graph-without-gates", "the verdict detect:graph follows gates, and there are none", "add gates, or take another verdict")
	}
}

// isEntry reports whether a run can start at a step; if not, it is reported.
func (r *registry) isEntry(id string, at climpt.Place) bool {
	switch s := r.byID[id]; {
	case s == nil:
		r.Error(at, "unknown-entry", fmt.Sprintf("the entry %q is no step", id), r.like(id))
	case s.section:
		r.Error(at, "section-target", fmt.Sprintf("the entry %q is a section, which is never executed", id), "name another step")
	default:
		return true
	}
	return false
}

// choose takes the entry of this run.
func (r *registry) choose(usual string) {
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
	case r.verdict.Type == "" && r.agree():
		r.entry = r.entries[0].Step
	case r.Registry.Has("entryStep"), len(r.entries) < len(r.Registry.Get("entryStepMapping").Members()): // reported
	default:
		r.Error(r.Registry.At("entryStepMapping"), "no-entry", "there is no entry for the verdict "+r.verdictType(), "add one to entryStepMapping, or use --entry ID")
	}
}

// agree reports whether all verdict types begin with the same step.
func (r *registry) agree() bool {
	return len(r.entries) > 0 && !slices.ContainsFunc(r.entries, func(e plan.Entry) bool { return e.Step != r.entries[0].Step })
}
