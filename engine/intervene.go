package engine

import (
	"errors"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// intervention makes an event once nothing runs any more.
type intervention struct {
	event func() (machine.Event, error)
	enter bool         // a unit that is about to be entered is entered first
	then  func() error // what follows it at once; nil: nothing
}

func (s *Session) intervene(i intervention) error {
	if i.enter && s.m.Arriving() {
		if next := s.m.Next().Event; next != nil {
			if _, unit := next.Body.(*machine.Entered); unit {
				if err := s.record(*next); err != nil {
					return err
				}
			}
		}
	}
	e, err := i.event()
	if err == nil {
		err = s.record(e)
	}
	s.unfreezeGate(e, err)
	if err != nil || i.then == nil {
		return err
	}
	return i.then()
}

// unfreezeGate makes a run that is paused in a step pause before the next one: what a person
// does there leads on to it.
func (s *Session) unfreezeGate(e machine.Event, failed error) {
	if _, back := e.Body.(*machine.Rewound); failed == nil && !back && s.gate.isFrozen {
		s.gate.open(Hold, "", s.m)
	}
}

// Retry runs the last unit again: the same visit, one more attempt. Like all
// interventions it is recorded with its reason, cancels what runs, and reopens a
// run that has ended.
func (s *Session) Retry(reason string) error {
	return s.act(false, func() (machine.Event, error) { return s.m.Again(reason) })
}

// Skip goes on without an outcome: nothing is recorded for the unit.
func (s *Session) Skip(reason string) error { return s.Force(plan.Skipped, reason) }

// Force sets the outcome of the unit, whatever it came to by itself. One that passes
// takes the values of Status.Withheld, some of them as they are given here.
func (s *Session) Force(r plan.Result, reason string, instead ...plan.Assignment) error {
	return s.act(true, func() (machine.Event, error) { return s.m.Force(r, reason, instead...) })
}

// Override sets the outcome of the unit that the run has come from anew, as long as the
// next has not been entered. A run that is held there is held before the one it leads to now.
func (s *Session) Override(r plan.Result, reason string, instead ...plan.Assignment) error {
	event := func() (machine.Event, error) {
		if s.m.Result() == nil && !s.m.Arriving() {
			return machine.Event{}, errors.New("the next step has begun, so the outcome before it stays")
		}
		return s.m.Force(r, reason, instead...)
	}
	then := func() error {
		if s.gate.isPaused {
			s.gate.open(Hold, "", s.m)
		}
		return nil
	}
	return s.ask(request{act: &intervention{event: event, then: then}})
}

// Jump goes to a step by its id; /id is the root document's.
func (s *Session) Jump(target, reason string) error {
	return s.act(false, func() (machine.Event, error) { return s.m.Jump(target, reason) })
}

// End ends the run as completed, stopped or cancelled.
func (s *Session) End(r plan.RunResult, message string) error {
	return s.act(false, func() (machine.Event, error) { return s.m.End(r, message, machine.ByPerson) })
}

func (s *Session) act(enter bool, event func() (machine.Event, error)) error {
	return s.ask(request{act: &intervention{event: event, enter: enter}})
}
