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
	next     = "next"
	repeat   = "repeat"
	jump     = "jump"
	handoff  = "handoff"
	closing  = "closing"
	escalate = "escalate"
	abort    = "abort"
)

var intents = []string{next, repeat, jump, handoff, closing, escalate, abort}

// kindIntents are the intents that each kind may use.
var kindIntents = map[string][]string{
	work:         {next, repeat, jump, handoff, abort},
	verification: {next, repeat, jump, escalate, abort},
	closure:      {closing, repeat, abort},
}

func kindAllows(kind, intent string) bool {
	return kind == "" || slices.Contains(kindIntents[kind], intent)
}

// rule is a transition as written: where an intent leads.
type rule struct {
	climpt.Fields
	intent    string
	target    string        // "" if null or conditional
	at        *climpt.Value // the target, or the rule if the target is missing
	isNull    bool
	fallback  string
	condition string // a key of the handoff data
	branches  []branch
	isBroken  bool
}

// branch is one target of a conditional rule.
type branch struct {
	value, target string
	at            *climpt.Value
}

// defaultCase matches all values without a target of their own.
const defaultCase = "default"

func (r *registry) rules(s *step) []rule {
	all := s.Objects("transitions")
	out := make([]rule, 0, len(all))
	for _, o := range all {
		u := rule{Fields: o, intent: o.Key(), fallback: o.String("fallback"), condition: o.String("condition")}
		if !slices.Contains(intents, u.intent) {
			r.Warn(o.Place(), "unknown-intent", fmt.Sprintf("%q is not an intent: no route uses it", u.intent), "use one of "+strings.Join(intents, ", "))
		} else if !kindAllows(s.kind, u.intent) {
			r.reportIntentKind(s, o.Place(), u.intent)
		}
		r.readForm(&u)
		out = append(out, u)
	}
	return out
}

func (r *registry) reportIntentKind(s *step, at climpt.Place, intent string) {
	r.Error(at, "intent-not-for-kind", fmt.Sprintf("%s is not an intent of a %s step", intent, s.kind), "use one of "+strings.Join(kindIntents[s.kind], ", "))
}

// readForm reads a rule in one of its two forms: a target, or a condition with targets.
func (r *registry) readForm(u *rule) {
	u.at = cmp.Or(u.Get("target"), u.Value)
	simple, conditional := u.Has("target"), u.Has("condition", "targets")
	bad := func(at climpt.Place, message, suggestion string) {
		u.isBroken = true
		r.Error(at, "bad-transition", message, suggestion)
	}
	switch target := u.Get("target"); {
	case simple == conditional:
		bad(u.Place(), fmt.Sprintf("the rule of %s needs either a target, or a condition with targets", u.intent), `write {"target": …} or {"condition": …, "targets": {…}}`)
	case conditional && u.intent == closing:
		bad(u.Place(), "closing cannot depend on a condition", `write {"target": null}`)
	case conditional:
		u.Require("condition", "targets")
		r.readBranches(u, bad)
	case target.Is(climpt.Null):
		u.isNull = true
		if u.intent == handoff || u.intent == escalate {
			bad(target.Place(), u.intent+" needs a target", "name a step")
		}
	default:
		u.Require("target")
		u.target = u.String("target")
	}
}

// readBranches reads the targets of a condition.
func (r *registry) readBranches(u *rule, bad func(at climpt.Place, message, suggestion string)) {
	for _, v := range u.Object("targets").Members() {
		switch {
		case v.Is(climpt.Null):
			bad(v.Place(), fmt.Sprintf("the target of %q is null", v.Key()), "name a step")
		case !v.Is(climpt.String):
			r.Error(v.Place(), "bad-type", fmt.Sprintf("the target of %q is not a string", v.Key()), "name a step")
		default:
			u.branches = append(u.branches, branch{v.Key(), v.Text(), v})
		}
	}
	if !u.isBroken && !slices.ContainsFunc(u.branches, func(b branch) bool { return b.value == defaultCase }) {
		r.Warn(u.At("targets"), "no-default-target", "a value that is not among the targets fails the run", `add "default"`)
	}
}

// rule returns the rule for an intent, or nil.
func (s *step) rule(intent string) *rule {
	for i := range s.rules {
		if s.rules[i].intent == intent {
			return &s.rules[i]
		}
	}
	return nil
}

// edge is one written target of a transition, or an implied one.
type edge struct {
	intent, value string
	conditional   bool
	to            string // a step ID; "": the end
	step          *step  // the step with that ID; nil: there is none
	implied       bool
	at            *climpt.Value
}

// stepEdges returns the edges of a step: those written in transitions, in file order, then the
// implied ones (spec §11).
func (r *registry) stepEdges(s *step) []edge {
	out := make([]edge, 0, len(s.rules)+1)
	add := func(e edge) {
		e.step = r.byID[e.to]
		out = append(out, e)
	}
	for _, u := range s.rules {
		if u.isNull || u.target != "" {
			add(edge{intent: u.intent, to: u.target, at: u.at})
		}
		for _, b := range u.branches {
			add(edge{intent: u.intent, value: b.value, conditional: true, to: b.target, at: b.at})
		}
	}
	if s.section {
		return out
	}
	for _, intent := range r.allowedIntents(s) {
		if s.rule(intent) != nil {
			continue
		}
		switch to := r.derivedNext(s); {
		case intent == next && to != "":
			add(edge{intent: next, to: to, implied: true, at: s.Value})
		case intent == repeat && s.gate != nil:
			add(edge{intent: repeat, to: s.id, implied: true, at: s.Value})
		}
	}
	return out
}

// allowedIntents returns the intents that a step can have: those of its gate, or the implied one.
func (r *registry) allowedIntents(s *step) []string {
	switch {
	case s.gate != nil:
		return s.gate.allowed
	case s.kind == closure:
		return []string{closing}
	}
	return []string{next}
}

// derivedNext returns the continuation that follows a step named initial.X without a rule, or "".
func (r *registry) derivedNext(s *step) string {
	name, ok := strings.CutPrefix(s.id, "initial.")
	if to := "continuation." + name; ok && r.byID[to] != nil {
		return to
	}
	return ""
}
