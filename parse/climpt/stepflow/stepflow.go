// Package stepflow parses Climpt's step flows (spec/climpt-stepflow.md) into Plans.
//
// A step makes two model calls in the run's conversation: its prompt, and the check of the reply
// (lower.go). A Judge reads the reply to a check (verdict.go), and a Prompt renders what is asked
// (prompt.go).
package stepflow

import (
	"cmp"
	"fmt"
	"regexp"

	"playhead/parse/climpt"
	"playhead/parse/plan"
)

// flow is a step flow while it is parsed.
type flow struct {
	*climpt.Flow
	promptFolder    string // the folder of prompts
	hasPromptFolder bool   // whether that folder exists
	entryID         string // the ID of the first step; "": none
	steps           []*step
	byID            map[string]*step
}

var versionPattern = regexp.MustCompile(`^\d+\.\d+\.\d+$`)

// Parse compiles a step flow into a Plan. If a diagnostic is an error, the Plan can be shown but
// not run.
func Parse(f *climpt.Flow) *plan.Plan {
	d := &flow{Flow: f, byID: map[string]*step{}}
	p := f.NewPlan()
	if d.Registry.Value != nil {
		d.readFields()
		d.checkFlow()
		d.fillPlan(p)
	}
	return f.FinishPlan(p)
}

// readFields reads the fields of §2.
func (d *flow) readFields() {
	r := d.Registry
	d.checkVersion()
	d.promptFolder = d.ChooseFolder("prompts", "basePath", d.AgentDir, "prompts")
	if d.hasPromptFolder = d.Exists(d.promptFolder); !d.hasPromptFolder {
		d.Warn(r.PlaceOf("basePath"), "prompt-missing", "the prompt folder "+d.promptFolder+" does not exist", "create it, or name another one with --prompts")
	}
	if !r.Has("basePath") {
		d.Warn(r.Place(), "defaulted", `basePath is missing: the default is "prompts"`, `add "basePath": "prompts"`)
	}
	r.CheckKinds(climpt.String, "basePath")
	r.CheckKinds(climpt.Object, "editions", "entryStepMapping")
	r.Require("steps")
	for _, o := range r.Steps() {
		s := d.readStep(o)
		d.steps = append(d.steps, s)
		d.byID[s.id] = s
	}
	d.readPrompts()
	if v := r.Get("steps"); v.Is(climpt.Object) && len(v.Members()) == 0 {
		d.Error(v.Place(), "missing-field", "there are no steps", "add one")
	}
	d.chooseEntry()
}

func (d *flow) checkVersion() {
	r := d.Registry
	switch text, v := r.String("version"), r.Get("version"); {
	case v == nil:
		d.Warn(r.Place(), "bad-version", "version is missing", `add "version": "1.0.0"`)
	case v.Is(climpt.String) && !versionPattern.MatchString(text):
		d.Warn(v.Place(), "bad-version", fmt.Sprintf("the version %q is not valid", text), "write it like 1.0.0")
	}
}

// chooseEntry sets the entry: the flag's, else the registry's.
func (d *flow) chooseEntry() {
	at, id := d.Registry.PlaceOf("entryStep"), d.Registry.String("entryStep")
	d.entryID = cmp.Or(d.Options.Get("entry"), id)
	switch v := d.Registry.Get("entryStep"); {
	case d.entryID == "" && v != nil && !v.Is(climpt.String): // reported
	case d.entryID == "":
		d.Error(at, "no-entry", "nothing says where to start", `add "entryStep", or use --entry ID`)
	case d.byID[d.entryID] == nil:
		d.Error(at, "unknown-entry", fmt.Sprintf("the entry %q is not a step", d.entryID), d.suggestStep())
	}
}

// suggestStep suggests what to write instead of an unknown step ID.
func (d *flow) suggestStep() string {
	if len(d.steps) == 0 {
		return "add the step"
	}
	return "name a step: the first one is " + d.steps[0].id
}

// checkFlow checks the flow as a whole: targets, reachability, and whether it can complete.
func (d *flow) checkFlow() {
	for _, s := range d.steps {
		d.checkTargets(s.check.onPass)
		d.checkTargets(s.check.onFail)
	}
	if d.byID[d.entryID] == nil {
		return
	}
	d.markReachable(d.byID[d.entryID])
	completes := false
	for _, s := range d.steps {
		if !s.isReachable {
			d.Warn(s.Place(), "unreachable-step", fmt.Sprintf("no path leads from %s to %s", d.entryID, s.id), "add a route to it, or remove it")
			continue
		}
		completes = completes || s.canComplete()
	}
	if !completes {
		d.Error(d.Registry.PlaceOf("steps"), "no-complete", "no reachable step completes the flow", `add "complete": true to an onPass`)
	}
}

func (d *flow) checkTargets(s verdictTarget) {
	for _, key := range []string{"next", "fallback"} {
		if id := s.String(key); id != "" && d.byID[id] == nil {
			d.Error(s.PlaceOf(key), "unknown-target", fmt.Sprintf("%s %q is not a step", key, id), d.suggestStep())
		}
	}
}

// markReachable marks a step and all that it leads to.
func (d *flow) markReachable(from *step) {
	todo := []*step{from}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if s.isReachable {
			continue
		}
		s.isReachable = true
		for _, side := range []verdictTarget{s.check.onPass, s.check.onFail} {
			for _, id := range []string{side.nextStep, side.fallbackStep} {
				if t := d.byID[id]; t != nil {
					todo = append(todo, t)
				}
			}
		}
	}
}

// canComplete reports whether the flow can complete at this step. An empty onPass completes it.
func (s *step) canComplete() bool {
	return s.hasCheck && (s.check.onPass.completesRun || s.check.onPass.isEmpty() || s.check.onFail.completesRun)
}
