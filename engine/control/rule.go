package control

import (
	"fmt"
	"slices"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/rewrite"
	"playhead/engine/track"
)

// Rule returns the reference to the clause that an action's arguments name.
func (r Run) Rule(a Args) rewrite.ClauseRef {
	s := r.Step(a)
	return rewrite.ClauseRef{Document: s.Document(), Step: s.Step.ID, Clause: a.Clause}
}

// DecisionOf returns the number of the decision that an edit of a rule is about: the one in the
// arguments, else the latest of the step, 0 if it has made none.
func (r Run) DecisionOf(a Args) int {
	if a.Event > 0 {
		return a.Event
	}
	decider := r.Step(a)
	rules := decider.Step.Deciding()
	isBranch := decider.Step.IsArm() && a.Clause < len(rules) && rules[a.Clause].Kind == "condition"
	if isBranch { // the group of a branch makes its decision
		decider = decider.Parent
	}
	for _, e := range slices.Backward(r.Events) {
		if d, decides := e.Body.(*machine.Decision); decides && track.IsChoice(d) == isBranch && r.Track.Row(e.Step) == decider {
			return e.Seq
		}
	}
	return 0
}

// editRule changes the text of one of a step's rules and has the latest decision made again.
func editRule(s Session, r Run, a Args) error {
	o, err := s.Amend(r.Rule(a), a.Text)
	if err != nil {
		return err
	}
	c := engine.ReloadChoice{Allow: a.Allow, Reason: a.Reason}
	if seq := r.DecisionOf(a); seq > 0 {
		return s.ReloadAt(o, seq, c)
	}
	return s.Reload(o, c)
}

// editRuleEffect returns what an edit of a rule rewinds.
func editRuleEffect(r Run, a Args) Effect {
	e := Effect{Title: fmt.Sprintf("Change a rule of step %s?", r.Step(a).Label)}
	if seq := r.DecisionOf(a); seq > 0 {
		e.StaysDone = r.staysDone(max(0, r.index(seq)))
		e.Confirm = len(e.StaysDone) > 0
		e.Text = "The run rewinds to just before this decision and makes it again." + nothingDone(e.StaysDone)
	}
	return e
}
