package stepflow

import (
	"fmt"

	"playhead/parse/climpt"
	"playhead/parse/plan"
)

// routes are where a step leads (spec §4, §6). A call that failed goes first: it is
// no verdict.
func (s *step) routes() []plan.Route {
	at := span(s.Place())
	out := make([]plan.Route, 0, 4)
	out = append(out, plan.Route{When: plan.Matcher{Result: plan.Errored}, Do: plan.Move{
		Verb: plan.End, Result: plan.RunFailed, Message: failure{}, Text: "a call failed: fail", Implicit: true, Span: at,
	}})
	if s.checked {
		out = append(out,
			plan.Route{When: plan.Matcher{Result: plan.Passed}, Do: s.passed()},
			plan.Route{When: plan.Matcher{Result: plan.Failed}, Do: s.failed()})
	} else {
		end := s.fail("max-iterations", "Max iterations reached without completion check")
		end.Implicit = true
		out = append(out, plan.Route{When: plan.Matcher{Result: plan.Passed}, Do: *s.until(s.max, "no check: repeat", end)})
	}
	return append(out, plan.Route{When: plan.Matcher{Result: plan.Skipped}, Do: s.skipped()})
}

// passed is what ok leads to: below min the step runs again.
func (s *step) passed() plan.Move {
	side := s.check.onPass
	move := s.chain(side, s.complete(side))
	if s.min > 1 {
		move = s.until(s.min, fmt.Sprintf("below min %d: repeat", s.min), move)
		move.Implicit, move.Bound = false, "min"
	}
	return *move
}

// failed is what ng leads to.
func (s *step) failed() plan.Move {
	end := s.fail("check-failed", "Check failed")
	end.Implicit = true
	repeat := s.until(s.max, "onFail: repeat", end)
	if repeat.Repeat {
		repeat.Bound = "max"
	}
	return *s.chain(s.check.onFail, repeat)
}

// chain is the first line of the table in spec §6 that applies; nothing is what is
// done if none does.
func (s *step) chain(o side, nothing *plan.Move) *plan.Move {
	switch {
	case o.complete:
		return s.complete(o)
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
	retry := o.move("retry", plan.Move{Verb: plan.Again, Limit: &plan.Limit{Counter: plan.RetryCounter, Max: o.most}})
	if retry.Then = fallback; fallback == nil && o.most > 0 {
		retry.Then = s.fail("max-retries", "Max retries exceeded")
		retry.Then.Implicit = true
	}
	return retry
}

// move completes a move that a member of onPass or onFail writes.
func (o side) move(key string, m plan.Move) *plan.Move {
	m.Text, m.Span = o.Key()+"."+key, span(o.At(key))
	if m.To.Step != "" {
		m.Text += " " + m.To.Step
	}
	m.NamesTarget = true
	return &m
}

// complete ends the flow well. An empty onPass does it too.
func (s *step) complete(o side) *plan.Move {
	m := plan.Move{Verb: plan.End, Result: plan.Completed, Message: plan.Literal("Completed at step: " + s.name)}
	if o.complete {
		return o.move("complete", m)
	}
	m.Text, m.Implicit, m.Span = "onPass: complete", true, span(s.Place())
	return &m
}

// until runs the step again while it was executed less often than n times.
func (s *step) until(n int, text string, then *plan.Move) *plan.Move {
	if n <= 1 {
		return then
	}
	return &plan.Move{
		Verb: plan.Again, Repeat: true, Limit: &plan.Limit{Counter: plan.AttemptCounter, Max: n}, Then: then,
		Text: text, Implicit: true, Span: span(s.Place()),
	}
}

// fail ends the flow badly.
func (s *step) fail(code, message string) *plan.Move {
	return &plan.Move{
		Verb: plan.End, Result: plan.RunFailed, Code: climpt.Code + code, Message: plan.Literal(message),
		Text: message, Span: span(s.Place()),
	}
}

// skipped is where a person leads who skips the step.
func (s *step) skipped() plan.Move {
	if o := s.check.onPass; o.next != "" && !o.complete {
		m := o.move("next", plan.Move{Verb: plan.Goto, To: plan.Target{Step: o.next}})
		m.Text, m.Implicit = "skipped: "+m.Text, true
		return *m
	}
	return plan.Move{Verb: plan.End, Result: plan.Stopped, Text: "skipped: stop", Implicit: true, Span: span(s.Place())}
}

// failure says why a run ended with a call: a Prompt.
type failure struct{}

// Render implements plan.Prompt.
func (failure) Render(scope plan.Scope) (plan.Rendered, error) {
	text := "Error occurred"
	if scope != nil && scope.Outcome().Reason != "" {
		text += ": " + scope.Outcome().Reason
	}
	return plan.Rendered{Text: text}, nil
}

// edges are the links that a step writes, pass before fail, and the endings that
// nothing writes (spec §7).
func (s *step) edges() []plan.Edge {
	if !s.checked {
		return []plan.Edge{{Label: "fail", Implied: true}}
	}
	return append(s.sideEdges("pass", s.check.onPass), s.sideEdges("fail", s.check.onFail)...)
}

func (s *step) sideEdges(word string, o side) []plan.Edge {
	if o.none() {
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
			if o.most > 0 {
				e.Label += fmt.Sprintf(" ≤ %d", o.most)
			}
			if o.most > 0 && o.fallback == "" {
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
