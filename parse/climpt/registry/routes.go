package registry

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"playhead/parse/climpt"
	"playhead/parse/plan"
)

// routes are where a step leads, in the order in which they are tried: what the file
// writes, what is implied, what becomes of a step that went wrong (spec §8).
func (l lowering) routes(s *step) []plan.Route {
	var out []plan.Route
	if l.gated {
		for _, u := range s.rules {
			out = append(out, l.written(s, u)...)
		}
	}
	if v := l.validationOf(s); v != nil { // what cannot be recovered from goes first: it is a failure too
		out = append(out, plan.Route{When: plan.Matcher{Result: plan.Errored, Intent: closing}, Do: fail(s, "validation failed", "validation-failed")})
		out = append(out, l.invalid(s, v)...)
	}
	if l.gated {
		for _, intent := range l.allowed(s) {
			out = append(out, l.implied(s, intent)...)
		}
		if s.command != nil {
			out = append(out, l.implied(s, repeat)...)
		}
	} else {
		out = append(out, l.judged(s)...)
	}
	out = append(out, l.failures(s)...)
	return append(out, plan.Route{When: plan.Matcher{Result: plan.Skipped}, Do: l.skipped(s)})
}

// reasoned is why a run failed, with the outcome's reason behind: a Prompt.
type reasoned string

// Render implements plan.Prompt.
func (r reasoned) Render(scope plan.Scope) (plan.Rendered, error) {
	text := string(r)
	if scope != nil && scope.Outcome().Reason != "" {
		text += ": " + scope.Outcome().Reason
	}
	return plan.Rendered{Text: text}, nil
}

// fail ends the run badly.
func fail(s *step, why, code string) plan.Move {
	m := plan.Move{Verb: plan.End, Result: plan.RunFailed, Message: reasoned(why), Text: why, Implicit: true, Span: span(s.Place())}
	if code != "" {
		m.Code = climpt.Code + code
	}
	return m
}

// failures are the routes of steps that could not be carried out, and of aborts.
func (l lowering) failures(s *step) []plan.Route {
	out := []plan.Route{
		{When: plan.Matcher{Result: plan.Errored}, Do: fail(s, "error", "")},
		{When: plan.Matcher{Intent: abort}, Do: fail(s, "aborted", "aborted")},
	}
	if s.gate != nil {
		out = append(out, plan.Route{When: plan.Matcher{Result: plan.Failed}, Do: plan.Move{Verb: plan.Again, Text: "no object: once more", Implicit: true, Span: span(s.Place())}})
	}
	return out
}

// invalid are the routes of a closing that its validation does not let pass.
func (l lowering) invalid(s *step, v *validation) []plan.Route {
	when := plan.Matcher{Result: plan.Failed, Intent: closing}
	end := fail(s, "validation failed", "validation-failed")
	if v.action != "retry" {
		end.Text, end.Implicit, end.Span = "onFailure "+v.action, false, span(v.At("onFailure"))
		return []plan.Route{{When: when, Do: end}}
	}
	back := plan.Move{
		Verb: plan.Goto, To: plan.Target{Caller: true}, Prompt: retry{s.id, l.values, l.answers(v)}, Text: "onFailure retry",
		Limit: &plan.Limit{Counter: "validation " + v.id, Max: v.attempts, Run: true}, Span: span(v.At("onFailure")),
	}
	if v.attempts > 0 {
		back.Then = &end
	}
	if v.schema == nil {
		return []plan.Route{{When: when, Do: back}}
	}
	again := back
	again.To, again.Prompt, again.Text = plan.Target{Step: s.id}, reformat{v.schema}, "outputSchema retry"
	bySchema := when
	bySchema.Test = &plan.Test{Data: true, Path: []string{dataFailure}, Value: "schema"}
	return []plan.Route{{When: bySchema, Do: again}, {When: when, Do: back}}
}

// written are the routes of a rule: one for each of its targets.
func (l lowering) written(s *step, u *rule) []plan.Route {
	var out []plan.Route
	at := u.At("target")
	switch {
	case u.intent == abort: // it leads nowhere, whatever is written
	case u.intent == closing:
		out = l.ending(s, u, "completed at "+s.id)
	case u.intent == jump:
		out = append(l.named(s), l.simple(s, u)...)
	default:
		out = l.simple(s, u)
	}
	for i := range out {
		if out[i].Do.Span.Line == 0 {
			out[i].Do.Span = span(at)
		}
	}
	return append(out, l.conditional(s, u)...)
}

// simple is the route of a rule with one target.
func (l lowering) simple(s *step, u *rule) []plan.Route {
	when := plan.Matcher{Intent: u.intent}
	switch {
	case u.target != "":
		return []plan.Route{{When: when, Do: l.to(s, u.target, u.intent+" → "+u.target)}}
	case u.null && u.intent == repeat:
		return []plan.Route{{When: when, Do: l.to(s, s.id, "repeat → "+s.id)}}
	case u.null:
		return l.ending(s, u, "completed at "+s.id)
	}
	return nil
}

// ending completes the run.
func (l lowering) ending(s *step, u *rule, message string) []plan.Route {
	return []plan.Route{{When: plan.Matcher{Result: plan.Passed, Intent: u.intent}, Do: plan.Move{
		Verb: plan.End, Result: plan.Completed, Message: plan.Literal(message), Text: u.intent + " → end",
	}}}
}

// to leads to a step. What leads to a closure is remembered there.
func (l lowering) to(s *step, target, text string) plan.Move {
	return plan.Move{Verb: plan.Goto, To: plan.Target{Step: target}, Call: s.kind != closure, Text: text}
}

// named is the route of a jump to the step that the output names.
func (l lowering) named(s *step) []plan.Route {
	if s.gate == nil || s.gate.target == "" {
		return nil
	}
	when := plan.Matcher{Intent: jump, Test: &plan.Test{Data: true, Path: []string{dataTarget}, Op: plan.IsSet}}
	return []plan.Route{{When: when, Do: plan.Move{
		Verb: plan.Goto, To: plan.Target{Named: []string{dataTarget}}, Call: s.kind != closure,
		Text: "jump → " + s.gate.target, Implicit: true, Span: span(s.gate.At("targetField")),
	}}}
}

// conditional are the routes of a rule with several targets, what stands for all
// others last.
func (l lowering) conditional(s *step, u *rule) []plan.Route {
	if u.condition == "" || u.intent == closing || u.intent == abort {
		return nil
	}
	var out, last []plan.Route
	for _, b := range u.cases {
		move := l.to(s, b.target, fmt.Sprintf("%s %s=%s → %s", u.intent, u.condition, b.value, b.target))
		move.Span = span(b.at)
		route := plan.Route{When: plan.Matcher{Intent: u.intent, Test: &plan.Test{Data: true, Path: []string{dataValues, u.condition}, Value: b.value}}, Do: move}
		if b.value == otherwise {
			route.When.Test = nil
			last = append(last, route)
			continue
		}
		out = append(out, route)
	}
	if last == nil {
		last = []plan.Route{{When: plan.Matcher{Intent: u.intent}, Do: fail(s, "error: no target for the value of "+u.condition, "no-matching-target")}}
	}
	return append(out, last...)
}

// implied are the routes of an intent that transitions has no rule for.
func (l lowering) implied(s *step, intent string) []plan.Route {
	if s.rule(intent) != nil {
		return nil
	}
	move := fail(s, "error: no rule for "+intent, "no-route")
	switch to := l.derived(s); {
	case intent == abort:
		return nil
	case intent == repeat:
		move = l.to(s, s.id, "repeat → "+s.id)
	case intent == closing:
		move = l.ending(s, &rule{intent: closing}, "completed at "+s.id)[0].Do
	case (intent == next || intent == jump) && to != "":
		move = l.to(s, to, intent+" → "+to)
	}
	move.Implicit, move.Span = true, span(s.Place())
	route := plan.Route{When: plan.Matcher{Result: plan.Passed, Intent: intent}, Do: move}
	if intent == jump {
		return append(l.named(s), route)
	}
	return []plan.Route{route}
}

// judged are the routes in a registry without gates: the verdict decides, or a command
// that ran.
func (l lowering) judged(s *step) []plan.Route {
	start := l.byID[l.entry]
	if start == nil {
		start = s
	}
	again := start.id
	if to := l.derived(start); to != "" {
		again = to
	}
	done := plan.Move{Verb: plan.End, Result: plan.Completed, Message: plan.Literal("completed by verdict"), Text: "verdict → end", Implicit: true, Span: span(s.Place())}
	more := l.to(s, again, "next iteration → "+again)
	more.Implicit, more.Span = true, span(s.Place())
	out := []plan.Route{
		{When: plan.Matcher{Result: plan.Passed, Test: &plan.Test{Data: true, Path: []string{dataDone}, Value: "true"}}, Do: done},
		{When: plan.Matcher{Result: plan.Passed}, Do: more},
	}
	if s.command == nil {
		return out
	}
	closed := done
	closed.Message, closed.Text = plan.Literal("completed at "+s.id), "closing → end"
	return append([]plan.Route{{When: plan.Matcher{Result: plan.Passed, Intent: closing}, Do: closed}}, out...)
}

// skipped is where a person leads who skips the step: as next, where that names a
// step.
func (l lowering) skipped(s *step) plan.Move {
	to := ""
	switch u := s.rule(next); {
	case u != nil && u.target != "":
		to = u.target
	case u == nil && s.kind != closure:
		to = l.derived(s)
	}
	if to == "" {
		return plan.Move{Verb: plan.End, Result: plan.Stopped, Text: "skipped: stop", Implicit: true, Span: span(s.Place())}
	}
	m := l.to(s, to, "skipped: next → "+to)
	m.Implicit, m.Span = true, span(s.Place())
	return m
}

// edges are the links that are drawn (spec §11).
func (l lowering) edges(s *step) []plan.Edge {
	var out []plan.Edge
	for _, e := range s.edges {
		label := e.intent
		if e.conditional {
			label = fmt.Sprintf("%s %s=%s", e.intent, s.rule(e.intent).condition, e.value)
		}
		out = append(out, plan.Edge{Label: label, To: e.to, Implied: e.implied})
	}
	return out
}

// brief says in a few words what a closure has to pass.
func (v *validation) brief() string {
	var names []string
	for _, c := range v.conditions {
		names = append(names, c.validator)
	}
	text := strings.Join(names, ", ")
	switch {
	case v.action != "retry":
		return text + ", " + v.action
	case v.attempts == 0:
		return text + ", retries"
	case v.attempts == 1:
		return text + ", 1 retry"
	}
	return fmt.Sprintf("%s, %d retries", text, v.attempts)
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
