package registry

import (
	"fmt"
	"slices"
	"strings"

	"playhead/parse/climpt"
)

// checkSteps looks over each step: what it may say, and where that leads (spec §6,
// contract).
func (r *registry) checkSteps() {
	for _, s := range r.steps {
		r.complete(s)
		r.enums(s)
		r.covered(s)
		r.targets(s)
		if s.key != "" && builtins[s.key] == nil {
			r.Warn(s.At("fallbackKey"), "fallback-key", fmt.Sprintf("there is no text for the fallbackKey %q", s.key), likeKey(s.key))
		}
	}
	for _, v := range r.validations {
		r.selected(v)
	}
}

func likeKey(key string) string {
	if strings.Contains(key, ".") {
		return "write it with underscores: " + strings.ReplaceAll(key, ".", "_")
	}
	return ""
}

// complete finds what a step of a registry with gates lacks, and what has no meaning
// in one without.
func (r *registry) complete(s *step) {
	if !r.gated {
		if s.Has("transitions") && s.command == nil {
			r.Warn(s.At("transitions"), "transitions-unused", "no step has a gate, so transitions are not followed", "add gates")
		}
		return
	}
	var lacks []string
	for _, key := range []string{"structuredGate", "transitions", "outputSchemaRef"} {
		if !s.Has(key) {
			lacks = append(lacks, key)
		}
	}
	if len(lacks) > 0 && !s.section {
		r.Warn(s.Place(), "incomplete-contract", fmt.Sprintf("%s has no %s, though steps have gates", s.id, strings.Join(lacks, " and no ")), "gate, transitions and schema belong together")
	}
}

// enums compares what a schema lets a model say with what the gate allows.
func (r *registry) enums(s *step) {
	if s.gate == nil || s.schema == nil || !strings.HasPrefix(s.gate.schemaRef, "#/") {
		return
	}
	listed, ok := enum(s.schema, s.gate.schemaRef)
	if !ok {
		r.Error(s.gate.At("intentSchemaRef"), "enum-pointer", fmt.Sprintf("%s leads to no list of values in the schema", s.gate.schemaRef), "point at the property that has the enum")
		return
	}
	if slices.Equal(listed, s.gate.allowed) {
		return
	}
	a, b := without(listed), without(s.gate.allowed)
	if !slices.Equal(a, b) {
		r.Error(s.gate.At("allowedIntents"), "enum-mismatch", fmt.Sprintf("the schema lists %s, and the gate allows %s", orNone(a), orNone(b)), "give both the same intents")
	}
}

// without is a set of intents, abort aside, in order.
func without(list []string) []string {
	out := slices.DeleteFunc(slices.Clone(list), func(i string) bool { return i == abort })
	slices.Sort(out)
	return slices.Compact(out)
}

func orNone(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

// covered compares what a gate allows with the rules that there are.
func (r *registry) covered(s *step) {
	if s.gate == nil {
		return
	}
	for _, intent := range s.gate.allowed {
		if s.rule(intent) != nil {
			continue
		}
		switch intent {
		case handoff, escalate, closing:
			r.Error(s.gate.Place(), "missing-transition", fmt.Sprintf("%s is allowed, and transitions has no rule for it", intent), fmt.Sprintf("add %q to transitions", intent))
		case next:
			r.missingNext(s)
		}
	}
	for _, u := range s.rules {
		if slices.Contains(intents, u.intent) && u.intent != abort && !slices.Contains(s.gate.allowed, u.intent) {
			r.Warn(u.Place(), "dead-transition", fmt.Sprintf("%s is not in allowedIntents: the rule is never used", u.intent), "allow the intent, or remove the rule")
		}
		if u.condition != "" && s.gate.hands(u.condition) == "" {
			r.Warn(u.At("condition"), "condition-not-handed-off", fmt.Sprintf("no handoffField ends in %s: the condition never has a value", u.condition), "add the field to handoffFields")
		}
	}
}

func (r *registry) missingNext(s *step) {
	if to := r.derived(s); to != "" {
		r.Warn(s.gate.Place(), "missing-transition", "next is allowed, and transitions has no rule for it: it goes to "+to, `add "next"`)
		return
	}
	r.Error(s.gate.Place(), "missing-transition", "next is allowed, and transitions has no rule for it", `add "next" to transitions`)
}

// targets checks where rules lead.
func (r *registry) targets(s *step) {
	for _, u := range s.rules {
		if u.target != "" {
			r.target(u.target, u.at)
		}
		if u.fallback != "" {
			r.target(u.fallback, u.Get("fallback"))
		}
		for _, b := range u.cases {
			r.target(b.target, b.at)
		}
		switch {
		case u.null && (u.intent == next || u.intent == jump):
			r.Warn(u.at.Place(), "null-target", u.intent+" ends the run, and validators are not run", "lead to a closure")
		case u.intent == closing && u.target != "":
			r.Warn(u.at.Place(), "closing-target", "closing ends the run: the target is not followed", "write null")
		case u.intent == next && u.target == s.id:
			r.Warn(u.at.Place(), "next-self", s.id+" goes to itself with next", "use repeat for that")
		case u.intent == handoff && s.c2 == "initial":
			r.Warn(u.Place(), "initial-handoff", "an initial step hands off: there is no continuation in between", "")
		}
	}
}

func (r *registry) target(id string, at *climpt.Value) {
	switch s := r.byID[id]; {
	case s == nil:
		r.Error(at.Place(), "unknown-target", fmt.Sprintf("there is no step %q", id), r.like(id))
	case s.section:
		r.Error(at.Place(), "section-target", id+" is a section, which is never executed", "name another step")
	}
}

// selected finds validations that nothing leads to.
func (r *registry) selected(v *validation) {
	if s := r.byID[v.id]; s != nil && s.kind == closure {
		return
	}
	for _, kind := range climpt.VerdictTypes() {
		if verdictClosure(kind) == v.id {
			return
		}
	}
	r.Warn(v.Place(), "orphan-validation", v.id+" is neither a closure step nor the closure of a verdict: it is never run", "name it after a closure step")
}
