package registry

import (
	"fmt"
	"slices"
	"strings"

	"playhead/parse/climpt"
)

// checkSteps checks each step on its own: what it may say, and where that leads (spec §6).
func (r *registry) checkSteps() {
	for _, s := range r.steps {
		r.checkContract(s)
		r.checkEnum(s)
		r.checkCoverage(s)
		r.checkTargets(s)
		if s.fallbackKey != "" && builtins[s.fallbackKey] == nil {
			r.Warn(s.At("fallbackKey"), "fallback-key", fmt.Sprintf("there is no text for the fallbackKey %q", s.fallbackKey), suggestKey(s.fallbackKey))
		}
	}
	for _, v := range r.validations {
		r.checkSelection(v)
	}
}

func suggestKey(key string) string {
	if strings.Contains(key, ".") {
		return "write it with underscores: " + strings.ReplaceAll(key, ".", "_")
	}
	return ""
}

// checkContract reports missing parts of a step in a registry with gates, and parts that have no
// effect in a registry without.
func (r *registry) checkContract(s *step) {
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

// checkEnum compares the intents that the schema allows with those of the gate.
func (r *registry) checkEnum(s *step) {
	if s.gate == nil || s.schema == nil || !strings.HasPrefix(s.gate.schemaRef, "#/") {
		return
	}
	listed, ok := enum(s.schema, s.gate.schemaRef)
	if !ok {
		r.Error(s.gate.At("intentSchemaRef"), "enum-pointer", fmt.Sprintf("%s does not point to a list of values in the schema", s.gate.schemaRef), "point at the property that has the enum")
		return
	}
	if slices.Equal(listed, s.gate.allowed) {
		return
	}
	a, b := withoutAbort(listed), withoutAbort(s.gate.allowed)
	if !slices.Equal(a, b) {
		r.Error(s.gate.At("allowedIntents"), "enum-mismatch", fmt.Sprintf("the schema lists %s, and the gate allows %s", listOrNone(a), listOrNone(b)), "give both the same intents")
	}
}

// withoutAbort returns the intents sorted and without abort.
func withoutAbort(list []string) []string {
	out := slices.DeleteFunc(slices.Clone(list), func(i string) bool { return i == abort })
	slices.Sort(out)
	return slices.Compact(out)
}

func listOrNone(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

// checkCoverage compares the allowed intents with the written rules.
func (r *registry) checkCoverage(s *step) {
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
			r.reportMissingNext(s)
		}
	}
	for _, u := range s.rules {
		if slices.Contains(intents, u.intent) && u.intent != abort && !slices.Contains(s.gate.allowed, u.intent) {
			r.Warn(u.Place(), "dead-transition", fmt.Sprintf("%s is not in allowedIntents: the rule is never used", u.intent), "allow the intent, or remove the rule")
		}
		if u.condition != "" && s.gate.handoffPath(u.condition) == "" {
			r.Warn(u.At("condition"), "condition-not-handed-off", fmt.Sprintf("no handoffField ends in %s, so the condition never has a value", u.condition), "add the field to handoffFields")
		}
	}
}

func (r *registry) reportMissingNext(s *step) {
	if to := r.derivedNext(s); to != "" {
		r.Warn(s.gate.Place(), "missing-transition", "next is allowed, and transitions has no rule for it: it goes to "+to, `add "next"`)
		return
	}
	r.Error(s.gate.Place(), "missing-transition", "next is allowed, and transitions has no rule for it", `add "next" to transitions`)
}

// checkTargets checks where rules lead.
func (r *registry) checkTargets(s *step) {
	for _, u := range s.rules {
		if u.target != "" {
			r.checkTarget(u.target, u.at)
		}
		if u.fallback != "" {
			r.checkTarget(u.fallback, u.Get("fallback"))
		}
		for _, b := range u.branches {
			r.checkTarget(b.target, b.at)
		}
		switch {
		case u.isNull && (u.intent == next || u.intent == jump):
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

func (r *registry) checkTarget(id string, at *climpt.Value) {
	switch s := r.byID[id]; {
	case s == nil:
		r.Error(at.Place(), "unknown-target", fmt.Sprintf("there is no step %q", id), r.suggestStep(id))
	case s.section:
		r.Error(at.Place(), "section-target", id+" is a section, which is never executed", "name another step")
	}
}

// checkSelection reports a validation that no step and no verdict selects.
func (r *registry) checkSelection(v *validation) {
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
