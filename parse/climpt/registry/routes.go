package registry

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"playhead/parse/climpt"
	"playhead/parse/plan"
)

// routes returns the routes of a step in the order of evaluation: written rules, implied ones, then
// failures (spec §8).
func (l *lowering) routes(s *step) []plan.Route {
	l.out = make([]plan.Route, 0, len(s.rules)+6) // those of most steps
	if l.gated {
		for i := range s.rules {
			l.ruleRoutes(s, &s.rules[i])
		}
	}
	if v := l.validationOf(s); v != nil { // what cannot be recovered from goes first: it is a failure too
		l.route(plan.Matcher{Result: plan.Errored, Intent: closing}, l.implicit(endInvalid))
		l.validationRoutes(s, v)
	}
	switch {
	case l.gated:
		for _, intent := range l.allowedIntents(s) {
			l.impliedRoutes(s, intent)
		}
	case s.command != nil:
		l.commandRoutes(s)
	default:
		l.verdictRoutes(s)
	}
	l.failureRoutes(s)
	to := l.nextTarget(s)
	if l.gated || s.command != nil {
		l.route(plan.Matcher{Result: plan.Passed}, l.passMove(s, to))
	}
	l.route(plan.Matcher{Result: plan.Skipped}, l.implicit(l.skipMove(s, to, "skipped: ")))
	return l.out
}

// route adds a route to the current step.
func (l *lowering) route(when plan.Matcher, do plan.Move) {
	l.out = append(l.out, plan.Route{When: when, Do: do})
}

// reasonMessage is a Prompt for why a run failed, followed by the outcome's reason.
type reasonMessage string

// Render implements plan.Prompt.
func (r reasonMessage) Render(scope plan.Scope) (plan.Rendered, error) {
	text := string(r)
	if scope != nil && scope.Outcome().Reason != "" {
		text += ": " + scope.Outcome().Reason
	}
	return plan.Rendered{Text: text}, nil
}

// implicit marks a move that the document does not write.
func (l *lowering) implicit(m plan.Move) plan.Move {
	m.Implicit, m.Span = true, l.at
	return m
}

// failMove returns a move that ends the run as failed.
func failMove(why, code string) plan.Move {
	return plan.Move{Verb: plan.End, Result: plan.RunFailed, Message: reasonMessage(why), Text: why, Code: code}
}

// The ends that every step has, and the retry of a reply without an object.
var (
	endErrored = failMove("error", "")
	endAborted = failMove("aborted", climpt.Code+"aborted")
	endFailed  = plan.Move{Verb: plan.End, Result: plan.RunFailed, Message: reasonMessage("the step failed"), Text: "failed"}
	endInvalid = failMove("validation failed", climpt.Code+"validation-failed")
	noObject   = plan.Test{Data: true, Path: []string{dataVia}, Value: "format-retry"}
	askAgain   = plan.Move{Verb: plan.Again, Text: "no object: once more"}
)

// failureRoutes adds the routes for errors, aborts and failures.
func (l *lowering) failureRoutes(s *step) {
	l.route(plan.Matcher{Result: plan.Errored}, l.implicit(endErrored))
	l.route(plan.Matcher{Intent: abort}, l.implicit(endAborted))
	if s.gate != nil {
		l.route(plan.Matcher{Result: plan.Failed, Test: &noObject}, l.implicit(askAgain))
	}
	l.route(plan.Matcher{Result: plan.Failed}, l.implicit(endFailed)) // by a person: gates fail with an intent
}

// validationRoutes adds the routes for a failed validation.
func (l *lowering) validationRoutes(s *step, v *validation) {
	when := plan.Matcher{Result: plan.Failed, Intent: closing}
	if v.action != "retry" {
		end := endInvalid
		end.Text, end.Span = "onFailure "+v.action, span(v.At("onFailure"))
		l.route(when, end)
		return
	}
	end := l.implicit(endInvalid)
	back := plan.Move{
		Verb: plan.Goto, To: plan.Target{Caller: true}, Prompt: retryPrompt{s.id, l.values, l.retryTexts(v)}, Text: "onFailure retry",
		Limit: &plan.Limit{Counter: "validation " + v.id, Max: v.attempts, PerRun: true}, Span: span(v.At("onFailure")),
	}
	if v.attempts > 0 {
		back.Then = &end
	}
	if v.schema != nil {
		retry := back
		retry.To, retry.Prompt, retry.Text = plan.Target{Step: s.id}, schemaRetryPrompt{v.schema}, "outputSchema retry"
		bySchema := when
		bySchema.Test = &plan.Test{Data: true, Path: []string{dataFailure}, Value: "schema"}
		l.route(bySchema, retry)
	}
	l.route(when, back)
}

// ruleRoutes adds the routes of a written rule, one per target.
func (l *lowering) ruleRoutes(s *step, u *rule) {
	first := len(l.out)
	switch {
	case u.intent == abort: // it leads nowhere, whatever is written
	case u.intent == closing:
		l.endRoute(s, u)
	default:
		if u.intent == jump {
			l.jumpRoute(s)
		}
		l.simpleRoute(s, u)
	}
	for i := range l.out[first:] {
		if do := &l.out[first+i].Do; do.Span.Line == 0 {
			do.Span = span(u.at.Place())
		}
	}
	l.conditionalRoutes(s, u)
}

// simpleRoute adds the route of a rule with one target.
func (l *lowering) simpleRoute(s *step, u *rule) {
	when := plan.Matcher{Intent: u.intent}
	switch {
	case u.target != "":
		l.route(when, l.gotoMove(s, u.target, u.intent+" → "+u.target))
	case u.isNull && u.intent == repeat:
		l.route(when, l.gotoMove(s, s.id, "repeat → "+s.id))
	case u.isNull:
		l.endRoute(s, u)
	}
}

// endRoute adds the route of a rule that completes the run.
func (l *lowering) endRoute(s *step, u *rule) {
	l.route(plan.Matcher{Result: plan.Passed, Intent: u.intent}, completedMove(s, u.intent))
}

// completedMove returns a move that completes the run.
func completedMove(s *step, intent string) plan.Move {
	return plan.Move{Verb: plan.End, Result: plan.Completed, Message: plan.Literal("completed at " + s.id), Text: intent + " → end"}
}

// gotoMove returns a move to a step. A closure remembers its caller, so that validation can return
// to it.
func (l *lowering) gotoMove(s *step, target, text string) plan.Move {
	return plan.Move{Verb: plan.Goto, To: plan.Target{Step: target}, Call: s.kind != closure, Text: text}
}

// jumpRoute adds the route of a jump to the step that the reply names.
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

// conditionalRoutes adds the routes of a rule with several targets, the default last.
func (l *lowering) conditionalRoutes(s *step, u *rule) {
	if u.condition == "" || u.intent == closing || u.intent == abort {
		return
	}
	other := l.implicit(failMove("error: no target for the value of "+u.condition, climpt.Code+"no-matching-target"))
	for _, b := range u.branches {
		move := l.gotoMove(s, b.target, fmt.Sprintf("%s %s=%s → %s", u.intent, u.condition, b.value, b.target))
		move.Span = span(b.at.KeyPlace()) // the value that is compared
		if b.value == defaultCase {
			other = move
			continue
		}
		l.route(plan.Matcher{Intent: u.intent, Test: &plan.Test{Data: true, Path: []string{dataValues, u.condition}, Value: b.value}}, move)
	}
	l.route(plan.Matcher{Intent: u.intent}, other)
}

// impliedRoutes adds the routes of an intent without a written rule.
func (l *lowering) impliedRoutes(s *step, intent string) {
	if intent == abort || s.rule(intent) != nil {
		return
	}
	var move plan.Move
	switch to := l.derivedNext(s); {
	case intent == repeat:
		move = l.gotoMove(s, s.id, "repeat → "+s.id)
	case intent == closing:
		move = completedMove(s, intent)
	case (intent == next || intent == jump) && to != "":
		move = l.gotoMove(s, to, intent+" → "+to)
	default:
		move = failMove("error: no rule for "+intent, climpt.Code+"no-route")
	}
	if intent == jump {
		l.jumpRoute(s)
	}
	l.route(plan.Matcher{Result: plan.Passed, Intent: intent}, l.implicit(move))
}

// commandRoutes adds the routes of a command in a registry without gates: exit 0 closes, and repeat
// is the only transition that applies.
func (l *lowering) commandRoutes(s *step) {
	l.route(plan.Matcher{Result: plan.Passed, Intent: closing}, l.implicit(completedMove(s, closing)))
	if u := s.rule(repeat); u != nil {
		l.ruleRoutes(s, u)
	}
}

// verdictRoutes adds the routes of a registry without gates, where the verdict decides.
func (l *lowering) verdictRoutes(s *step) {
	start := l.byID[l.entry]
	if start == nil {
		start = s
	}
	retry := start.id
	if to := l.derivedNext(start); to != "" {
		retry = to
	}
	done := l.implicit(plan.Move{Verb: plan.End, Result: plan.Completed, Message: plan.Literal("completed by verdict"), Text: "verdict → end"})
	more := l.implicit(l.gotoMove(s, retry, "next iteration → "+retry))
	l.route(plan.Matcher{Result: plan.Passed, Test: &plan.Test{Data: true, Path: []string{dataDone}, Value: "true"}}, done)
	l.route(plan.Matcher{Result: plan.Passed}, more)
}

// nextTarget returns where next leads, or "" if that names no step.
func (l *lowering) nextTarget(s *step) string {
	switch u := s.rule(next); {
	case u != nil:
		return u.target
	case s.kind != closure:
		return l.derivedNext(s)
	}
	return ""
}

// passMove returns where a step leads that a person passes without a reply for the gate to read: a
// closure closes, another step takes its first route with a target.
func (l *lowering) passMove(s *step, onward string) plan.Move {
	const how = "passed manually: "
	if s.kind == closure {
		move := l.implicit(completedMove(s, closing))
		move.Text = how + move.Text
		return move
	}
	if onward == "" {
		for _, intent := range []string{handoff, escalate, jump} {
			if u := s.rule(intent); u != nil && u.target != "" {
				return l.implicit(l.gotoMove(s, u.target, how+intent+" → "+u.target))
			}
		}
	}
	return l.implicit(l.skipMove(s, onward, how))
}

// skipMove returns where a step leads that a person skips or passes.
func (l *lowering) skipMove(s *step, onward, how string) plan.Move {
	if onward == "" {
		return plan.Move{Verb: plan.End, Result: plan.Stopped, Text: how + "stop"}
	}
	return l.gotoMove(s, onward, how+"next → "+onward)
}

// edges returns the links to draw (spec §11).
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

// brief describes in a few words what a closure has to pass.
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
