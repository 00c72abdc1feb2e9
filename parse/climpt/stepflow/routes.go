package stepflow

import (
	"fmt"

	"playhead/parse/climpt"
	"playhead/parse/plan"
)

// routes returns where a step leads (spec §4, §6). A failed call comes first, as it has no
// verdict.
func (s *step) routes() []plan.Route {
	at := span(s.Place())
	out := make([]plan.Route, 0, 4)
	out = append(out, plan.Route{When: plan.Matcher{Result: plan.Errored}, Do: plan.Move{
		Verb: plan.End, Result: plan.RunFailed, Message: failure{}, Text: "a call failed: fail", Implicit: true, Span: at,
	}})
	if s.checked {
		out = append(out,
			plan.Route{When: plan.Matcher{Result: plan.Passed}, Do: s.passMove()},
			plan.Route{When: plan.Matcher{Result: plan.Failed}, Do: s.failMove()})
	} else {
		end := s.endFailed("max-iterations", "Max iterations reached without completion check")
		end.Implicit = true
		out = append(out, plan.Route{When: plan.Matcher{Result: plan.Passed}, Do: *s.repeatUntil(s.max, "no check: repeat", end)})
	}
	return append(out, plan.Route{When: plan.Matcher{Result: plan.Skipped}, Do: s.skipMove()})
}

// passMove returns where ok leads. Below min the step runs again.
func (s *step) passMove() plan.Move {
	side := s.check.onPass
	move := s.moveTo(side, s.endCompleted(side))
	if s.min > 1 {
		move = s.repeatUntil(s.min, fmt.Sprintf("below min %d: repeat", s.min), move)
		move.Implicit, move.Bound = false, "min"
	}
	return *move
}

// failMove returns where ng leads.
func (s *step) failMove() plan.Move {
	end := s.endFailed("check-failed", "Check failed")
	end.Implicit = true
	repeat := s.repeatUntil(s.max, "onFail: repeat", end)
	if repeat.Repeat {
		repeat.Bound = "max"
	}
	return *s.moveTo(s.check.onFail, repeat)
}

// moveTo returns the move of the first line that applies in the table of spec §6, or nothing.
func (s *step) moveTo(o verdictTarget, nothing *plan.Move) *plan.Move {
	switch {
	case o.complete:
		return s.endCompleted(o)
	case o.next != "":
		return o.move("next", plan.Move{Verb: plan.Goto, To: plan.Target{Step: o.next}})
	case !o.retry && o.fallback == "":
		return nothing
	}
	var fallback *plan.Move
	if o.fallback != "" {
		fallback = o.move("fallback", plan.Move{Verb: plan.Fallback, To: plan.Target{Step: o.fallback}, Code: climpt.Code + "fallback-taken"})
	}
	if !o.retry {
		return fallback
	}
	retry := o.move("retry", plan.Move{Verb: plan.Again, Limit: &plan.Limit{Counter: plan.RetryCounter, Max: o.maxRetries}})
	if retry.Then = fallback; fallback == nil && o.maxRetries > 0 {
		retry.Then = s.endFailed("max-retries", "Max retries exceeded")
		retry.Then.Implicit = true
	}
	return retry
}

// move completes a move that onPass or onFail writes.
func (o verdictTarget) move(key string, m plan.Move) *plan.Move {
	m.Text, m.Span = o.Key()+"."+key, span(o.At(key))
	if m.To.Step != "" {
		m.Text += " " + m.To.Step
	}
	m.NamesTarget = true
	return &m
}

// endCompleted ends the run as completed. An empty onPass does so, too.
func (s *step) endCompleted(o verdictTarget) *plan.Move {
	m := plan.Move{Verb: plan.End, Result: plan.Completed, Message: plan.Literal("Completed at step: " + s.name)}
	if o.complete {
		return o.move("complete", m)
	}
	m.Text, m.Implicit, m.Span = "onPass: complete", true, span(s.Place())
	return &m
}

// repeatUntil runs the step again until it has run n times.
func (s *step) repeatUntil(n int, text string, then *plan.Move) *plan.Move {
	if n <= 1 {
		return then
	}
	return &plan.Move{
		Verb: plan.Again, Repeat: true, Limit: &plan.Limit{Counter: plan.AttemptCounter, Max: n}, Then: then,
		Text: text, Implicit: true, Span: span(s.Place()),
	}
}

// endFailed ends the run as failed.
func (s *step) endFailed(code, message string) *plan.Move {
	return &plan.Move{
		Verb: plan.End, Result: plan.RunFailed, Code: climpt.Code + code, Message: plan.Literal(message),
		Text: message, Span: span(s.Place()),
	}
}

// skipMove returns where a step leads that a person skips.
func (s *step) skipMove() plan.Move {
	if o := s.check.onPass; o.next != "" && !o.complete {
		m := o.move("next", plan.Move{Verb: plan.Goto, To: plan.Target{Step: o.next}})
		m.Text, m.Implicit = "skipped: "+m.Text, true
		return *m
	}
	return plan.Move{Verb: plan.End, Result: plan.Stopped, Text: "skipped: stop", Implicit: true, Span: span(s.Place())}
}

// failure is the Prompt for why a failed call ended the run.
type failure struct{}

// Render implements plan.Prompt.
func (failure) Render(scope plan.Scope) (plan.Rendered, error) {
	text := "Error occurred"
	if scope != nil && scope.Outcome().Reason != "" {
		text += ": " + scope.Outcome().Reason
	}
	return plan.Rendered{Text: text}, nil
}

// edges returns the links that a step writes, pass before fail, and the implied ends (spec §7).
func (s *step) edges() []plan.Edge {
	if !s.checked {
		return []plan.Edge{{Label: "fail", Implied: true}}
	}
	return append(s.edgesTo("pass", s.check.onPass), s.edgesTo("fail", s.check.onFail)...)
}

func (s *step) edgesTo(word string, o verdictTarget) []plan.Edge {
	if o.isEmpty() {
		if word == "pass" {
			word = "pass complete"
		}
		return []plan.Edge{{Label: word, Implied: true}}
	}
	var out []plan.Edge
	for _, m := range o.Members() {
		e := plan.Edge{Label: word + " " + m.Key()}
		switch {
		case m.Key() == "next" && o.next != "", m.Key() == "fallback" && o.fallback != "":
			e.To = m.Text()
		case m.Key() == "retry" && o.retry:
			e.To = s.id
			if o.maxRetries > 0 {
				e.Label += fmt.Sprintf(" ≤ %d", o.maxRetries)
			}
			if o.maxRetries > 0 && o.fallback == "" {
				e.Then = "fail"
			}
		case m.Key() == "complete" && o.complete:
		default:
			continue
		}
		out = append(out, e)
	}
	return out
}
