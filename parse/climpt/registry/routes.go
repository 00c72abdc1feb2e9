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
func (l *lowering) routes(s *step) []plan.Route {
	l.out = make([]plan.Route, 0, len(s.rules)+6) // those of most steps
	if l.gated {
		for i := range s.rules {
			l.ruleRoutes(s, &s.rules[i])
		}
	}
	if v := l.validationOf(s); v != nil { // what cannot be recovered from goes first: it is a failure too
		l.route(plan.Matcher{Result: plan.Errored, Intent: closing}, l.implicit(endInvalid))
		l.invalid(s, v)
	}
	switch {
	case l.gated:
		for _, intent := range l.allowed(s) {
			l.implied(s, intent)
		}
	case s.command != nil:
		l.ran(s)
	default:
		l.judged(s)
	}
	l.failures(s)
	to := l.onward(s)
	if l.gated || s.command != nil {
		l.route(plan.Matcher{Result: plan.Passed}, l.passed(s, to))
	}
	l.route(plan.Matcher{Result: plan.Skipped}, l.implicit(l.skipped(s, to, "skipped: ")))
	return l.out
}

// route adds one to those of the step at hand.
func (l *lowering) route(when plan.Matcher, do plan.Move) {
	l.out = append(l.out, plan.Route{When: when, Do: do})
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

// implicit is a move of the step at hand that nothing writes.
func (l *lowering) implicit(m plan.Move) plan.Move {
	m.Implicit, m.Span = true, l.at
	return m
}

// fail ends the run badly.
func fail(why, code string) plan.Move {
	return plan.Move{Verb: plan.End, Result: plan.RunFailed, Message: reasoned(why), Text: why, Code: code}
}

// The ends that every step has, and the reply that is asked for once more.
var (
	endErrored = fail("error", "")
	endAborted = fail("aborted", climpt.Code+"aborted")
	endFailed  = plan.Move{Verb: plan.End, Result: plan.RunFailed, Message: reasoned("the step failed"), Text: "failed"}
	endInvalid = fail("validation failed", climpt.Code+"validation-failed")
	noObject   = plan.Test{Data: true, Path: []string{dataVia}, Value: "format-retry"}
	askAgain   = plan.Move{Verb: plan.Again, Text: "no object: once more"}
)

// failures are the routes of steps that could not be carried out, and of aborts.
func (l *lowering) failures(s *step) {
	l.route(plan.Matcher{Result: plan.Errored}, l.implicit(endErrored))
	l.route(plan.Matcher{Intent: abort}, l.implicit(endAborted))
	if s.gate != nil {
		l.route(plan.Matcher{Result: plan.Failed, Test: &noObject}, l.implicit(askAgain))
	}
	l.route(plan.Matcher{Result: plan.Failed}, l.implicit(endFailed)) // by a person: gates fail with an intent
}

// invalid are the routes of a closing that its validation does not let pass.
func (l *lowering) invalid(s *step, v *validation) {
	when := plan.Matcher{Result: plan.Failed, Intent: closing}
	if v.action != "retry" {
		end := endInvalid
		end.Text, end.Span = "onFailure "+v.action, span(v.At("onFailure"))
		l.route(when, end)
		return
	}
	end := l.implicit(endInvalid)
	back := plan.Move{
		Verb: plan.Goto, To: plan.Target{Caller: true}, Prompt: retry{s.id, l.values, l.answers(v)}, Text: "onFailure retry",
		Limit: &plan.Limit{Counter: "validation " + v.id, Max: v.attempts, Run: true}, Span: span(v.At("onFailure")),
	}
	if v.attempts > 0 {
		back.Then = &end
	}
	if v.schema != nil {
		retry := back
		retry.To, retry.Prompt, retry.Text = plan.Target{Step: s.id}, reformat{v.schema}, "outputSchema retry"
		bySchema := when
		bySchema.Test = &plan.Test{Data: true, Path: []string{dataFailure}, Value: "schema"}
		l.route(bySchema, retry)
	}
	l.route(when, back)
}

// ruleRoutes are the routes of a rule: one for each of its targets.
func (l *lowering) ruleRoutes(s *step, u *rule) {
	first := len(l.out)
	switch {
	case u.intent == abort: // it leads nowhere, whatever is written
	case u.intent == closing:
		l.ending(s, u)
	default:
		if u.intent == jump {
			l.jumpRoute(s)
		}
		l.simple(s, u)
	}
	for i := range l.out[first:] {
		if do := &l.out[first+i].Do; do.Span.Line == 0 {
			do.Span = span(u.at.Place())
		}
	}
	l.conditional(s, u)
}

// simple is the route of a rule with one target.
func (l *lowering) simple(s *step, u *rule) {
	when := plan.Matcher{Intent: u.intent}
	switch {
	case u.target != "":
		l.route(when, l.to(s, u.target, u.intent+" → "+u.target))
	case u.null && u.intent == repeat:
		l.route(when, l.to(s, s.id, "repeat → "+s.id))
	case u.null:
		l.ending(s, u)
	}
}

// ending is the route of a rule that completes the run.
func (l *lowering) ending(s *step, u *rule) {
	l.route(plan.Matcher{Result: plan.Passed, Intent: u.intent}, completed(s, u.intent))
}

// completed ends the run well.
func completed(s *step, intent string) plan.Move {
	return plan.Move{Verb: plan.End, Result: plan.Completed, Message: plan.Literal("completed at " + s.id), Text: intent + " → end"}
}

// to leads to a step. What leads to a closure is remembered there.
func (l *lowering) to(s *step, target, text string) plan.Move {
	return plan.Move{Verb: plan.Goto, To: plan.Target{Step: target}, Call: s.kind != closure, Text: text}
}

// jumpRoute is the route of a jump to the step that the output names.
func (l *lowering) jumpRoute(s *step) {
	if s.gate == nil || s.gate.target == "" {
		return
	}
	when := plan.Matcher{Intent: jump, Test: &plan.Test{Data: true, Path: []string{dataTarget}, Op: plan.IsSet}}
	l.route(when, plan.Move{
		Verb: plan.Goto, To: plan.Target{DataKey: dataTarget}, Call: s.kind != closure,
		Text: "jump → " + s.gate.target, Implicit: true, Span: span(s.gate.At("targetField")),
	})
}

// conditional are the routes of a rule with several targets, what stands for all
// others last.
func (l *lowering) conditional(s *step, u *rule) {
	if u.condition == "" || u.intent == closing || u.intent == abort {
		return
	}
	other := l.implicit(fail("error: no target for the value of "+u.condition, climpt.Code+"no-matching-target"))
	for _, b := range u.cases {
		move := l.to(s, b.target, fmt.Sprintf("%s %s=%s → %s", u.intent, u.condition, b.value, b.target))
		move.Span = span(b.at.Place())
		if b.value == otherwise {
			other = move
			continue
		}
		l.route(plan.Matcher{Intent: u.intent, Test: &plan.Test{Data: true, Path: []string{dataValues, u.condition}, Value: b.value}}, move)
	}
	l.route(plan.Matcher{Intent: u.intent}, other)
}

// implied are the routes of an intent that transitions has no rule for.
func (l *lowering) implied(s *step, intent string) {
	if intent == abort || s.rule(intent) != nil {
		return
	}
	var move plan.Move
	switch to := l.derived(s); {
	case intent == repeat:
		move = l.to(s, s.id, "repeat → "+s.id)
	case intent == closing:
		move = completed(s, intent)
	case (intent == next || intent == jump) && to != "":
		move = l.to(s, to, intent+" → "+to)
	default:
		move = fail("error: no rule for "+intent, climpt.Code+"no-route")
	}
	if intent == jump {
		l.jumpRoute(s)
	}
	l.route(plan.Matcher{Result: plan.Passed, Intent: intent}, l.implicit(move))
}

// ran are the routes of a command in a registry without gates: exit 0 closes, and repeat
// is the only transition that such a registry follows.
func (l *lowering) ran(s *step) {
	l.route(plan.Matcher{Result: plan.Passed, Intent: closing}, l.implicit(completed(s, closing)))
	if u := s.rule(repeat); u != nil {
		l.ruleRoutes(s, u)
	}
}

// judged are the routes in a registry without gates: the verdict decides.
func (l *lowering) judged(s *step) {
	start := l.byID[l.entry]
	if start == nil {
		start = s
	}
	retry := start.id
	if to := l.derived(start); to != "" {
		retry = to
	}
	done := l.implicit(plan.Move{Verb: plan.End, Result: plan.Completed, Message: plan.Literal("completed by verdict"), Text: "verdict → end"})
	more := l.implicit(l.to(s, retry, "next iteration → "+retry))
	l.route(plan.Matcher{Result: plan.Passed, Test: &plan.Test{Data: true, Path: []string{dataDone}, Value: "true"}}, done)
	l.route(plan.Matcher{Result: plan.Passed}, more)
}

// onward is the step that a person leads to who goes on as with next, "" if that names
// none.
func (l *lowering) onward(s *step) string {
	switch u := s.rule(next); {
	case u != nil:
		return u.target
	case s.kind != closure:
		return l.derived(s)
	}
	return ""
}

// passed is where a person leads who passes the step, and gives no reply that a gate could
// read: a closure closes, another step takes the first way that names one.
func (l *lowering) passed(s *step, onward string) plan.Move {
	const how = "passed by hand: "
	if s.kind == closure {
		move := l.implicit(completed(s, closing))
		move.Text = how + move.Text
		return move
	}
	if onward == "" {
		for _, intent := range []string{handoff, escalate, jump} {
			if u := s.rule(intent); u != nil && u.target != "" {
				return l.implicit(l.to(s, u.target, how+intent+" → "+u.target))
			}
		}
	}
	return l.implicit(l.skipped(s, onward, how))
}

// skipped is where a person leads who skips the step, or passes it.
func (l *lowering) skipped(s *step, onward, how string) plan.Move {
	if onward == "" {
		return plan.Move{Verb: plan.End, Result: plan.Stopped, Text: how + "stop"}
	}
	return l.to(s, onward, how+"next → "+onward)
}

// edges are the links that are drawn (spec §11).
func (l *lowering) edges(s *step) []plan.Edge {
	if len(s.edges) == 0 {
		return nil
	}
	out := make([]plan.Edge, 0, len(s.edges))
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
