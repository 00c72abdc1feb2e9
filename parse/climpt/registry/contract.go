package registry

import (
	"fmt"
	"slices"
	"strings"

	"playhead/parse/climpt"
)

// checkSteps checks the contract of each step (spec §6): its parts, its intents, and where they lead. It
// also reports validations that are never run.
func (r *registry) checkSteps() {
	for _, s := range r.steps {
		r.checkStepParts(s)
		r.checkIntentEnum(s)
		r.checkIntentRules(s)
		r.checkTargets(s)
		if s.fallbackKey != "" && builtinTextByFallbackKey[s.fallbackKey] == nil {
			r.Warn(s.PlaceOf("fallbackKey"), "fallback-key", fmt.Sprintf("Playhead has no built-in text for the fallbackKey %q", s.fallbackKey), suggestFallbackKey(s.fallbackKey))
		}
	}
	for _, v := range r.validations {
		r.warnOrphanValidation(v)
	}
}

func suggestFallbackKey(key string) string {
	if strings.Contains(key, ".") {
		return "write it with underscores: " + strings.ReplaceAll(key, ".", "_")
	}
	return ""
}

// checkStepParts reports missing parts of a step in a registry with gates, and parts that have no
// effect in a registry without.
func (r *registry) checkStepParts(s *step) {
	if !r.hasGates {
		if s.Has("transitions") && s.command == nil {
			r.Warn(s.PlaceOf("transitions"), "transitions-unused", "no step has a gate, so transitions are not followed", "add gates")
		}
		return
	}
	var lacks []string
	for _, key := range []string{"structuredGate", "transitions", "outputSchemaRef"} {
		if !s.Has(key) {
			lacks = append(lacks, key)
		}
	}
	if len(lacks) > 0 && !s.isSection {
		r.Warn(s.Place(), "incomplete-contract", fmt.Sprintf("%s has no %s: in a registry with gates, each step needs structuredGate, transitions and outputSchemaRef", s.id, strings.Join(lacks, " and no ")), "give the step a gate, transitions and a schema")
	}
}

// checkIntentEnum compares the intents that the schema allows with those of the gate.
func (r *registry) checkIntentEnum(s *step) {
	if s.gate == nil || s.replySchema == nil || !strings.HasPrefix(s.gate.intentSchemaRef, "#/") {
		return
	}
	listed, ok := enumAt(s.replySchema, s.gate.intentSchemaRef)
	if !ok {
		r.Error(s.gate.PlaceOf("intentSchemaRef"), "enum-pointer", fmt.Sprintf("%s does not point to an enum of strings in the schema", s.gate.intentSchemaRef), "point to the property that has the enum")
		return
	}
	if slices.Equal(listed, s.gate.allowedIntents) {
		return
	}
	a, b := sortedWithoutAbort(listed), sortedWithoutAbort(s.gate.allowedIntents)
	if !slices.Equal(a, b) {
		r.Error(s.gate.PlaceOf("allowedIntents"), "enum-mismatch", fmt.Sprintf("the intents in the schema (%s) differ from those that the gate allows (%s)", listOrNone(a), listOrNone(b)), "give both the same intents")
	}
}

// sortedWithoutAbort returns the intents sorted and without abort.
func sortedWithoutAbort(list []string) []string {
	out := slices.DeleteFunc(slices.Clone(list), func(i string) bool { return i == intentAbort })
	slices.Sort(out)
	return slices.Compact(out)
}

func listOrNone(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

// checkIntentRules compares the allowed intents with the written rules.
func (r *registry) checkIntentRules(s *step) {
	if s.gate == nil {
		return
	}
	for _, intent := range s.gate.allowedIntents {
		if s.findRule(intent) != nil {
			continue
		}
		switch intent {
		case intentHandoff, intentEscalate, intentClosing:
			r.Error(s.gate.Place(), "missing-transition", fmt.Sprintf(`the intent %q is allowed, but "transitions" has no rule for it`, intent), fmt.Sprintf("add %q to transitions", intent))
		case intentNext:
			r.reportMissingNextRule(s)
		}
	}
	for _, u := range s.rules {
		if slices.Contains(allIntents, u.intent) && u.intent != intentAbort && !slices.Contains(s.gate.allowedIntents, u.intent) {
			r.Warn(u.Place(), "dead-transition", fmt.Sprintf("the intent %q is not in allowedIntents, so no reply can use this rule", u.intent), "allow the intent, or remove the rule")
		}
	}
}

// warnConditionWithoutValue warns of a condition whose key is never handed off. A step without a gate hands nothing off.
func (r *registry) warnConditionWithoutValue(s *step, u *rule) {
	switch {
	case !r.hasGates || u.conditionKey == "" || s.gate.handoffPathOfKey(u.conditionKey) != "":
	case s.gate == nil:
		r.Warn(u.PlaceOf("condition"), "condition-not-handed-off", s.id+" has no gate, so the condition never has a value", "add a gate with handoffFields")
	default:
		r.Warn(u.PlaceOf("condition"), "condition-not-handed-off", fmt.Sprintf("no entry of handoffFields ends in %s, so the condition never has a value", u.conditionKey), "add such an entry")
	}
}

func (r *registry) reportMissingNextRule(s *step) {
	if to := r.derivedContinuation(s); to != "" {
		r.Warn(s.gate.Place(), "missing-transition", `the intent "next" is allowed, but "transitions" has no rule for it, so it leads to `+to, `add "next" to transitions`)
		return
	}
	r.Error(s.gate.Place(), "missing-transition", `the intent "next" is allowed, but "transitions" has no rule for it`, `add "next" to transitions`)
}

// checkTargets checks where rules lead.
func (r *registry) checkTargets(s *step) {
	for i := range s.rules {
		u := &s.rules[i]
		r.warnConditionWithoutValue(s, u)
		if u.targetID != "" {
			r.checkTarget(u.targetID, u.targetValue)
			r.warnNextToItself(s, u, u.targetID, u.targetValue)
		}
		if u.fallbackID != "" {
			r.checkTarget(u.fallbackID, u.Get("fallback"))
		}
		for _, b := range u.caseTargets {
			r.checkTarget(b.targetID, b.targetValue)
			r.warnNextToItself(s, u, b.targetID, b.targetValue)
		}
		switch {
		case u.hasNullTarget && (u.intent == intentNext || u.intent == intentJump):
			condition := ""
			if u.intent == intentJump && s.gate != nil && s.gate.targetField != "" {
				condition = "if the reply names no step, "
			}
			r.Warn(u.targetValue.Place(), "null-target", condition+`the intent "`+u.intent+`" with a null target ends the run without calling the validators`, `name a closure step as the target; in a work step, also change the intent to "handoff"`)
		case u.intent == intentClosing && u.targetID != "":
			r.Warn(u.targetValue.Place(), "closing-target", `the intent "closing" ends the run: its target is not followed`, "write null")
		case u.intent == intentHandoff && s.promptC2 == "initial":
			r.Warn(u.Place(), "initial-handoff", "an initial step should not hand off directly", "go to a continuation step first, and hand off from there")
		}
	}
}

// warnNextToItself warns if the intent next leads from a step to the step itself.
func (r *registry) warnNextToItself(s *step, u *rule, id string, at *climpt.Value) {
	if u.intent == intentNext && id == s.id {
		r.Warn(at.Place(), "next-self", `the intent "next" leads from `+s.id+" back to "+s.id, `to run the step again, use the intent "repeat"`)
	}
}

func (r *registry) checkTarget(id string, at *climpt.Value) {
	switch s := r.byID[id]; {
	case s == nil:
		r.Error(at.Place(), "unknown-target", fmt.Sprintf("there is no step %q", id), r.suggestStep(id))
	case s.isSection:
		r.Error(at.Place(), "section-target", id+" is a section, which is never executed", "name another step")
	}
}

// warnOrphanValidation reports a validation that no step and no verdict selects.
func (r *registry) warnOrphanValidation(v *validation) {
	if s := r.byID[v.id]; s != nil && s.kind == kindClosure {
		return
	}
	for _, kind := range climpt.VerdictTypes() {
		if verdictValidationID(kind) == v.id {
			return
		}
	}
	r.Warn(v.Place(), "orphan-validation",
		v.id+" is neither the id of a closure step nor the id for a verdict type (such as closure.keyword for detect:keyword): this validation is never run",
		"name it after a closure step")
}

// stepModel returns the model that a step asks for, and where it is written. The name is "" if a flag
// sets the model (spec §9).
func (r *registry) stepModel(s *step) (name string, at climpt.Place) {
	switch {
	case r.Options.Has("model"):
		return "", at
	case s.modelName != "":
		return s.modelName, s.PlaceOf("model")
	case r.Agent != nil && r.Agent.DefaultModel != "":
		return r.Agent.DefaultModel, r.Agent.Object("runner").Object("flow").PlaceOf("defaultModel")
	}
	return "opus", r.Registry.Place()
}

// checkModels reports models that are not configured, each once.
func (r *registry) checkModels() {
	if r.ModelAliases == nil {
		return
	}
	var reportedNames []string
	for _, s := range r.steps {
		name, at := r.stepModel(s)
		if name == "" || s.isSection || s.command != nil || slices.Contains(r.ModelAliases.Names, name) || slices.Contains(reportedNames, name) {
			continue
		}
		reportedNames = append(reportedNames, name)
		message, suggestion := fmt.Sprintf("the configuration has no model %s", name), fmt.Sprintf("add %s to models, or use --model NAME", name)
		if r.ModelAliases.HasDefault {
			r.Warn(at, "model-unmapped", message+": the default model is used", suggestion)
			continue
		}
		r.Error(at, "model-unmapped", message+", and no default", suggestion)
	}
}
