package stepflow

import (
	"fmt"

	"playhead/parse/climpt"
	"playhead/parse/plan"
)

// routes returns the routes of a step (spec §4, §6): for a failed call, for ok and ng, and for a skip.
func (s *step) routes() []plan.Route {
	at := s.Place().Span()
	out := make([]plan.Route, 0, 4)
	out = append(out, plan.Route{When: plan.Matcher{Result: plan.Errored}, Do: plan.Move{
		Verb: plan.EndDocument, Result: plan.RunFailed, Message: climpt.MessageWithReason("Error occurred"), SourceText: "a call failed: the run fails", Implicit: true, Span: at,
	}})
	if s.hasCheck {
		out = append(out,
			plan.Route{When: plan.Matcher{Result: plan.Passed}, Do: s.moveAfterPass()},
			plan.Route{When: plan.Matcher{Result: plan.Failed}, Do: s.moveAfterFail()})
	} else {
		end := s.failRunMove("max-iterations", "Max iterations reached without completion check")
		end.Implicit = true
		out = append(out, plan.Route{When: plan.Matcher{Result: plan.Passed}, Do: *s.repeatMove(s.maxIterations, "no check: repeat", end)})
	}
	return append(out, plan.Route{When: plan.Matcher{Result: plan.Skipped}, Do: s.moveAfterSkip()})
}

// moveAfterPass returns the move for ok. Before minIterations attempts the step runs again.
func (s *step) moveAfterPass() plan.Move {
	side := s.check.onPass
	move := s.targetMove(side, s.completeRunMove(side))
	if s.minIterations > 1 {
		move = s.repeatMove(s.minIterations, fmt.Sprintf("below min %d: repeat", s.minIterations), move)
		move.Implicit, move.MinOrMax, move.Span = false, "min", s.Get("iterations").Place().Span()
	}
	return *move
}

// moveAfterFail returns the move for ng.
func (s *step) moveAfterFail() plan.Move {
	end := s.failRunMove("check-failed", "Check failed")
	end.Implicit = true
	repeat := s.repeatMove(s.maxIterations, "onFail: repeat", end)
	if repeat.IsRepeat {
		repeat.MinOrMax = "max"
	}
	return *s.targetMove(s.check.onFail, repeat)
}

// targetMove returns the move of onPass or onFail: that of the first line which applies in the table of spec
// §6, or otherwise if none of them applies.
func (s *step) targetMove(o verdictTarget, otherwise *plan.Move) *plan.Move {
	switch {
	case o.completesRun:
		return s.completeRunMove(o)
	case o.nextStep != "":
		return o.moveWithTextAndPlace("next", plan.Move{Verb: plan.Goto, To: plan.Target{Step: o.nextStep}})
	case !o.canRetry && o.fallbackStep == "":
		return otherwise
	}
	var fallback *plan.Move
	if o.fallbackStep != "" {
		fallback = o.moveWithTextAndPlace("fallback", plan.Move{Verb: plan.Fallback, To: plan.Target{Step: o.fallbackStep}, DiagnosticCode: climpt.CodePrefix + "fallback-taken"})
	}
	if !o.canRetry {
		return fallback
	}
	retry := o.moveWithTextAndPlace("retry", plan.Move{Verb: plan.RunAgain, Limit: &plan.Limit{Counter: plan.RetryCounter, Max: o.maxRetries}})
	if retry.AfterLimit = fallback; fallback == nil && o.maxRetries > 0 {
		retry.AfterLimit = s.failRunMove("max-retries", "Max retries exceeded")
		retry.AfterLimit.Implicit = true
	}
	return retry
}

// moveWithTextAndPlace returns a move that a key of onPass or onFail writes, with its text and place.
func (v verdictTarget) moveWithTextAndPlace(key string, m plan.Move) *plan.Move {
	m.SourceText, m.Span = v.Key()+"."+key, v.PlaceOf(key).Span()
	if m.To.Step != "" {
		m.SourceText += " " + m.To.Step
	}
	m.TextNamesTarget = true
	return &m
}

// completeRunMove returns the move that completes the run. It is implicit unless complete is written.
func (s *step) completeRunMove(o verdictTarget) *plan.Move {
	m := plan.Move{Verb: plan.EndDocument, Result: plan.Completed, Message: plan.Literal("Completed at step: " + s.name)}
	if o.completesRun {
		return o.moveWithTextAndPlace("complete", m)
	}
	m.SourceText, m.Implicit, m.Span = "onPass: complete", true, s.Place().Span()
	return &m
}

// repeatMove returns a move that runs the step again until it has run n times, and then continues
// with another move.
func (s *step) repeatMove(n int, text string, then *plan.Move) *plan.Move {
	if n <= 1 {
		return then
	}
	return &plan.Move{
		Verb: plan.RunAgain, IsRepeat: true, Limit: &plan.Limit{Counter: plan.AttemptCounter, Max: n}, AfterLimit: then,
		SourceText: text, Implicit: true, Span: s.Place().Span(),
	}
}

// failRunMove returns a move that ends the run as failed.
func (s *step) failRunMove(code, message string) *plan.Move {
	return &plan.Move{
		Verb: plan.EndDocument, Result: plan.RunFailed, DiagnosticCode: climpt.CodePrefix + code, Message: plan.Literal(message),
		SourceText: message, Span: s.Place().Span(),
	}
}

// moveAfterSkip returns the move if a person skips a step: to the next step of onPass, or else the run stops.
func (s *step) moveAfterSkip() plan.Move {
	if o := s.check.onPass; o.nextStep != "" && !o.completesRun {
		m := o.moveWithTextAndPlace("next", plan.Move{Verb: plan.Goto, To: plan.Target{Step: o.nextStep}})
		m.SourceText, m.Implicit = "skipped: "+m.SourceText, true
		return *m
	}
	return plan.Move{Verb: plan.EndDocument, Result: plan.Stopped, SourceText: "skipped: stop", Implicit: true, Span: s.Place().Span()}
}

// edges returns the edges of a step to draw: those that it writes, pass before fail, and the implied ends
// (spec §7).
func (s *step) edges() []plan.FlowEdge {
	if !s.hasCheck {
		return []plan.FlowEdge{{Label: "fail", Implicit: true}}
	}
	return append(s.targetEdges("pass", s.check.onPass), s.targetEdges("fail", s.check.onFail)...)
}

// targetEdges returns the edges of onPass or onFail. word is "pass" or "fail".
func (s *step) targetEdges(word string, o verdictTarget) []plan.FlowEdge {
	if o.isEmpty() {
		if word == "pass" {
			word = "pass complete"
		}
		return []plan.FlowEdge{{Label: word, Implicit: true}}
	}
	var out []plan.FlowEdge
	for _, m := range o.Members() {
		e := plan.FlowEdge{Label: word + " " + m.Key()}
		switch {
		case m.Key() == "next" && o.nextStep != "", m.Key() == "fallback" && o.fallbackStep != "":
			e.To = m.Text()
		case m.Key() == "retry" && o.canRetry:
			e.To = s.id
			if o.maxRetries > 0 {
				e.Label += fmt.Sprintf(" ≤ %d", o.maxRetries)
			}
			if o.maxRetries > 0 && o.fallbackStep == "" {
				e.AfterLimitText = "fail"
			}
		case m.Key() == "complete" && o.completesRun:
		default:
			continue
		}
		out = append(out, e)
	}
	return out
}
