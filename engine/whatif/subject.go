package whatif

import (
	"slices"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/engine/wording"
)

// DecisionSubject is a step of a run with the decisions that the why pane and what-if show for it: its own, the choices
// between arms, and the decision that led to it.
type DecisionSubject struct {
	Row               *track.Row     // nil: no step is selected
	NextEvent         *machine.Event // the next event of a paused run, else nil
	PrecedingRow      *track.Row     // the row whose decision led to Row; nil if Row has decided since
	PrecedingDecision *machine.Decision
}

// DecisionSubjectOf returns the DecisionSubject of a row, which may be nil. status is the zero Status if the track shows an earlier
// moment of the run.
func DecisionSubjectOf(t *track.Track, status engine.Status, r *track.Row) DecisionSubject {
	s := DecisionSubject{Row: r}
	if status.State == engine.Paused {
		s.NextEvent = status.NextEvent
	}
	switch decided := t.DecidedRow; {
	case r == nil:
	case s.NextEvent != nil && s.NextEvent.Step == r.Label && !r.IsPhase() && decided != nil && decided != r:
		s.PrecedingRow, s.PrecedingDecision = decided, decided.Decision
	case r.Status.IsOpen() && r.EnteredFrom != r:
		s.PrecedingRow, s.PrecedingDecision = r.EnteredFrom, r.EntryDecision
	}
	return s
}

// OwnDecision returns the row's own decision: the one that it is about to make (isNext), else its last one.
func (s DecisionSubject) OwnDecision() (d *machine.Decision, isNext bool) {
	if s.Row == nil {
		return nil, false
	}
	if s.NextEvent != nil && s.NextEvent.Step == s.Row.Label {
		if d, ok := s.NextEvent.Body.(*machine.Decision); ok {
			return d, true
		}
	}
	return s.Row.Decision, false
}

// IsLeftUndecided reports whether the row is a group that the run left, or ended in, before the group's routes were
// evaluated.
func (s DecisionSubject) IsLeftUndecided() bool {
	return s.Row != nil && s.Row.Step != nil && s.Row.EndedBeforeRoutes()
}

// ArmChoice is a decision between arms, and the row that has them.
type ArmChoice struct {
	Row      *track.Row
	Decision *machine.Decision
}

// armDecision returns the decision about the arm that the row is or is in, nil if there is none. A later visit that
// chose another arm says nothing about a row that the run has been at.
func (s DecisionSubject) armDecision() *machine.Decision {
	d, chosen := s.Row.ArmDecision()
	if !chosen && !s.Row.IsInUntakenArm() {
		return nil
	}
	return d
}

// ArmChoices returns the choice of the arm that the row is or is in, then the choices of the row itself, without d.
func (s DecisionSubject) ArmChoices(d *machine.Decision) []ArmChoice {
	var out []ArmChoice
	if above := s.armDecision(); above != nil && above != d {
		out = append(out, ArmChoice{RowOfArmChoice(s.Row, above), above})
	}
	for _, c := range s.Row.ArmChoices {
		if c != d {
			out = append(out, ArmChoice{s.Row, c})
		}
	}
	return out
}

// RowOfArmChoice returns the row at which d chose an arm: r or a row around it, nil if there is none.
func RowOfArmChoice(r *track.Row, d *machine.Decision) *track.Row {
	for ; r != nil; r = r.Parent {
		if slices.Contains(r.ArmChoices, d) {
			return r
		}
	}
	return nil
}

// ShownDecision returns the decision that comes first: the choice of an arm if the row is one or has
// some, else its own, else the one that led to it. It returns nil if there is none.
func (s DecisionSubject) ShownDecision() *machine.Decision {
	if s.Row == nil {
		return nil
	}
	own, isNext := s.OwnDecision()
	choice := s.armDecision()
	isArm := s.Row.Step != nil && s.Row.Step.IsArm()
	switch {
	case choice != nil && (isArm || s.Row.IsInUntakenArm()):
		return choice
	case isNext && own.IsArmChoice():
		return own
	case len(s.Row.ArmChoices) > 0:
		return s.Row.ArmChoices[len(s.Row.ArmChoices)-1]
	case own != nil:
		return own
	case s.IsLeftUndecided():
		return wording.LeavingDecision(s.Row)
	}
	return s.PrecedingDecision
}

// WhatIfDecision returns the decision that what-if asks about: the shown one, or for a phase or an included document
// the newest decision below it. It returns nil if the open question decides the row, and the shown decision was made
// in an earlier attempt, by a person, or before a person accepts the outcome.
func (s DecisionSubject) WhatIfDecision(run *control.RunView) *machine.Decision {
	if s.Row == nil {
		return nil
	}
	if s.Row.Step == nil {
		if d := s.Row.NewestDecisionBelow(); d != nil {
			return d
		}
	}
	d := s.ShownDecision()
	if dependsOnAnswer(run, s.Row.Label) && (!isOfNewestAttempt(s.Row, d) || d.ByPerson || run.Status.Question.Kind == machine.KindAcceptOutcome) {
		return nil
	}
	return d
}

// isOfNewestAttempt reports whether a decision was made in the newest attempt of a row.
func isOfNewestAttempt(r *track.Row, d *machine.Decision) bool {
	attempt := r.NewestStepAttempt()
	return d != nil && attempt != nil && slices.ContainsFunc(attempt.Events, func(e machine.Event) bool { return e.Body == machine.Body(d) })
}

// MomentOfRow returns the moment of the decision that what-if asks about at a row, false if there is none.
func MomentOfRow(run *control.RunView, r *track.Row) (DecisionMoment, bool) {
	return MomentOfDecision(run, r, DecisionSubjectOf(run.Track, run.Status, r).WhatIfDecision(run))
}

// MomentOfDecision returns the moment of a decision that shows at a row. For a person's decision it returns that of
// the step's last decision before it that no person made. Without a decision it returns the moment of the open question if the
// row, or one around it, has not ended and is asked. It returns false if there is none.
func MomentOfDecision(run *control.RunView, r *track.Row, d *machine.Decision) (DecisionMoment, bool) {
	if d == nil {
		m, ok := MomentAtQuestion(run)
		return m, ok && isOpenInOrAround(r, m.StepLabel)
	}
	m, ok := momentThatDecided(run, d)
	if ok && d.ByPerson {
		return m.previousMomentNotByPerson()
	}
	return m, ok
}

// isOpenInOrAround reports whether the row with a label is r or around r, and the run is in it.
func isOpenInOrAround(r *track.Row, label string) bool {
	for ; r != nil; r = r.Parent {
		if r.Label == label {
			return r.Status.IsOpen()
		}
	}
	return false
}

// CurrentMoment returns the moment that what-if asks about if no step is named: at the step where the run is, after its
// end at the step that the end's first sentence is about, else that of the newest decision that was not made by a person.
// It returns false if there is none.
func CurrentMoment(run *control.RunView) (DecisionMoment, bool) {
	if row := run.PositionRow(); row != nil && run.Status.State != engine.Over {
		if m, ok := MomentOfRow(run, row); ok {
			return m, true
		}
	}
	if n := wording.HeadlineNotice(run.Track, wording.Notices(run.Track)); n != nil && !n.IsNotReached {
		if m, ok := MomentOfRow(run, n.Row); ok {
			return m, true
		}
	}
	for _, e := range slices.Backward(run.Events) {
		if d, is := e.Body.(*machine.Decision); is && !d.ByPerson {
			return momentThatDecided(run, d)
		}
	}
	return DecisionMoment{}, false
}

// DecisionAtEvent returns the decision that what-if asks about at the i-th event: the event itself, else the one
// with which its attempt of a step ended, else the newest one before it. The entry of a step belongs to the decision
// that led there. At the newest event the decision that is about to be
// made counts too. It returns nil if there is none, or if the event belongs to an attempt whose next decision
// depends on the answer to the open question.
func DecisionAtEvent(run *control.RunView, i int) *machine.Decision {
	if isEventOfAttemptAtQuestion(run, i) {
		return nil
	}
	if d, is := run.Events[i].Body.(*machine.Decision); is {
		return d
	}
	if d := decisionThatFollowed(run, i); d != nil {
		return d
	}
	if next := run.Status.NextEvent; next != nil && i == len(run.Events)-1 {
		if d, is := next.Body.(*machine.Decision); is {
			return d
		}
	}
	for _, e := range slices.Backward(run.Events[:i]) {
		if d, is := e.Body.(*machine.Decision); is {
			return d
		}
	}
	return nil
}

// decisionThatFollowed returns the decision with which the step went on from the i-th event, nil if there is none, if
// the event is the entry of the step, or if a person decided.
func decisionThatFollowed(run *control.RunView, i int) *machine.Decision {
	if _, enters := run.Events[i].Body.(*machine.StepEntered); enters || run.Events[i].Step == "" {
		return nil
	}
	following := run.Events[i+1:]
	if next := run.Status.NextEvent; next != nil {
		following = append(slices.Clip(following), *next)
	}
	for _, e := range following {
		if e.Step != run.Events[i].Step {
			continue
		}
		switch b := e.Body.(type) {
		case *machine.StepEntered:
			return nil
		case *machine.Decision:
			if b.ByPerson {
				return nil
			}
			return b
		}
	}
	return nil
}

// isEventOfAttemptAtQuestion reports whether the i-th event belongs to an attempt whose next decision depends on
// the answer to the open question.
func isEventOfAttemptAtQuestion(run *control.RunView, i int) bool {
	step := run.Events[i].Step
	return dependsOnAnswer(run, step) && !slices.ContainsFunc(run.Events[i+1:], func(e machine.Event) bool {
		_, enters := e.Body.(*machine.StepEntered)
		return enters && e.Step == step
	})
}

// dependsOnAnswer reports whether the next decision of a step depends on the answer to the open question.
func dependsOnAnswer(run *control.RunView, step string) bool {
	m, ok := MomentAtQuestion(run)
	return ok && m.StepLabel == step
}
