package registry

import (
	"fmt"
	"strings"

	"playhead/parse/climpt"
	"playhead/parse/plan"
)

// routes returns the routes of a step in the order of evaluation: written rules, implied ones, then
// failures (spec §8).
func (p *planBuilder) routes(s *step) []plan.Route {
	p.stepRoutes = make([]plan.Route, 0, len(s.rules)+6) // those of most steps
	if p.hasGates {
		for i := range s.rules {
			p.addRuleRoutes(s, &s.rules[i])
		}
	}
	if v := p.validationOf(s); v != nil { // first, because errors match the routes for failures too
		p.addRoute(plan.Matcher{Result: plan.Errored, Intent: intentClosing}, p.asImplicit(validationEndMove))
		p.addValidationRoutes(s, v)
	}
	switch {
	case p.hasGates:
		for _, intent := range p.allowedIntents(s) {
			p.addImpliedRoutes(s, intent)
		}
	case s.command != nil:
		p.addCommandRoutes(s)
	default:
		p.addVerdictRoutes(s)
	}
	p.addFailureRoutes(s)
	to := p.targetOfNext(s)
	if p.hasGates || s.command != nil {
		p.addRoute(plan.Matcher{Result: plan.Passed}, p.moveAfterManualPass(s, to))
	}
	p.addRoute(plan.Matcher{Result: plan.Skipped}, p.asImplicit(p.moveAfterSkip(s, to, "skipped: ")))
	return p.stepRoutes
}

// addRoute adds a route to the current step.
func (p *planBuilder) addRoute(when plan.Matcher, do plan.Move) {
	p.stepRoutes = append(p.stepRoutes, plan.Route{When: when, Do: do})
}

// asImplicit marks a move that the document does not write, and sets its place to that of the current step.
func (p *planBuilder) asImplicit(m plan.Move) plan.Move {
	m.Implicit, m.Span = true, p.stepSpan
	return m
}

// failRunMove returns a move that ends the run as failed. An empty code sets none.
func failRunMove(why, code string) plan.Move {
	return plan.Move{Verb: plan.EndDocument, Result: plan.RunFailed, Message: climpt.MessageWithReason(why), SourceText: why, DiagnosticCode: code}
}

// The ends that steps have in common, and the retry after a reply without an object.
var (
	errorEndMove      = failRunMove("error", "")
	abortEndMove      = failRunMove("aborted", climpt.CodePrefix+"aborted")
	failEndMove       = plan.Move{Verb: plan.EndDocument, Result: plan.RunFailed, Message: climpt.MessageWithReason("the step failed"), SourceText: "failed"}
	validationEndMove = failRunMove("validation failed", climpt.CodePrefix+"validation-failed")
	missingObjectTest = plan.Test{ReadsOutcomeData: true, Path: []string{outcomeIntentOriginKey}, Value: "format-retry"}
	askAgainMove      = plan.Move{Verb: plan.RunAgain, SourceText: "no JSON object in the reply: ask again"}
)

// addFailureRoutes adds the routes for errors, aborts and failures.
func (p *planBuilder) addFailureRoutes(s *step) {
	p.addRoute(plan.Matcher{Result: plan.Errored}, p.asImplicit(errorEndMove))
	p.addRoute(plan.Matcher{Intent: intentAbort}, p.asImplicit(abortEndMove))
	if s.gate != nil {
		p.addRoute(plan.Matcher{Result: plan.Failed, Test: &missingObjectTest}, p.asImplicit(askAgainMove))
	}
	p.addRoute(plan.Matcher{Result: plan.Failed}, p.asImplicit(failEndMove)) // a failed command, or a person's fail: a gate fails only with abort
}

// addValidationRoutes adds the routes for a failed validation.
func (p *planBuilder) addValidationRoutes(s *step, v *validation) {
	when := plan.Matcher{Result: plan.Failed, Intent: intentClosing}
	if v.failureAction != "retry" {
		end := validationEndMove
		end.SourceText, end.Span = "onFailure "+v.failureAction, v.PlaceOf("onFailure").Span()
		p.addRoute(when, end)
		return
	}
	end := p.asImplicit(validationEndMove)
	back := plan.Move{
		Verb: plan.Goto, To: plan.Target{IsCaller: true}, NextVisitPrompt: retryPrompt{s.id, p.promptValues, p.loadRetryTexts(v)}, SourceText: "onFailure retry",
		Limit: &plan.Limit{Counter: "validation " + v.id, Max: v.maxAttempts, PerRun: true}, Span: v.PlaceOf("onFailure").Span(),
	}
	if v.maxAttempts > 0 {
		back.AfterLimit = &end
	}
	if v.outputSchema != nil {
		retry := back
		retry.To, retry.NextVisitPrompt, retry.SourceText = plan.Target{Step: s.id}, schemaRetryPrompt{v.outputSchema}, "outputSchema retry"
		bySchema := when
		bySchema.Test = &plan.Test{ReadsOutcomeData: true, Path: []string{outcomeFailedPartKey}, Value: "schema"}
		p.addRoute(bySchema, retry)
	}
	p.addRoute(when, back)
}

// addRuleRoutes adds the routes of a written rule, one per target.
func (p *planBuilder) addRuleRoutes(s *step, u *rule) {
	first := len(p.stepRoutes)
	switch {
	case u.intent == intentAbort: // ends the run, whatever is written
	case u.intent == intentClosing:
		p.addEndRoute(s, u)
	default:
		if u.intent == intentJump {
			p.addJumpRoute(s)
		}
		p.addSimpleRoute(s, u)
	}
	for i := range p.stepRoutes[first:] {
		if do := &p.stepRoutes[first+i].Do; do.Span.Line == 0 {
			do.Span = u.targetValue.Place().Span()
		}
	}
	p.addConditionalRoutes(s, u)
}

// addSimpleRoute adds the route of a rule with one target.
func (p *planBuilder) addSimpleRoute(s *step, u *rule) {
	when := plan.Matcher{Intent: u.intent}
	switch {
	case u.targetID != "":
		p.addRoute(when, p.gotoMove(s, u.targetID, u.intent+" → "+u.targetID))
	case u.hasNullTarget && u.intent == intentRepeat:
		p.addRoute(when, p.gotoMove(s, s.id, "repeat → "+s.id))
	case u.hasNullTarget:
		p.addEndRoute(s, u)
	}
}

// addEndRoute adds the route of a rule that completes the run.
func (p *planBuilder) addEndRoute(s *step, u *rule) {
	p.addRoute(plan.Matcher{Result: plan.Passed, Intent: u.intent}, completeRunMove(s, u.intent))
}

// completeRunMove returns a move that completes the run.
func completeRunMove(s *step, intent string) plan.Move {
	return plan.Move{Verb: plan.EndDocument, Result: plan.Completed, Message: plan.Literal("completed at " + s.id), SourceText: intent + " → end"}
}

// gotoMove returns a move to a step. A closure remembers its caller, so that validation can return
// to it.
func (p *planBuilder) gotoMove(s *step, target, text string) plan.Move {
	return plan.Move{Verb: plan.Goto, To: plan.Target{Step: target}, RemembersCaller: s.kind != kindClosure, SourceText: text}
}

// addJumpRoute adds the route of a jump to the step that the reply names.
func (p *planBuilder) addJumpRoute(s *step) {
	if s.gate == nil || s.gate.targetField == "" {
		return
	}
	when := plan.Matcher{Intent: intentJump, Test: &plan.Test{ReadsOutcomeData: true, Path: []string{outcomeTargetKey}, Op: plan.OpIsSet}}
	p.addRoute(when, plan.Move{
		Verb: plan.Goto, To: plan.Target{OutcomeDataKey: outcomeTargetKey}, RemembersCaller: s.kind != kindClosure,
		SourceText: "jump → " + s.gate.targetField, Implicit: true, Span: s.gate.PlaceOf("targetField").Span(),
	})
}

// addConditionalRoutes adds the routes of a rule with several targets, the default last.
func (p *planBuilder) addConditionalRoutes(s *step, u *rule) {
	if u.conditionKey == "" || u.intent == intentClosing || u.intent == intentAbort {
		return
	}
	other := p.asImplicit(failRunMove("error: no target for the value of "+u.conditionKey, climpt.CodePrefix+"no-matching-target"))
	for _, b := range u.caseTargets {
		move := p.gotoMove(s, b.targetID, fmt.Sprintf("%s %s=%s → %s", u.intent, u.conditionKey, b.caseValue, b.targetID))
		move.Span = b.targetValue.KeyPlace().Span() // the value that is compared
		if b.caseValue == defaultTargetKey {
			other = move
			continue
		}
		p.addRoute(plan.Matcher{Intent: u.intent, Test: &plan.Test{ReadsOutcomeData: true, Path: []string{outcomeConditionValuesKey, u.conditionKey}, Value: b.caseValue}}, move)
	}
	p.addRoute(plan.Matcher{Intent: u.intent}, other)
}

// addImpliedRoutes adds the routes of an intent without a written rule.
func (p *planBuilder) addImpliedRoutes(s *step, intent string) {
	if intent == intentAbort || s.findRule(intent) != nil {
		return
	}
	var move plan.Move
	switch to := p.derivedContinuation(s); {
	case intent == intentRepeat:
		move = p.gotoMove(s, s.id, "repeat → "+s.id)
	case intent == intentClosing:
		move = completeRunMove(s, intent)
	case (intent == intentNext || intent == intentJump) && to != "":
		move = p.gotoMove(s, to, intent+" → "+to)
	default:
		move = failRunMove(`error: no rule for the intent "`+intent+`"`, climpt.CodePrefix+"no-route")
	}
	if intent == intentJump {
		p.addJumpRoute(s)
	}
	p.addRoute(plan.Matcher{Result: plan.Passed, Intent: intent}, p.asImplicit(move))
}

// addCommandRoutes adds the routes of a command in a registry without gates: exit 0 closes, and repeat
// is the only transition that applies.
func (p *planBuilder) addCommandRoutes(s *step) {
	p.addRoute(plan.Matcher{Result: plan.Passed, Intent: intentClosing}, p.asImplicit(completeRunMove(s, intentClosing)))
	if u := s.findRule(intentRepeat); u != nil {
		p.addRuleRoutes(s, u)
	}
}

// addVerdictRoutes adds the routes of a registry without gates, where the verdict decides.
func (p *planBuilder) addVerdictRoutes(s *step) {
	start := p.byID[p.entryID]
	if start == nil {
		start = s
	}
	next := start.id
	if to := p.derivedContinuation(start); to != "" {
		next = to
	}
	done := p.asImplicit(plan.Move{Verb: plan.EndDocument, Result: plan.Completed, Message: plan.Literal("completed by verdict"), SourceText: "verdict → end"})
	more := p.asImplicit(p.gotoMove(s, next, "next iteration → "+next))
	p.addRoute(plan.Matcher{Result: plan.Passed, Test: &plan.Test{ReadsOutcomeData: true, Path: []string{outcomeDoneKey}, Value: "true"}}, done)
	p.addRoute(plan.Matcher{Result: plan.Passed}, more)
}

// targetOfNext returns the ID of the step to which next leads, or "" if that is no single step.
func (p *planBuilder) targetOfNext(s *step) string {
	switch u := s.findRule(intentNext); {
	case u != nil:
		return u.targetID
	case s.kind != kindClosure:
		return p.derivedContinuation(s)
	}
	return ""
}

// moveAfterManualPass returns the move if a person passes a step and its gate has no reply to read. A
// closure closes. Any other step goes to onward, which is the target of next, else to the target of its
// first other intent that has one; without any, the run stops.
func (p *planBuilder) moveAfterManualPass(s *step, onward string) plan.Move {
	const how = "passed manually: "
	if s.kind == kindClosure {
		move := p.asImplicit(completeRunMove(s, intentClosing))
		move.SourceText = how + move.SourceText
		return move
	}
	if onward == "" {
		for _, intent := range []string{intentHandoff, intentEscalate, intentJump} {
			if u := s.findRule(intent); u != nil && u.targetID != "" {
				return p.asImplicit(p.gotoMove(s, u.targetID, how+intent+" → "+u.targetID))
			}
		}
	}
	return p.asImplicit(p.moveAfterSkip(s, onward, how))
}

// moveAfterSkip returns the move if a person skips or passes a step: to onward, or if that is "", the run
// stops. how begins the text of the move.
func (p *planBuilder) moveAfterSkip(s *step, onward, how string) plan.Move {
	if onward == "" {
		return plan.Move{Verb: plan.EndDocument, Result: plan.Stopped, SourceText: how + "stop"}
	}
	return p.gotoMove(s, onward, how+"next → "+onward)
}

// flowEdges returns the edges of a step to draw (spec §11).
func (p *planBuilder) flowEdges(s *step) []plan.FlowEdge {
	if len(s.edges) == 0 {
		return nil
	}
	out := make([]plan.FlowEdge, 0, len(s.edges))
	for _, e := range s.edges {
		label := e.intent
		if e.isConditional {
			label = fmt.Sprintf("%s %s=%s", e.intent, s.findRule(e.intent).conditionKey, e.caseValue)
		}
		out = append(out, plan.FlowEdge{Label: label, To: e.targetID, Implicit: e.isImplied})
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
		return text + ", on failure " + v.failureAction
	case v.maxAttempts == 0:
		return text + ", unlimited retries"
	case v.maxAttempts == 1:
		return text + ", 1 retry"
	}
	return fmt.Sprintf("%s, %d retries", text, v.maxAttempts)
}
