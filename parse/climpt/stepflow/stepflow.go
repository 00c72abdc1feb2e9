// Package stepflow parses Climpt's step flows (spec/climpt-stepflow.md) into Plans.
//
// A step makes two model calls in the run's conversation: its prompt, and the check of the reply.
// The parser reads steps (step.go) and the files of prompts (prompt.go), and builds the Plan (lower.go,
// routes.go). The Judge in verdict.go reads the reply to a check.
package stepflow

import (
	"fmt"

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

// readFields reads the registry: its own fields and its steps (§2).
func (fl *flow) readFields() {
	r := fl.Registry
	if r.Has("version") {
		fl.CheckVersion(fl.Warn)
	} else {
		fl.Warn(r.Place(), "bad-version", "version is missing", `add "version": "1.0.0"`)
	}
	fl.promptFolder, fl.hasPromptFolder = fl.ChoosePromptFolder("basePath", fl.AgentDir)
	if !r.Has("basePath") {
		fl.Warn(r.Place(), "defaulted", `basePath is missing: the default is "prompts"`, `add "basePath": "prompts"`)
	}
	r.CheckKinds(climpt.String, "basePath")
	r.CheckKinds(climpt.Object, "editions", "entryStepMapping")
	r.Require("steps")
	for _, o := range r.Steps() {
		s := fl.readStep(o)
		fl.steps = append(fl.steps, s)
		fl.byID[s.id] = s
	}
	fl.readPrompts()
	fl.chooseEntry()
}

// chooseEntry sets the entry: the flag's, else the registry's.
func (fl *flow) chooseEntry() {
	at := fl.Registry.PlaceOf("entryStep")
	fl.entryID = fl.Registry.String("entryStep")
	if id := fl.Options.Get("entry"); id != "" {
		at, fl.entryID = climpt.Place{File: "--entry"}, id
	}
	switch v := fl.Registry.Get("entryStep"); {
	case fl.entryID == "" && v != nil && !v.Is(climpt.String): // reported
	case fl.entryID == "":
		fl.ReportNoEntry(at, `add "entryStep", or use --entry STEP`)
	case fl.byID[fl.entryID] == nil:
		fl.ReportUnknownEntry(at, fl.entryID, fl.SuggestStep())
	}
}

// checkFlow checks the flow as a whole: targets, reachability, and whether it can complete.
func (fl *flow) checkFlow() {
	for _, s := range fl.steps {
		fl.checkTargets(s.check.onPass)
		fl.checkTargets(s.check.onFail)
	}
	if fl.byID[fl.entryID] == nil {
		return
	}
	fl.markReachable(fl.byID[fl.entryID])
	completes := false
	for _, s := range fl.steps {
		if !s.isReachable {
			fl.Warn(s.Place(), "unreachable-step", fmt.Sprintf("no routes lead from %s to %s", fl.entryID, s.id), "add a route to it, or remove it")
			continue
		}
		completes = completes || s.canComplete()
	}
	if !completes {
		fl.Error(fl.Registry.PlaceOf("steps"), "no-complete", "no reachable step completes the flow", `add "complete": true to an onPass`)
	}
}

// checkTargets reports steps in onPass or onFail that do not exist.
func (fl *flow) checkTargets(s verdictTarget) {
	for _, key := range []string{"next", "fallback"} {
		if id := s.String(key); s.Get(key).Is(climpt.String) && fl.byID[id] == nil {
			fl.Error(s.PlaceOf(key), "unknown-target", fmt.Sprintf("%s %q is not a step", key, id), fl.SuggestStep())
		}
	}
}

// markReachable marks a step and all that it leads to.
func (fl *flow) markReachable(from *step) {
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
				if t := fl.byID[id]; t != nil && id != "" {
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
