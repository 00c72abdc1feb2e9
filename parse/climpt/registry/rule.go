package registry

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"playhead/parse/climpt"
)

// The intents.
const (
	intentNext     = "next"
	intentRepeat   = "repeat"
	intentJump     = "jump"
	intentHandoff  = "handoff"
	intentClosing  = "closing"
	intentEscalate = "escalate"
	intentAbort    = "abort"
)

var allIntents = []string{intentNext, intentRepeat, intentJump, intentHandoff, intentClosing, intentEscalate, intentAbort}

// intentsByKind are the intents that each kind may use.
var intentsByKind = map[string][]string{
	kindWork:         {intentNext, intentRepeat, intentJump, intentHandoff, intentAbort},
	kindVerification: {intentNext, intentRepeat, intentJump, intentEscalate, intentAbort},
	kindClosure:      {intentClosing, intentRepeat, intentAbort},
}

func kindAllowsIntent(kind, intent string) bool {
	return kind == "" || slices.Contains(intentsByKind[kind], intent)
}

// rule is a transition as written: where an intent leads.
type rule struct {
	climpt.Fields
	intent        string
	targetID      string        // "" if the target is null, or if there is a condition
	targetValue   *climpt.Value // the target, or the rule if the target is missing
	hasNullTarget bool
	fallbackID    string
	conditionKey  string // a key of the handoff data
	caseTargets   []caseTarget
	isInvalid     bool // it has none of the valid forms, which is reported
}

// caseTarget is one target of a conditional rule.
type caseTarget struct {
	caseValue, targetID string
	targetValue         *climpt.Value
}

// defaultTargetKey is the key of the target for all values without a target of their own.
const defaultTargetKey = "default"

func (r *registry) readRules(s *step) []rule {
	all := s.Objects("transitions")
	out := make([]rule, 0, len(all))
	for _, o := range all {
		u := rule{Fields: o, intent: o.Key(), fallbackID: o.String("fallback"), conditionKey: o.String("condition")}
		if !slices.Contains(allIntents, u.intent) {
			r.Warn(o.Place(), "unknown-intent", fmt.Sprintf("%q is not an intent: the rule is never used", u.intent), "use one of "+strings.Join(allIntents, ", "))
		} else if !kindAllowsIntent(s.kind, u.intent) {
			r.reportIntentOfOtherKind(s, o.Place(), u.intent)
		}
		r.readTargets(&u)
		out = append(out, u)
	}
	return out
}

func (r *registry) reportIntentOfOtherKind(s *step, at climpt.Place, intent string) {
	r.Error(at, "intent-not-for-kind", fmt.Sprintf("%q is not an intent of a %s step", intent, s.kind), "use one of "+strings.Join(intentsByKind[s.kind], ", "))
}

// readTargets reads a rule in one of its two forms: a target, or a condition with targets.
func (r *registry) readTargets(u *rule) {
	u.targetValue = cmp.Or(u.Get("target"), u.Value)
	simple, conditional := u.Has("target"), u.Has("condition", "targets")
	bad := func(at climpt.Place, message, suggestion string) {
		u.isInvalid = true
		r.Error(at, "bad-transition", message, suggestion)
	}
	switch target := u.Get("target"); {
	case simple == conditional, conditional && !(u.Has("condition") && u.Has("targets")):
		bad(u.Place(), fmt.Sprintf("the rule for %q needs either a target, or a condition with targets", u.intent), `write {"target": …} or {"condition": …, "targets": {…}}`)
	case conditional && u.intent == intentClosing:
		bad(u.Place(), `the intent "closing" cannot depend on a condition`, `write {"target": null}`)
	case conditional:
		u.Require("condition")
		r.readCaseTargets(u, bad)
	case target.Is(climpt.Null):
		u.hasNullTarget = true
		if u.intent == intentHandoff || u.intent == intentEscalate {
			bad(target.Place(), u.intent+" needs a target", "name a step")
		}
	default:
		u.Require("target")
		u.targetID = u.String("target")
	}
}

// readCaseTargets reads the targets of a condition.
func (r *registry) readCaseTargets(u *rule, bad func(at climpt.Place, message, suggestion string)) {
	for _, v := range u.Object("targets").Members() {
		switch {
		case v.Is(climpt.Null):
			bad(v.Place(), fmt.Sprintf("the target of %q is null", v.Key()), "name a step")
		case !v.Is(climpt.String):
			r.Error(v.Place(), "bad-type", fmt.Sprintf("the target of %q is not a string", v.Key()), "name a step")
		default:
			u.caseTargets = append(u.caseTargets, caseTarget{v.Key(), v.Text(), v})
		}
	}
	if !u.isInvalid && !slices.ContainsFunc(u.caseTargets, func(b caseTarget) bool { return b.caseValue == defaultTargetKey }) {
		r.Warn(u.PlaceOf("targets"), "no-default-target", fmt.Sprintf("no default target: the run fails if the value of %q has no target of its own", u.conditionKey), `add "default"`)
	}
}

// findRule returns the rule for an intent, or nil.
func (s *step) findRule(intent string) *rule {
	for i := range s.rules {
		if s.rules[i].intent == intent {
			return &s.rules[i]
		}
	}
	return nil
}

// edge is one written target of a transition, or an implied one.
type edge struct {
	intent, caseValue string
	isConditional     bool
	targetID          string // a step ID; "": the end
	targetStep        *step  // the step with that ID; nil: there is none
	isImplied         bool
	sourceValue       *climpt.Value // what writes it; of an implied edge, the step
}

// stepEdges returns the edges of a step: those written in transitions, in file order, then the
// implied ones (spec §11).
func (r *registry) stepEdges(s *step) []edge {
	out := make([]edge, 0, len(s.rules)+1)
	add := func(e edge) {
		e.targetStep = r.byID[e.targetID]
		out = append(out, e)
	}
	for _, u := range s.rules {
		if u.hasNullTarget || u.targetID != "" {
			add(edge{intent: u.intent, targetID: u.targetID, sourceValue: u.targetValue})
		}
		for _, b := range u.caseTargets {
			add(edge{intent: u.intent, caseValue: b.caseValue, isConditional: true, targetID: b.targetID, sourceValue: b.targetValue})
		}
	}
	if s.isSection {
		return out
	}
	for _, intent := range r.allowedIntents(s) {
		if s.findRule(intent) != nil {
			continue
		}
		switch to := r.derivedContinuation(s); {
		case intent == intentNext && to != "":
			add(edge{intent: intentNext, targetID: to, isImplied: true, sourceValue: s.Value})
		case intent == intentRepeat && s.gate != nil:
			add(edge{intent: intentRepeat, targetID: s.id, isImplied: true, sourceValue: s.Value})
		}
	}
	return out
}

// allowedIntents returns the intents that a step can have: those of its gate, or the implied one.
func (r *registry) allowedIntents(s *step) []string {
	switch {
	case s.gate != nil:
		return s.gate.allowedIntents
	case s.kind == kindClosure:
		return []string{intentClosing}
	}
	return []string{intentNext}
}

// derivedContinuation returns the continuation that follows a step named initial.X without a rule, or "".
func (r *registry) derivedContinuation(s *step) string {
	name, ok := strings.CutPrefix(s.id, "initial.")
	if to := "continuation." + name; ok && r.byID[to] != nil {
		return to
	}
	return ""
}
