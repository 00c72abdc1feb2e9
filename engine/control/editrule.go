package control

import (
	"fmt"
	"slices"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/rewrite"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// RuleRef returns the reference to the rule that an action's arguments name.
func (r RunView) RuleRef(a Args) rewrite.RuleRef {
	s := r.ArgumentRow(a)
	return rewrite.RuleRef{Document: s.DocumentFile(), StepID: s.Step.ID, RuleIndex: a.RuleIndex}
}

// DecisionSeq returns the number of the decision that an edit of a rule is about: the one in the
// arguments, else the one that the rule decided in the newest attempt of its step. It is 0 if that attempt
// has yet to decide.
func (r RunView) DecisionSeq(a Args) int {
	if a.EventSeq > 0 {
		return a.EventSeq
	}
	decider, _ := r.decidingRow(a)
	if r.ruleOf(a).IsOfDocument() {
		return 0
	}
	if n := r.Status.NextEvent; n != nil && r.IsDecisionByRule(a, *n) {
		return 0
	}
	for _, e := range slices.Backward(r.Events) {
		if r.IsDecisionByRule(a, e) {
			return e.Seq
		}
		if r.eventBeginsWork(decider, e) {
			break
		}
	}
	return 0
}

// IsDecisionByRule reports whether an event is a decision by the rule that an action's arguments name.
func (r RunView) IsDecisionByRule(a Args, e machine.Event) bool {
	decider, isBranch := r.decidingRow(a)
	d, decides := e.Body.(*machine.Decision)
	return decides && d.IsArmChoice() == isBranch && r.Track.RowOfEvent(e) == decider && (!isBranch || isCandidate(r.ArgumentRow(a), d))
}

// isCandidate reports whether a decision chose between a branch and others. A step may have several such blocks. If the
// decision was made by another version of the document, the branch had the same condition, perhaps on another line.
func isCandidate(arm *track.Row, d *machine.Decision) bool {
	return slices.ContainsFunc(d.Candidates, func(c machine.Candidate) bool {
		isAnotherArm := slices.ContainsFunc(arm.Parent.Children, func(other *track.Row) bool {
			return other != arm && other.Step != nil && other.Step.Span.Line == c.Line
		})
		return c.Line == arm.Step.Span.Line || c.Text == arm.Step.ArmText() && !isAnotherArm
	})
}

// decidingRow returns the step that decides by a rule. For the condition of a branch, this is its group.
func (r RunView) decidingRow(a Args) (decider *track.Row, isBranch bool) {
	decider = r.ArgumentRow(a)
	if decider.Step.IsArm() && r.ruleOf(a).Kind == "condition" {
		return decider.Parent, true
	}
	return decider, false
}

// ruleOf returns the rule that an action's arguments name, an empty one if there is none.
func (r RunView) ruleOf(a Args) plan.Rule {
	s := r.ArgumentRow(a)
	if all := s.Plan().RulesOf(s.Step); a.RuleIndex < len(all) {
		return all[a.RuleIndex]
	}
	return plan.Rule{}
}

// NoDecisionReason returns why a forecast contains no decision by the rule that an action's arguments name,
// "" if it contains one.
func (r RunView) NoDecisionReason(a Args, f *engine.ReloadForecast) Sentence {
	switch _, decided := f.DecisionEvent.Body.(*machine.Decision); {
	case r.ruleOf(a).Kind == plan.InputDeclarationKind:
		return "This run keeps its input values; only new runs use the change."
	case r.ruleOf(a).Kind == plan.RunLimitKind:
		return "Steps that have already run count toward the limit."
	case f.AsksToRerun:
		return Sentencef("Step %s has already started. You will be asked whether to run it again.", r.ArgumentRow(a).Label)
	case f.KeepsReport:
		return Sentencef("Step %s keeps the outcome that it reported. You will be asked whether to accept it.", r.ArgumentRow(a).Label)
	case f.RewindTo == 0 && !r.IsDecisionByRule(a, f.DecisionEvent):
		return Sentencef("Step %s makes this decision later.", r.ArgumentRow(a).Label)
	case !decided:
		return "The run has more to do before this step decides."
	}
	return ""
}

// ReroutedDecisionText says where an earlier decision of the run would have led with an edit.
func (r RunView) ReroutedDecisionText(d engine.ReroutedDecision) string {
	visit := r.Track.VisitText(d.Step, d.Seq)
	if d.To == nil {
		return fmt.Sprintf("At %s, the run took → %s. With this edit, the step would not have decided yet.", visit, wording.DestinationText(d.From))
	}
	return fmt.Sprintf("At %s, the run took → %s. With this edit, it would have taken → %s.", visit, wording.DestinationText(d.From), wording.DestinationText(d.To))
}

// eventBeginsWork reports whether an event begins an attempt of a step or starts one of its actions.
func (r RunView) eventBeginsWork(row *track.Row, e machine.Event) bool {
	switch b := e.Body.(type) {
	case *machine.ActionStarted:
		return r.Track.RowOfEvent(e) == row
	case *machine.StepEntered:
		opens := func(g machine.OpenedGroup) bool { return r.Track.RowByLabel(g.Label) == row }
		return r.Track.RowOfEvent(e) == row || slices.ContainsFunc(b.OpenedGroups, opens)
	}
	return false
}

// editRule changes the text of one of a step's rules and has the latest decision made again.
func editRule(s Session, r RunView, a Args) error {
	o, err := s.EditRule(r.RuleRef(a), a.Text)
	if err != nil {
		return err
	}
	return s.ReloadAt(o, r.DecisionSeq(a), engine.ReloadChoice{AllowCommands: a.AllowsCommands, Note: a.Note})
}

func resultOfEditRule(r RunView, _ Args) Sentence {
	return "The rule is changed in this run." + r.writeBackHint("it")
}

// editRuleEffect returns what an edit of a rule rewinds.
func editRuleEffect(r RunView, a Args) Effect {
	e := r.interruptEffect(fmt.Sprintf("Change a rule of step %s?", r.ArgumentRow(a).Label))
	ended := e.Text
	e.Text = "The run continues with the changed document."
	if seq := r.DecisionSeq(a); seq > 0 {
		e.EffectsNotUndone = r.sideEffectsFrom(max(0, r.eventIndex(seq)))
		e.NeedsConfirmation = e.NeedsConfirmation || len(e.EffectsNotUndone) > 0
		e.Text = "The run rewinds to just before this decision, makes it again and pauses." + noSideEffectsText(e.EffectsNotUndone, "since this decision")
	}
	if ended != "" {
		e.Text = ended + " " + e.Text
	}
	return e
}
