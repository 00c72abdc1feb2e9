package machine

import (
	"fmt"
	"slices"

	"playhead/parse/plan"
)

// Event says what came of the open effect: an action.finished event with the
// product judged. The session adds log, duration and output to its body.
func (m *Machine) Event(p plan.Product) Event {
	f := m.top()
	a, kind := m.action(f)
	body := &ActionFinished{Action: f.action, Kind: kind, Signal: p.Signal, Error: p.Err, Output: p.Text}
	if p.Err == "" && p.Signal == "" && !p.Cancelled {
		code := p.ExitCode
		body.ExitCode = &code
	}
	switch {
	case p.Cancelled:
		body.Outcome = &plan.Outcome{Result: plan.Held, Source: "cancelled"}
	case a.Judge != nil:
		v := a.Judge.Judge(p, m.scope(f))
		body.Outcome, body.Set, body.Notes = &v.Outcome, v.Set, v.Notes
	default:
		body.Outcome = exit(&p)
		if p.Err != "" {
			body.Notes = []plan.Note{{Code: m.plan.Format + "/command-not-started", Message: p.Err}}
		}
	}
	return f.at(body)
}

// succeeded is the outcome of most commands. Outcomes are never changed, so it
// can be shared.
var succeeded = &plan.Outcome{Result: plan.Passed, Source: "exit 0"}

// exit is the rule for a command without a Judge: exit status 0 passes.
func exit(p *plan.Product) *plan.Outcome {
	source := ""
	switch {
	case p.Err != "":
		source = "not started"
	case p.TimedOut:
		source = "timeout"
	case p.Signal != "":
		source = "signal " + p.Signal
	case p.ExitCode != 0:
		source = fmt.Sprintf("exit %d", p.ExitCode)
	default:
		return succeeded
	}
	return &plan.Outcome{Result: plan.Failed, Source: source, Reason: p.Err}
}

// joined is what the results of children come to: with All a failure fails, with
// Any a pass passes.
func joined(j plan.Join, rs plan.Results) *plan.Outcome {
	o := &plan.Outcome{Result: plan.Passed, Source: "children", Results: slices.Clone(rs)}
	failed := rs.Count(plan.Failed) + rs.Count(plan.Errored)
	switch {
	case j == plan.All && failed > 0:
		o.Result = plan.Failed
	case j == plan.Any && rs.Count(plan.Passed) == 0:
		o.Result = plan.Failed
	}
	return o
}

// Give judges the answer to the open question.
func (m *Machine) Give(a Answer) (Event, error) {
	q := m.Next().Question
	if q == nil {
		return Event{}, fmt.Errorf("nothing waits for an answer")
	}
	value, err := q.option(a.Value)
	if err != nil {
		return Event{}, err
	}
	f := m.top()
	body := &InputGiven{Action: f.action, Kind: q.Kind, Value: value}
	if value != "rerun" {
		body.Outcome = &plan.Outcome{Result: plan.Failed, Source: sources[a.By], Reason: a.Note}
		if positive[value] {
			body.Outcome.Result = plan.Passed
		}
	}
	e := f.at(body)
	e.By, e.Reason = a.By, a.Note
	return e, nil
}

// sources says where an outcome came from, by who gave the answer.
var sources = map[string]string{ByPerson: "person", ByFlag: "answer", ByFile: "answer", ByAuto: "automatic"}

// The words for pass and fail, whichever of them a document uses.
var (
	positive = map[string]bool{"pass": true, "yes": true, "ok": true}
	negative = map[string]bool{"fail": true, "no": true}
)

// option finds the question's option that a word means.
func (q *Question) option(word string) (string, error) {
	for _, o := range q.Options {
		if o == word || positive[o] && positive[word] || negative[o] && negative[word] {
			return o, nil
		}
	}
	return "", fmt.Errorf("%q is no answer here: it takes one of %v", word, q.Options)
}
