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
func (l *planBuilder) routes(s *step) []plan.Route {
	l.stepRoutes = make([]plan.Route, 0, len(s.rules)+6) // those of most steps
	if l.hasGates {
		for i := range s.rules {
			l.addRuleRoutes(s, &s.rules[i])
		}
	}
	if v := l.validationOf(s); v != nil { // first, because errors match the routes for failures too
		l.addRoute(plan.Matcher{Result: plan.Errored, Intent: intentClosing}, l.asImplicit(invalidReplyEndMove))
		l.addValidationRoutes(s, v)
	}
	switch {
	case l.hasGates:
		for _, intent := range l.allowedIntents(s) {
			l.addImpliedRoutes(s, intent)
		}
	case s.command != nil:
		l.addCommandRoutes(s)
	default:
		l.addVerdictRoutes(s)
	}
	l.addFailureRoutes(s)
	to := l.targetOfNext(s)
	if l.hasGates || s.command != nil {
		l.addRoute(plan.Matcher{Result: plan.Passed}, l.moveAfterManualPass(s, to))
	}
	l.addRoute(plan.Matcher{Result: plan.Skipped}, l.asImplicit(l.moveAfterSkip(s, to, "skipped: ")))
	return l.stepRoutes
}

// addRoute adds a route to the current step.
func (l *planBuilder) addRoute(when plan.Matcher, do plan.Move) {
	l.stepRoutes = append(l.stepRoutes, plan.Route{When: when, Do: do})
}

// failureMessage is a Prompt for why a run failed, followed by the outcome's reason.
type failureMessage string

// Render implements plan.Prompt.
func (r failureMessage) Render(scope plan.Scope) (plan.Rendered, error) {
	text := string(r)
	if scope != nil && scope.Outcome().Reason != "" {
		text += ": " + scope.Outcome().Reason
	}
	return plan.Rendered{Text: text}, nil
}

// asImplicit marks a move that the document does not write.
func (l *planBuilder) asImplicit(m plan.Move) plan.Move {
	m.Implicit, m.Span = true, l.stepSpan
	return m
}

// failedMove returns a move that ends the run as failed.
func failedMove(why, code string) plan.Move {
	return plan.Move{Verb: plan.EndDocument, Result: plan.RunFailed, Message: failureMessage(why), SourceText: why, DiagnosticCode: code}
}

// The ends that every step has, and the retry of a reply without an object.
var (
	errorEndMove        = failedMove("error", "")
	abortEndMove        = failedMove("aborted", climpt.CodePrefix+"aborted")
	failEndMove         = plan.Move{Verb: plan.EndDocument, Result: plan.RunFailed, Message: failureMessage("the step failed"), SourceText: "failed"}
	invalidReplyEndMove = failedMove("validation failed", climpt.CodePrefix+"validation-failed")
	missingObjectTest   = plan.Test{ReadsOutcomeData: true, Path: []string{dataIntentOrigin}, Value: "format-retry"}
	askAgainMove        = plan.Move{Verb: plan.RunAgain, SourceText: "no JSON object in the reply: ask again"}
)

// addFailureRoutes adds the routes for errors, aborts and failures.
func (l *planBuilder) addFailureRoutes(s *step) {
	l.addRoute(plan.Matcher{Result: plan.Errored}, l.asImplicit(errorEndMove))
	l.addRoute(plan.Matcher{Intent: intentAbort}, l.asImplicit(abortEndMove))
	if s.gate != nil {
		l.addRoute(plan.Matcher{Result: plan.Failed, Test: &missingObjectTest}, l.asImplicit(askAgainMove))
	}
	l.addRoute(plan.Matcher{Result: plan.Failed}, l.asImplicit(failEndMove)) // set by a person: gates fail with an intent
}

// addValidationRoutes adds the routes for a failed validation.
func (l *planBuilder) addValidationRoutes(s *step, v *validation) {
	when := plan.Matcher{Result: plan.Failed, Intent: intentClosing}
	if v.failureAction != "retry" {
		end := invalidReplyEndMove
		end.SourceText, end.Span = "onFailure "+v.failureAction, spanAt(v.PlaceOf("onFailure"))
		l.addRoute(when, end)
		return
	}
	end := l.asImplicit(invalidReplyEndMove)
	back := plan.Move{
		Verb: plan.Goto, To: plan.Target{IsCaller: true}, NextVisitPrompt: retryPrompt{s.id, l.promptValues, l.loadRetryTexts(v)}, SourceText: "onFailure retry",
		Limit: &plan.Limit{Counter: "validation " + v.id, Max: v.maxAttempts, PerRun: true}, Span: spanAt(v.PlaceOf("onFailure")),
	}
	if v.maxAttempts > 0 {
		back.AfterLimit = &end
	}
	if v.outputSchema != nil {
		retry := back
		retry.To, retry.NextVisitPrompt, retry.SourceText = plan.Target{Step: s.id}, schemaRetryPrompt{v.outputSchema}, "outputSchema retry"
		bySchema := when
		bySchema.Test = &plan.Test{ReadsOutcomeData: true, Path: []string{dataFailedPart}, Value: "schema"}
		l.addRoute(bySchema, retry)
	}
	l.addRoute(when, back)
}

// addRuleRoutes adds the routes of a written rule, one per target.
func (l *planBuilder) addRuleRoutes(s *step, u *rule) {
	first := len(l.stepRoutes)
	switch {
	case u.intent == intentAbort: // it leads nowhere, whatever is written
	case u.intent == intentClosing:
		l.addEndRoute(s, u)
	default:
		if u.intent == intentJump {
			l.addJumpRoute(s)
		}
		l.addSimpleRoute(s, u)
	}
	for i := range l.stepRoutes[first:] {
		if do := &l.stepRoutes[first+i].Do; do.Span.Line == 0 {
			do.Span = spanAt(u.targetValue.Place())
		}
	}
	l.addConditionalRoutes(s, u)
}

// addSimpleRoute adds the route of a rule with one target.
func (l *planBuilder) addSimpleRoute(s *step, u *rule) {
	when := plan.Matcher{Intent: u.intent}
	switch {
	case u.targetID != "":
		l.addRoute(when, l.gotoMove(s, u.targetID, u.intent+" → "+u.targetID))
	case u.hasNullTarget && u.intent == intentRepeat:
		l.addRoute(when, l.gotoMove(s, s.id, "repeat → "+s.id))
	case u.hasNullTarget:
		l.addEndRoute(s, u)
	}
}

// addEndRoute adds the route of a rule that completes the run.
func (l *planBuilder) addEndRoute(s *step, u *rule) {
	l.addRoute(plan.Matcher{Result: plan.Passed, Intent: u.intent}, completedMove(s, u.intent))
}

// completedMove returns a move that completes the run.
func completedMove(s *step, intent string) plan.Move {
	return plan.Move{Verb: plan.EndDocument, Result: plan.Completed, Message: plan.Literal("completed at " + s.id), SourceText: intent + " → end"}
}

// gotoMove returns a move to a step. A closure remembers its caller, so that validation can return
// to it.
func (l *planBuilder) gotoMove(s *step, target, text string) plan.Move {
	return plan.Move{Verb: plan.Goto, To: plan.Target{Step: target}, RemembersCaller: s.kind != kindClosure, SourceText: text}
}

// addJumpRoute adds the route of a jump to the step that the reply names.
func (l *planBuilder) addJumpRoute(s *step) {
	if s.gate == nil || s.gate.targetField == "" {
		return
	}
	when := plan.Matcher{Intent: intentJump, Test: &plan.Test{ReadsOutcomeData: true, Path: []string{dataTarget}, Op: plan.OpIsSet}}
	l.addRoute(when, plan.Move{
		Verb: plan.Goto, To: plan.Target{OutcomeDataKey: dataTarget}, RemembersCaller: s.kind != kindClosure,
		SourceText: "jump → " + s.gate.targetField, Implicit: true, Span: spanAt(s.gate.PlaceOf("targetField")),
	})
}

// addConditionalRoutes adds the routes of a rule with several targets, the default last.
func (l *planBuilder) addConditionalRoutes(s *step, u *rule) {
	if u.conditionKey == "" || u.intent == intentClosing || u.intent == intentAbort {
		return
	}
	other := l.asImplicit(failedMove("error: no target for the value of "+u.conditionKey, climpt.CodePrefix+"no-matching-target"))
	for _, b := range u.caseTargets {
		move := l.gotoMove(s, b.targetID, fmt.Sprintf("%s %s=%s → %s", u.intent, u.conditionKey, b.caseValue, b.targetID))
		move.Span = spanAt(b.targetValue.KeyPlace()) // the value that is compared
		if b.caseValue == defaultCase {
			other = move
			continue
		}
		l.addRoute(plan.Matcher{Intent: u.intent, Test: &plan.Test{ReadsOutcomeData: true, Path: []string{dataConditionValues, u.conditionKey}, Value: b.caseValue}}, move)
	}
	l.addRoute(plan.Matcher{Intent: u.intent}, other)
}

// addImpliedRoutes adds the routes of an intent without a written rule.
func (l *planBuilder) addImpliedRoutes(s *step, intent string) {
	if intent == intentAbort || s.findRule(intent) != nil {
		return
	}
	var move plan.Move
	switch to := l.derivedContinuation(s); {
	case intent == intentRepeat:
		move = l.gotoMove(s, s.id, "repeat → "+s.id)
	case intent == intentClosing:
		move = completedMove(s, intent)
	case (intent == intentNext || intent == intentJump) && to != "":
		move = l.gotoMove(s, to, intent+" → "+to)
	default:
		move = failedMove("error: no rule for "+intent, climpt.CodePrefix+"no-route")
	}
	if intent == intentJump {
		l.addJumpRoute(s)
	}
	l.addRoute(plan.Matcher{Result: plan.Passed, Intent: intent}, l.asImplicit(move))
}

// addCommandRoutes adds the routes of a command in a registry without gates: exit 0 closes, and repeat
// is the only transition that applies.
func (l *planBuilder) addCommandRoutes(s *step) {
	l.addRoute(plan.Matcher{Result: plan.Passed, Intent: intentClosing}, l.asImplicit(completedMove(s, intentClosing)))
	if u := s.findRule(intentRepeat); u != nil {
		l.addRuleRoutes(s, u)
	}
}

// addVerdictRoutes adds the routes of a registry without gates, where the verdict decides.
func (l *planBuilder) addVerdictRoutes(s *step) {
	start := l.byID[l.entryID]
	if start == nil {
		start = s
	}
	retry := start.id
	if to := l.derivedContinuation(start); to != "" {
		retry = to
	}
	done := l.asImplicit(plan.Move{Verb: plan.EndDocument, Result: plan.Completed, Message: plan.Literal("completed by verdict"), SourceText: "verdict → end"})
	more := l.asImplicit(l.gotoMove(s, retry, "next iteration → "+retry))
	l.addRoute(plan.Matcher{Result: plan.Passed, Test: &plan.Test{ReadsOutcomeData: true, Path: []string{dataDone}, Value: "true"}}, done)
	l.addRoute(plan.Matcher{Result: plan.Passed}, more)
}

// targetOfNext returns where next leads, or "" if that names no step.
func (l *planBuilder) targetOfNext(s *step) string {
	switch u := s.findRule(intentNext); {
	case u != nil:
		return u.targetID
	case s.kind != kindClosure:
		return l.derivedContinuation(s)
	}
	return ""
}

// moveAfterManualPass returns where a step leads if a person passes it without a reply for the gate to read. A
// closure closes, and another step takes its first route with a target.
func (l *planBuilder) moveAfterManualPass(s *step, onward string) plan.Move {
	const how = "passed manually: "
	if s.kind == kindClosure {
		move := l.asImplicit(completedMove(s, intentClosing))
		move.SourceText = how + move.SourceText
		return move
	}
	if onward == "" {
		for _, intent := range []string{intentHandoff, intentEscalate, intentJump} {
			if u := s.findRule(intent); u != nil && u.targetID != "" {
				return l.asImplicit(l.gotoMove(s, u.targetID, how+intent+" → "+u.targetID))
			}
		}
	}
	return l.asImplicit(l.moveAfterSkip(s, onward, how))
}

// moveAfterSkip returns where a step leads if a person skips or passes it.
func (l *planBuilder) moveAfterSkip(s *step, onward, how string) plan.Move {
	if onward == "" {
		return plan.Move{Verb: plan.EndDocument, Result: plan.Stopped, SourceText: how + "stop"}
	}
	return l.gotoMove(s, onward, how+"next → "+onward)
}

// planEdges returns the links to draw (spec §11).
func (l *planBuilder) planEdges(s *step) []plan.FlowEdge {
	if len(s.edges) == 0 {
		return nil
	}
	out := make([]plan.FlowEdge, 0, len(s.edges))
	for _, e := range s.edges {
		label := e.intent
		if e.isConditional {
			label = fmt.Sprintf("%s %s=%s", e.intent, s.findRule(e.intent).conditionKey, e.caseValue)
		}
		out = append(out, plan.FlowEdge{Label: label, To: e.targetID, Implied: e.isImplied})
	}
	return out
}

// requirementText describes in a few words what a closure has to pass.
func (v *validation) requirementText() string {
	var names []string
	for _, c := range v.conditions {
		names = append(names, c.validatorID)
	}
	text := strings.Join(names, ", ")
	switch {
	case v.failureAction != "retry":
		return text + ", " + v.failureAction
	case v.maxAttempts == 0:
		return text + ", unlimited retries"
	case v.maxAttempts == 1:
		return text + ", 1 retry"
	}
	return fmt.Sprintf("%s, %d retries", text, v.maxAttempts)
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
