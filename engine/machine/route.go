package machine

import (
	"cmp"
	"fmt"

	"playhead/parse/plan"
)

// finishStep returns the event with the outcome of the current step, or of the group that joins its children.
func (m *Machine) finishStep(f *documentFrame) Next {
	o := m.joinedOutcome(f)
	body := StepFinished{Result: stepResult(o), Outcome: o, Overridden: o.Overridden}
	if body.Result == plan.Failed {
		body.Error = o.Reason
	}
	return nextEventWithBody(f.newEvent(nil), body)
}

// stepResult returns how a step with this outcome ended. An error counts as failed.
func stepResult(o *plan.Outcome) plan.Result {
	if o.Result == plan.Errored {
		return plan.Failed
	}
	return o.Result
}

// joinedOutcome returns the outcome so far, with the results of children joined. If no child's result
// counts, the step's own outcome stands. Without one, a choice is skipped and a group joins no
// results.
func (m *Machine) joinedOutcome(f *documentFrame) *plan.Outcome {
	if f.phase == phaseFinishing && len(f.currentVisit.childResults) > 0 {
		return joinResults(f.currentNode.step.Join, f.currentVisit.childResults)
	}
	switch {
	case f.outcome.Result != "":
		return f.outcome
	case f.phase == phaseFinishing && f.currentNode.children[0].step.IsArm():
		return &plan.Outcome{Result: plan.Skipped, UntakenBranches: m.untakenArmReasons(f)}
	case f.phase == phaseFinishing:
		return joinResults(f.currentNode.step.Join, nil)
	default:
		return &plan.Outcome{Result: plan.Passed}
	}
}

// untakenArmReasons returns what was compared for the arms of a choice of which none was taken.
func (m *Machine) untakenArmReasons(f *documentFrame) []plan.Reason {
	var out []plan.Reason
	for _, arm := range f.currentNode.step.Children {
		if arm.ArmTest != nil {
			r := plan.Reason{Evaluated: true}
			m.scope(f).evaluate(arm.ArmTest, &r)
			out = append(out, r)
		}
	}
	return out
}

// chooseRoute tests the routes of the current step and takes the first that matches.
func (m *Machine) chooseRoute(f *documentFrame) Next {
	o := f.outcome
	p := &eventWithBody[Decision]{event: f.newEvent(nil)}
	d := &p.body
	p.event.Body, d.Outcome, d.Candidates = d, o, make([]Candidate, 0, len(f.currentNode.step.Routes))
	if len(o.ChildResults) > 0 {
		d.JoinMode = joinModeNames[f.currentNode.step.Join]
	}
	reasons := make([]plan.Reason, len(f.currentNode.step.Routes))
	for i := range f.currentNode.step.Routes {
		r := &f.currentNode.step.Routes[i]
		c := Candidate{Line: r.Do.Span.Line, Text: r.Do.SourceText, Implicit: r.Do.Implicit, Reason: &reasons[i]}
		c.Matched = m.matchRoute(f, r, d, c.Reason)
		if c.Matched && d.CandidateIndex == nil {
			d.CandidateIndex = intPointer(i)
			m.takeMove(f, &r.Do, &c, d)
		}
		d.Candidates = append(d.Candidates, c)
	}
	switch {
	case d.CandidateIndex != nil:
	case o.Result == plan.Skipped:
		d.Destination = f.destinationAfterStep(f.currentNode)
	default:
		d.Destination = Destination{Kind: ToDocumentEnd, Result: plan.RunFailed, Message: "no route matches"}
	}
	if g := f.currentNode.parent; g != nil && o.Result != plan.Skipped && !d.Destination.SameVisit {
		d.Destination.RecordingGroup = f.labelOf(g, nil)
	}
	d.To = f.destinationLabel(d.Destination)
	return Next{Event: &p.event}
}

// joinModeNames are the names of the rules by which results are joined.
var joinModeNames = map[plan.Join]string{plan.JoinAll: "all", plan.JoinAny: "any"}

// sharedInts are shared by decisions, so that small indexes need no allocation.
var sharedInts = [...]int{0, 1, 2, 3, 4, 5, 6, 7}

func intPointer(i int) *int {
	if i < len(sharedInts) {
		return &sharedInts[i]
	}
	n := i
	return &n
}

// matchRoute tests one route and records what was compared.
func (m *Machine) matchRoute(f *documentFrame, r *plan.Route, d *Decision, data *plan.Reason) bool {
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
	ok := r.When.MatchesOutcome(d.Outcome, d.CandidateIndex != nil)
	if data.IsValueTested = ok && r.When.Test != nil; data.IsValueTested {
		data.IsJSON = false
		return m.scope(f).evaluate(r.When.Test, data)
	}
	return ok
}

// takeMove follows the chain of budgets to the move that is made.
func (m *Machine) takeMove(f *documentFrame, move *plan.Move, c *Candidate, d *Decision) {
	first := move
	for move.Limit != nil {
		used, most := m.budgetUse(f, move.Limit)
		lasts := move.Limit.Max == 0 || used < most || move.AfterLimit == nil
		if c.Reason.Used != nil {
			c.Reason.ExhaustedBudgets = append(c.Reason.ExhaustedBudgets, c.Reason.Budget)
		}
		b := plan.Budget{Kind: budgetKind(move), MinOrMax: move.MinOrMax}
		if most > 0 {
			b.Limit = intPointer(most)
			used = min(used, most) // attempts that a person made do not count
		}
		b.Used = intPointer(used)
		if !lasts {
			b.MoveAfterLimit = move.AfterLimit.SourceText
		}
		if c.Reason.Budget = b; lasts {
			break
		}
		move = move.AfterLimit
		c.UsedBudgetCount++
	}
	d.Destination = m.moveDestination(f, move)
	if move.NextVisitPrompt != nil && d.Destination.Kind == ToStep {
		m.renderPromptFromRoute(f, move.NextVisitPrompt, d)
	}
	if move.TextNamesTarget {
		c.Reason.MoveText = move.SourceText
	}
	if c.UsedBudgetCount > 0 && (move.TextNamesTarget || first.IsRepeat) { // the route's own text is that of its first move
		c.Text, c.Line, c.Implicit = move.SourceText, move.Span.Line, move.Implicit
	}
	if move.Verb == plan.Fallback {
		d.Warnings = append(d.Warnings, plan.RunWarning{Code: move.DiagnosticCode, Message: fmt.Sprintf("%s falls back to %s", f.currentLabel, d.Destination.StepID)})
	}
	if l := move.Limit; l != nil && l.Counter != plan.AttemptCounter {
		d.Destination.SpentBudget, d.Destination.BudgetIsPerRun = l.Counter, l.PerRun
	}
}

// renderPromptFromRoute renders the prompt that replaces the step's own in its next attempt.
func (m *Machine) renderPromptFromRoute(f *documentFrame, p plan.Prompt, d *Decision) {
	r, err := p.Render(nextStepScope{m.scope(f), f.graph.byID[d.Destination.StepID].step})
	if err != nil {
		d.Destination = Destination{Kind: ToDocumentEnd, Result: plan.RunFailed, Message: err.Error()}
		return
	}
	d.Destination.PromptFromRoute, d.Destination.PromptOrigin, d.Warnings = r.Text, r.Origin, r.Warnings
}

// RepeatBudget is the kind of a budget that counts iterations.
const RepeatBudget = "repeat"

// budgetKind returns what a budget is for.
func budgetKind(m *plan.Move) string {
	switch {
	case m.IsRepeat:
		return RepeatBudget
	case m.To.IsCaller, m.NextVisitPrompt != nil: // the step is asked again, with what was wrong
		return "retry"
	}
	return budgetKindByVerb[m.Verb]
}

var budgetKindByVerb = map[plan.Verb]string{plan.RunAgain: "retry", plan.Goto: "goto", plan.Fallback: "fallback"}

// budgetUse returns how much of a budget is used, and how much there is. The counter "attempt" counts
// attempts, so its budget is the number of repetitions.
func (m *Machine) budgetUse(f *documentFrame, l *plan.Limit) (used, most int) {
	switch {
	case l.Counter == plan.AttemptCounter:
		used, most = f.currentVisit.attempt-1, l.Max-1
	case l.PerRun:
		used, most = m.budgetsSpentInRun[l.Counter], l.Max
	default:
		used, most = f.currentVisit.spentBudgets[l.Counter], l.Max
	}
	if f.currentVisit.limitsUsed {
		used = max(used, most)
	}
	return used, most
}

// moveDestination returns where a move leads from the frame's position.
func (m *Machine) moveDestination(f *documentFrame, move *plan.Move) Destination {
	switch move.Verb {
	case plan.LeaveGroup:
		return f.destinationAfterChildren(f.currentNode.parent)
	case plan.RunAgain:
		return Destination{Kind: ToStep, StepID: f.currentNode.step.ID, SameVisit: true}
	case plan.Goto, plan.Fallback:
		return m.gotoDestination(f, move)
	case plan.EndDocument:
		return Destination{Kind: ToDocumentEnd, Result: move.Result, Message: m.render(move.Message, f), ErrorCode: move.DiagnosticCode}
	default:
		return f.destinationAfterStep(f.currentNode)
	}
}

// gotoDestination resolves where a Goto leads: to a step, to the caller, or to the step that the outcome's
// data names.
func (m *Machine) gotoDestination(f *documentFrame, move *plan.Move) Destination {
	to := Destination{Kind: ToStep, StepID: move.To.Step, ToNextInstance: move.To.IsNextInstance, SameVisitIfOwnStep: move.KeepsVisit}
	switch {
	case move.To.OutcomeDataKey != "":
		to.StepID, _ = f.outcome.Data[move.To.OutcomeDataKey].(string)
	case move.To.IsCaller:
		to.StepID = f.currentNode.step.ID
		if caller := f.callerByStep[f.currentNode.step.ID]; caller != "" {
			to.StepID = caller
		}
	}
	if f.graph.byID[to.StepID] == nil {
		return Destination{Kind: ToDocumentEnd, Result: plan.RunFailed, Message: fmt.Sprintf("there is no step %q to go to", to.StepID)}
	}
	if move.RemembersCaller {
		to.CallerStepID = f.currentNode.step.ID
	}
	return to
}

// destinationAfterStep returns where Continue leads: to the next sibling, else to the routes of the parent, else
// to the end of the document.
func (f *documentFrame) destinationAfterStep(n *node) Destination {
	if next := n.step.NextAmong(n.laterSiblings); next != nil {
		return Destination{Kind: ToStep, StepID: next.ID}
	}
	return f.destinationAfterChildren(n.parent)
}

// destinationAfterChildren returns where the run goes when a group's children have ended: to the group's own
// routes, or, outside all groups, to the document's end.
func (f *documentFrame) destinationAfterChildren(group *node) Destination {
	if group == nil {
		return Destination{Kind: ToDocumentEnd, Result: plan.Completed}
	}
	return Destination{Kind: ToGroupRoutes, StepID: group.step.ID}
}

// destinationLabel returns the label to which a destination leads, as Decision.To shows it.
func (f *documentFrame) destinationLabel(to Destination) string {
	switch to.Kind {
	case ToDocumentEnd:
		return EndLabel
	case ToGroupRoutes:
		return f.labelOf(f.graph.byID[to.StepID], nil)
	default:
		return f.newStepEntry(to).label
	}
}
