// Package stepflow parses Climpt's step flows (spec/climpt-stepflow.md) into Plans.
//
// A step is two calls of a model in the one conversation of the run: its prompt, and
// the check of what came of it (lower.go). What a reply to a check says, a Judge reads
// (check.go); what is asked, a Prompt renders (prompt.go).
package stepflow

import (
	"cmp"
	"fmt"
	"regexp"

	"playhead/parse/climpt"
	"playhead/parse/plan"
)

// flow is a step flow while it is read.
type flow struct {
	*climpt.Flow
	base  string // the folder of prompts
	there bool   // it exists
	entry string // id of the step that a run starts with; "": none
	steps []*step
	byID  map[string]*step
}

var version = regexp.MustCompile(`^\d+\.\d+\.\d+$`)

// Parse compiles a step flow. With an error among its diagnostics the Plan is for
// looking at only.
func Parse(f *climpt.Flow) *plan.Plan {
	d := &flow{Flow: f, byID: map[string]*step{}}
	p := f.Plan()
	if d.Registry.Value != nil {
		d.read()
		d.check()
		d.lower(p)
	}
	return f.Finish(p)
}

// read reads the fields of §2.
func (d *flow) read() {
	r := d.Registry
	d.version()
	d.base = d.Base("prompts", "basePath", d.Dir, "prompts")
	if d.there = d.Exists(d.base); !d.there {
		d.Warn(r.At("basePath"), "prompt-missing", "there is no folder "+d.base+" of prompts", "make it, or name another one: --prompts")
	}
	if !r.Has("basePath") {
		d.Warn(r.Place(), "defaulted", `basePath is missing: the default is "prompts"`, `add "basePath": "prompts"`)
	}
	r.Check(climpt.String, "basePath")
	r.Check(climpt.Object, "editions", "entryStepMapping")
	r.Require("steps")
	for _, o := range r.Steps() {
		s := d.step(o)
		d.steps = append(d.steps, s)
		d.byID[s.id] = s
	}
	d.readPrompts()
	if v := r.Get("steps"); v.Is(climpt.Object) && len(v.Members()) == 0 {
		d.Error(v.Place(), "missing-field", "there are no steps", "add one")
	}
	d.start()
}

func (d *flow) version() {
	r := d.Registry
	switch text, v := r.String("version"), r.Get("version"); {
	case v == nil:
		d.Warn(r.Place(), "bad-version", "version is missing", `add "version": "1.0.0"`)
	case v.Is(climpt.String) && !version.MatchString(text):
		d.Warn(v.Place(), "bad-version", fmt.Sprintf("the version is %q", text), "write it like 1.0.0")
	}
}

// start finds the entry: the flag's, else the registry's.
func (d *flow) start() {
	at, id := d.Registry.At("entryStep"), d.Registry.String("entryStep")
	d.entry = cmp.Or(d.Options.Get("entry"), id)
	switch v := d.Registry.Get("entryStep"); {
	case d.entry == "" && v != nil && !v.Is(climpt.String): // reported
	case d.entry == "":
		d.Error(at, "no-entry", "nothing says where to start", `add "entryStep", or use --entry ID`)
	case d.byID[d.entry] == nil:
		d.Error(at, "unknown-entry", fmt.Sprintf("the entry %q is no step", d.entry), d.like())
	}
}

// like names steps that may be meant.
func (d *flow) like() string {
	if len(d.steps) == 0 {
		return "add the step"
	}
	return "name a step: the first one is " + d.steps[0].id
}

// check looks at the flow as a whole: targets, what is reached, whether it can end.
func (d *flow) check() {
	for _, s := range d.steps {
		d.targets(s.check.onPass)
		d.targets(s.check.onFail)
	}
	if d.byID[d.entry] == nil {
		return
	}
	d.reach(d.byID[d.entry])
	completes := false
	for _, s := range d.steps {
		if !s.reachable {
			d.Warn(s.Place(), "unreachable-step", fmt.Sprintf("no path leads from %s to %s", d.entry, s.id), "add a route to it, or remove it")
			continue
		}
		completes = completes || s.completes()
	}
	if !completes {
		d.Error(d.Registry.At("steps"), "no-complete", "no step that is reached completes the flow", `add "complete": true to an onPass`)
	}
}

func (d *flow) targets(s side) {
	for _, key := range []string{"next", "fallback"} {
		if id := s.String(key); id != "" && d.byID[id] == nil {
			d.Error(s.At(key), "unknown-target", fmt.Sprintf("%s %q is no step", key, id), d.like())
		}
	}
}

// reach marks a step and those that it leads to.
func (d *flow) reach(from *step) {
	todo := []*step{from}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if s.reachable {
			continue
		}
		s.reachable = true
		for _, side := range []side{s.check.onPass, s.check.onFail} {
			for _, id := range []string{side.next, side.fallback} {
				if t := d.byID[id]; t != nil {
					todo = append(todo, t)
				}
			}
		}
	}
}

// completes reports whether the flow can complete here: an empty onPass does.
func (s *step) completes() bool {
	return s.checked && (s.check.onPass.complete || s.check.onPass.none() || s.check.onFail.complete)
}
