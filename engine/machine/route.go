package machine

import (
	"cmp"
	"fmt"

	"playhead/parse/plan"
)

// finish returns the event with the outcome of the current step, or of the group that joins its children.
func (m *Machine) finish(f *frame) Next {
	o := m.total(f)
	body := StepFinished{Result: stepResult(o), Outcome: o, Overridden: o.Overridden}
	if body.Result == plan.Failed {
		body.Error = o.Reason
	}
	return pack(f.at(nil), body)
}

// stepResult returns how a step with this outcome ended. An error counts as failed.
func stepResult(o *plan.Outcome) plan.Result {
	if o.Result == plan.Errored {
		return plan.Failed
	}
	return o.Result
}

// total returns the outcome so far, with the results of children joined. If no child's result
// counts, the step's own outcome stands. Without one, a choice is skipped and a group joins no
// results.
func (m *Machine) total(f *frame) *plan.Outcome {
	if f.phase == finishing && len(f.currentVisit.results) > 0 {
		return joinResults(f.cur.step.Join, f.currentVisit.results)
	}
	switch {
	case f.outcome.Result != "":
		return f.outcome
	case f.phase == finishing && f.cur.children[0].step.IsArm():
		return &plan.Outcome{Result: plan.Skipped, Untaken: m.untakenReasons(f)}
	case f.phase == finishing:
		return joinResults(f.cur.step.Join, nil)
	default:
		return &plan.Outcome{Result: plan.Passed}
	}
}

// untakenReasons returns what was compared for the arms of a choice of which none was taken.
func (m *Machine) untakenReasons(f *frame) []plan.Reason {
	var out []plan.Reason
	for _, arm := range f.cur.step.Children {
		if arm.When != nil {
			r := plan.Reason{Evaluated: true}
			m.scope(f).test(arm.When, &r)
			out = append(out, r)
		}
	}
	return out
}

// decide tests the routes of the current step and takes the first that matches.
func (m *Machine) decide(f *frame) Next {
	o := f.outcome
	p := &eventWithBody[Decision]{event: f.at(nil)}
	d := &p.body
	p.event.Body, d.Outcome, d.Candidates = d, o, make([]Candidate, 0, len(f.cur.step.Routes))
	if len(o.Results) > 0 {
		d.Mode = modes[f.cur.step.Join]
	}
	reasons := make([]plan.Reason, len(f.cur.step.Routes))
	for i := range f.cur.step.Routes {
		r := &f.cur.step.Routes[i]
		c := Candidate{Line: r.Do.Span.Line, Text: r.Do.Text, Implicit: r.Do.Implicit, Reason: &reasons[i]}
		c.Matched = m.match(f, r, d, c.Reason)
		if c.Matched && d.CandidateIndex == nil {
			d.CandidateIndex = index(i)
			m.take(f, &r.Do, &c, d)
		}
		d.Candidates = append(d.Candidates, c)
	}
	switch {
	case d.CandidateIndex != nil:
	case o.Result == plan.Skipped:
		d.Arrival = f.afterStep(f.cur)
	default:
		d.Arrival = Arrival{Kind: ToDocumentEnd, Result: plan.RunFailed, Message: "no route matches"}
	}
	if g := f.cur.parent; g != nil && o.Result != plan.Skipped && !d.Arrival.SameVisit {
		d.Arrival.Into = f.labelOf(g, nil)
	}
	d.To = f.destination(d.Arrival)
	return Next{Event: &p.event}
}

// modes are the names of the rules by which results are joined.
var modes = map[plan.Join]string{plan.All: "all", plan.Any: "any"}

// indices are shared by decisions, because most have few candidates.
var indices = [...]int{0, 1, 2, 3, 4, 5, 6, 7}

func index(i int) *int {
	if i < len(indices) {
		return &indices[i]
	}
	n := i
	return &n
}

// match tests one route and records what was compared.
func (m *Machine) match(f *frame, r *plan.Route, d *Decision, data *plan.Reason) bool {
	if d.Outcome.Reading != nil {
		data.Reading = *d.Outcome.Reading
	}
	data.Evaluated, data.Condition = d.CandidateIndex == nil, r.Condition()
	data.Expected = cmp.Or(r.When.Intent, string(r.When.Result))
	switch {
	case r.When.Intent == "" || d.Outcome.Intent == "": // the result is compared, not what the reply says
		data.Variable, data.Actual, data.IsJSON, data.HasNoValue = "", string(d.Outcome.Result), false, false
	case data.Variable == "":
		data.Actual = d.Outcome.Intent
	}
	ok := r.When.Matches(d.Outcome, d.CandidateIndex != nil)
	if data.Tested = ok && r.When.Test != nil; data.Tested {
		data.IsJSON = false
		return m.scope(f).test(r.When.Test, data)
	}
	return ok
}

// take follows the chain of budgets to the move that is made.
func (m *Machine) take(f *frame, move *plan.Move, c *Candidate, d *Decision) {
	for move.Limit != nil {
		used, most := m.budgetUse(f, move.Limit)
		lasts := move.Limit.Max == 0 || used < most || move.Then == nil
		if c.Reason.Used != nil {
			c.Reason.Exhausted = append(c.Reason.Exhausted, c.Reason.Budget)
		}
		b := plan.Budget{Kind: budgetKind(move), Bound: move.Bound}
		if most > 0 {
			b.Limit = index(most)
			used = min(used, most) // attempts that a person made do not count
		}
		b.Used = index(used)
		if !lasts {
			b.Then = move.Then.Text
		}
		if c.Reason.Budget = b; lasts {
			break
		}
		move = move.Then
		c.Depth++
	}
	d.Arrival = m.arrival(f, move)
	if move.Prompt != nil && d.Arrival.Kind == ToStep {
		m.reprompt(f, move.Prompt, d)
	}
	if move.NamesTarget {
		c.Reason.Move = move.Text
	}
	if move.Verb == plan.Fallback {
		d.Notes = append(d.Notes, plan.Note{Code: move.Code, Message: fmt.Sprintf("%s goes back to %s", f.label, d.Arrival.Step)})
	}
	if l := move.Limit; l != nil && l.Counter != plan.AttemptCounter {
		d.Arrival.RetryLimitUsed, d.Arrival.SpentInRun = l.Counter, l.PerRun
	}
}

// reprompt renders the prompt that replaces the step's own in its next attempt.
func (m *Machine) reprompt(f *frame, p plan.Prompt, d *Decision) {
	r, err := p.Render(nextStepScope{m.scope(f), f.prog.byID[d.Arrival.Step].step})
	if err != nil {
		d.Arrival = Arrival{Kind: ToDocumentEnd, Result: plan.RunFailed, Message: err.Error()}
		return
	}
	d.Arrival.Prompt, d.Arrival.Origin, d.Notes = r.Text, r.Origin, r.Notes
}

// budgetKind returns what a budget is for.
func budgetKind(m *plan.Move) string {
	switch {
	case m.Repeat:
		return "repeat"
	case m.To.Caller, m.Prompt != nil: // the step is asked again, with what was wrong
		return "retry"
	}
	return verbs[m.Verb]
}

var verbs = map[plan.Verb]string{plan.Again: "retry", plan.Goto: "goto", plan.Fallback: "fallback"}

// budgetUse returns how much of a budget is used, and how much there is. The counter "attempt" counts
// attempts, so its budget is the number of repetitions.
func (m *Machine) budgetUse(f *frame, l *plan.Limit) (used, most int) {
	switch {
	case l.Counter == plan.AttemptCounter:
		used, most = f.currentVisit.attempt-1, l.Max-1
	case l.PerRun:
		used, most = m.spent[l.Counter], l.Max
	default:
		used, most = f.currentVisit.spent[l.Counter], l.Max
	}
	if f.currentVisit.exhausted {
		used = max(used, most)
	}
	return used, most
}

// arrival returns where a move leads from the frame's position.
func (m *Machine) arrival(f *frame, move *plan.Move) Arrival {
	switch move.Verb {
	case plan.Leave:
		return f.afterChildren(f.cur.parent)
	case plan.Again:
		return Arrival{Kind: ToStep, Step: f.cur.step.ID, SameVisit: true}
	case plan.Goto, plan.Fallback:
		return m.target(f, move)
	case plan.End:
		return Arrival{Kind: ToDocumentEnd, Result: move.Result, Message: m.render(move.Message, f), Code: move.Code}
	default:
		return f.afterStep(f.cur)
	}
}

// target resolves where a Goto leads: to a step, to the caller, or to the step that the outcome's
// data names.
func (m *Machine) target(f *frame, move *plan.Move) Arrival {
	a := Arrival{Kind: ToStep, Step: move.To.Step, Next: move.To.Next, SameVisitIfOwnStep: move.Keep}
	switch {
	case move.To.DataKey != "":
		a.Step, _ = f.outcome.Data[move.To.DataKey].(string)
	case move.To.Caller:
		a.Step = f.cur.step.ID
		if caller := f.callers[f.cur.step.ID]; caller != "" {
			a.Step = caller
		}
	}
	if f.prog.byID[a.Step] == nil {
		return Arrival{Kind: ToDocumentEnd, Result: plan.RunFailed, Message: fmt.Sprintf("there is no step %q to go to", a.Step)}
	}
	if move.Call {
		a.Caller = f.cur.step.ID
	}
	return a
}

// afterStep returns where Continue leads: to the next sibling, else to the routes of the parent, else
// to the end of the document.
func (f *frame) afterStep(n *node) Arrival {
	if n.next != nil {
		return Arrival{Kind: ToStep, Step: n.next.step.ID}
	}
	return f.afterChildren(n.parent)
}

// afterChildren returns where the run goes when a group's children have ended: to the group's own
// routes, or, outside all groups, to the document's end.
func (f *frame) afterChildren(group *node) Arrival {
	if group == nil {
		return Arrival{Kind: ToDocumentEnd, Result: plan.Completed}
	}
	return Arrival{Kind: ToGroupRoutes, Step: group.step.ID}
}

// destination returns the label to which an arrival leads, as Decision.To shows it.
func (f *frame) destination(a Arrival) string {
	switch a.Kind {
	case ToDocumentEnd:
		return ToEnd
	case ToGroupRoutes:
		return f.labelOf(f.prog.byID[a.Step], nil)
	default:
		l := f.newStepEntry(a)
		return l.label
	}
}
