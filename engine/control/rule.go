package control

import (
	"fmt"
	"slices"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/rewrite"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// Rule returns the reference to the clause that an action's arguments name.
func (r Run) Rule(a Args) rewrite.ClauseRef {
	s := r.Step(a)
	return rewrite.ClauseRef{Document: s.Document(), Step: s.Step.ID, Clause: a.Clause}
}

// DecisionOf returns the number of the decision that an edit of a rule is about: the one in the
// arguments, else the one that the rule decided in the latest visit of its step. It is 0 if that visit
// has yet to decide.
func (r Run) DecisionOf(a Args) int {
	if a.Event > 0 {
		return a.Event
	}
	decider, _ := r.decider(a)
	if r.clause(a).IsOfDocument() {
		return 0
	}
	if n := r.Status.NextEvent; n != nil && r.Decides(a, *n) {
		return 0
	}
	for _, e := range slices.Backward(r.Events) {
		if r.Decides(a, e) {
			return e.Seq
		}
		if r.begins(decider, e) {
			break
		}
	}
	return 0
}

// Decides reports whether an event is a decision by the rule that an action's arguments name.
func (r Run) Decides(a Args, e machine.Event) bool {
	decider, isBranch := r.decider(a)
	d, decides := e.Body.(*machine.Decision)
	return decides && track.IsChoice(d) == isBranch && r.Track.Row(e.Step) == decider
}

// decider returns the step that decides by a rule. For the condition of a branch, this is its group.
func (r Run) decider(a Args) (decider *track.Row, isBranch bool) {
	decider = r.Step(a)
	if decider.Step.IsArm() && r.clause(a).Kind == "condition" {
		return decider.Parent, true
	}
	return decider, false
}

// clause returns the clause that an action's arguments name, an empty one if there is none.
func (r Run) clause(a Args) plan.Clause {
	s := r.Step(a)
	if all := s.Plan().Deciding(s.Step); a.Clause < len(all) {
		return all[a.Clause]
	}
	return plan.Clause{}
}

// NoDecision returns why a forecast for the rule that an action's arguments name has no decision of it,
// empty if it has one.
func (r Run) NoDecision(a Args, f *engine.Forecast) Sentence {
	switch _, decided := f.Decision.Body.(*machine.Decision); {
	case r.clause(a).Kind == plan.InputDeclaration:
		return "This run keeps the values of its inputs."
	case r.clause(a).Kind == plan.RunLimit:
		return "The limit counts the steps that have run."
	case f.AsksFirst:
		return Sentence(fmt.Sprintf("Step %s has begun. You are asked whether it runs again.", r.Step(a).Label))
	case f.To == 0 && !r.Decides(a, f.Decision):
		return Sentence(fmt.Sprintf("Step %s makes this decision later.", r.Step(a).Label))
	case !decided:
		return "The run does something else before this step decides."
	}
	return ""
}

// begins reports whether an event begins a visit of a step, or its work in a visit that continues.
func (r Run) begins(row *track.Row, e machine.Event) bool {
	switch b := e.Body.(type) {
	case *machine.ActionStarted:
		return r.Track.Row(e.Step) == row
	case *machine.Entered:
		opens := func(g machine.OpenedGroup) bool { return r.Track.Row(g.Step) == row }
		return r.Track.Row(e.Step) == row || slices.ContainsFunc(b.Opened, opens)
	}
	return false
}

// editRule changes the text of one of a step's rules and has the latest decision made again.
func editRule(s Session, r Run, a Args) error {
	o, err := s.Amend(r.Rule(a), a.Text)
	if err != nil {
		return err
	}
	return s.ReloadAt(o, r.DecisionOf(a), engine.ReloadChoice{Allow: a.Allow, Reason: a.Reason})
}

// editRuleEffect returns what an edit of a rule rewinds.
func editRuleEffect(r Run, a Args) Effect {
	e := r.endRunningEffect(fmt.Sprintf("Change a rule of step %s?", r.Step(a).Label))
	ended := e.Text
	e.Text = "The run continues with the changed document."
	if seq := r.DecisionOf(a); seq > 0 {
		e.StaysDone = r.staysDone(max(0, r.eventIndex(seq)))
		e.Confirm = e.Confirm || len(e.StaysDone) > 0
		e.Text = "The run rewinds to just before this decision, makes it and pauses." + nothingDone(e.StaysDone)
	}
	if ended != "" {
		e.Text = ended + " " + e.Text
	}
	return e
}
