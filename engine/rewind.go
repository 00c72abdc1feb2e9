package engine

import (
	"cmp"
	"errors"
	"fmt"

	"playhead/engine/machine"
	"playhead/engine/track"
)

// Rewind goes back to the state after an event, by its number. The event may be on a branch that
// the run no longer follows. The effects of what was done since remain. The run is then paused.
func (s *Session) Rewind(to int) error {
	return s.requestIntervention(func() (machine.Event, error) { return s.rewindEvent(to) })
}

// RerunFrom is like Rewind, but keeps the edits made since, and continues in a mode without pausing in
// between. It returns an error, after the rewind, if an edit is about a document that the run is
// not in at that event.
func (s *Session) RerunFrom(to int, mode Mode) error {
	var edits []machine.Event // with secrets, which watchers do not see
	return s.sendRequest(request{intervention: &intervention{
		makeEvent: func() (e machine.Event, err error) {
			e, edits, err = s.rerunEvent(to)
			return e, err
		},
		followUp: func() error {
			err := s.recordEditsAgain(edits)
			if err == nil && mode != PauseNext {
				s.stepper.setMode(mode, "", s.actingClient, s.machine)
			}
			return err
		},
	}})
}

// rerunEvent returns the event of a rewind that runs the step entered after the event with number to again, and the edits
// made since.
func (s *Session) rerunEvent(to int) (e machine.Event, edits []machine.Event, err error) {
	if e, err = s.rewindEvent(to); err != nil {
		return e, nil, err
	}
	e.Body.(*machine.RunRewound).Rerun = true
	isEntered := false
	for _, later := range machine.LiveBranch(s.journal) {
		if later.Seq <= to {
			continue
		}
		switch later.Body.(type) {
		case *machine.ActionEdited:
			edits = append(edits, later)
		case *machine.StepEntered:
			if !isEntered {
				e.Step, e.ExplicitStepID, isEntered = later.Step, later.ExplicitStepID, true
			}
		}
	}
	return e, edits, nil
}

// recordEditsAgain records edits that were made before the rewind. They are undone together with it.
func (s *Session) recordEditsAgain(edits []machine.Event) error {
	var lost error
	for _, old := range edits {
		e, err := s.machine.KeptEditEvent(old)
		if err != nil {
			lost = err
			continue
		}
		if err := s.record(e); err != nil {
			return err
		}
	}
	return lost
}

// Undo undoes the last action of a person. After a Rewind it returns to where the run was before.
func (s *Session) Undo() error {
	return s.requestIntervention(func() (machine.Event, error) {
		to := machine.UndoSeq(s.journal)
		if to == 0 {
			return machine.Event{}, NothingToDoError("undo")
		}
		e, err := s.rewindEvent(to)
		if err == nil {
			e.Body.(*machine.RunRewound).Undo = true
		}
		return e, err
	})
}

// Redo takes back the last Rewind or Undo, if nothing has been done since.
func (s *Session) Redo() error {
	to := 0 // determined when Redo is called, before what is running ends
	return s.requestIntervention(func() (machine.Event, error) {
		if to == 0 {
			to = machine.RedoSeq(s.journal)
		}
		if to == 0 {
			return machine.Event{}, NothingToDoError("redo")
		}
		e, err := s.rewindEvent(to)
		if err == nil {
			e.Body.(*machine.RunRewound).Redo = true
		}
		return e, err
	})
}

// NextUndo returns what Undo would do.
func (s *Session) NextUndo() (machine.UndoStep, error) {
	return s.nextUndoOrRedo("undo", machine.NextUndo)
}

// NextRedo returns what Redo would do.
func (s *Session) NextRedo() (machine.UndoStep, error) {
	return s.nextUndoOrRedo("redo", machine.NextRedo)
}

// NothingToDoError returns the error that there is nothing to undo or redo.
func NothingToDoError(word string) error { return errors.New("there is nothing to " + word) }

func (s *Session) nextUndoOrRedo(word string, find func([]machine.Event) *machine.UndoStep) (machine.UndoStep, error) {
	var found *machine.UndoStep
	err := s.sendRequest(request{do: func() error {
		if found = find(s.journal); found == nil {
			return NothingToDoError(word)
		}
		return nil
	}})
	if found == nil {
		return machine.UndoStep{}, cmp.Or(err, ErrClosed)
	}
	found.Event = s.config.Run.MaskEvent(found.Event)
	return *found, err
}

// checkRewindTarget returns an error unless the journal has an event with number to.
func (s *Session) checkRewindTarget(to int) error {
	if to < 1 || to > len(s.journal) {
		return fmt.Errorf("there is no event %d to rewind to", to)
	}
	return nil
}

// rewindEvent returns the event of a rewind. If to is the start of a call or command, the rewind
// goes to before it, because it must not run again unasked.
func (s *Session) rewindEvent(to int) (machine.Event, error) {
	if err := s.checkRewindTarget(to); err != nil {
		return machine.Event{}, err
	}
	chain := machine.BeforeStartedAction(machine.BranchTo(s.journal, to))
	step, id := machine.PositionAfter(chain)
	return machine.Event{Step: step, ExplicitStepID: id, By: machine.ByPerson, Body: &machine.RunRewound{ToSeq: chain[len(chain)-1].Seq}}, nil
}

// checkChangeAt returns why a change is impossible after an event.
func (s *Session) checkChangeAt(to int, c machine.WhatIfChange) error {
	m, err := s.stateAt(to)
	if err == nil {
		_, err = m.ChangeEvents(c)
	}
	return err
}

// followRewind folds the branch that a RunRewound leads to, and pauses the run there.
func (s *Session) followRewind() error {
	before := s.machine.Plan()
	if err := s.recomputeState(); err != nil {
		return err
	}
	s.updateStepIDs(before)
	s.stepper.pauseHere(s.actingClient)
	s.publishNewBranch()
	return nil
}

// publishNewBranch shows watchers another branch, with the event that led to it.
func (s *Session) publishNewBranch() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shownEvents = s.shownEvents[:0:0]
	s.supersededEffectCount = track.SupersededEffectCount(s.journal)
	for _, old := range machine.BranchWithRewinds(s.journal) {
		s.shownEvents = append(s.shownEvents, s.config.Run.MaskEvent(old))
	}
	s.watchers.Restart()
	s.setStatus(Status{State: Running})
}

// RewindAndChange goes back to the state after an event and makes a change there. This is one intervention,
// which is undone as one. The run is then paused.
func (s *Session) RewindAndChange(to int, c machine.WhatIfChange) error {
	return s.sendRequest(request{do: func() error {
		if s.job != nil {
			return errors.New("something is running: interrupt it first")
		}
		if err := s.checkRewindTarget(to); err != nil {
			return err
		}
		if err := s.checkSettable(c.Variable, c.Value); err != nil {
			return err
		}
		if err := s.checkChangeAt(to, c); err != nil {
			return err // the run stays where it is
		}
		at := s.journal[to-1]
		back := machine.Event{Step: at.Step, ExplicitStepID: at.ExplicitStepID, By: machine.ByPerson, Body: &machine.RunRewound{ToSeq: to, JoinsNextEvent: true}}
		if err := s.record(back); err != nil {
			return err
		}
		return s.makeChange(c)
	}})
}

// makeChange makes a change at the current event. A reply is accepted with all that belongs to it.
func (s *Session) makeChange(c machine.WhatIfChange) error {
	events, err := s.machine.ChangeEvents(c)
	if err != nil {
		return err
	}
	for _, e := range events {
		if _, replies := e.Body.(*machine.ActionFinished); replies && c.Reply != nil {
			err = s.acceptReply(machine.Answer{By: machine.ByPerson}, *c.Reply, true)
		} else {
			err = s.record(e)
		}
		if err != nil {
			return err
		}
	}
	return s.recordUpToDecision()
}

// recordUpToDecision records what follows from a change until the decision that it is about is next. Otherwise the
// run would be paused at the changed outcome with the decision of an earlier attempt.
func (s *Session) recordUpToDecision() error {
	for next := s.machine.Next().Event; next != nil; next = s.machine.Next().Event {
		switch next.Body.(type) {
		case *machine.ActionFinished, *machine.VariableCaptured, *machine.WarningRecorded, *machine.StepFinished:
		default:
			return nil
		}
		if err := s.record(*next); err != nil {
			return err
		}
	}
	return nil
}

// DecisionPreview tries a change on a copy of the run, and returns the decisions that follow, with secrets masked: the next
// one, and those of the groups and included documents that end with it, from the inside out. If the next of several included
// documents begins then, the StepEntered of its first step follows. Without an error there is at least one
// decision. With the zero WhatIfChange nothing is different.
type DecisionPreview func(machine.WhatIfChange) ([]machine.Event, error)

// DecisionPreviewAt returns a preview from the state after the event with number seq. That state
// includes secrets, which routes may compare and watchers do not see.
func (s *Session) DecisionPreviewAt(seq int) DecisionPreview {
	m, err := s.stateAt(seq)
	return func(c machine.WhatIfChange) ([]machine.Event, error) {
		if err != nil {
			return nil, err
		}
		decisions, err := m.WhatIfDecisions(c)
		for i, e := range decisions {
			decisions[i] = s.config.Run.MaskEvent(e)
		}
		return decisions, err
	}
}

// ReplyWarnings returns the warnings that a person's reply would cause, with secrets masked. It
// tries the reply on a copy of the run. There are none if the run does not wait for a reply.
func (s *Session) ReplyWarnings(reply string) []string {
	s.mu.Lock()
	n := len(s.journal)
	s.mu.Unlock()
	m, err := s.stateAt(n)
	if err != nil {
		return nil
	}
	out := m.ReplyWarnings(reply)
	for i := range out {
		out[i] = s.config.Run.MaskText(out[i])
	}
	return out
}

// stateAt returns the state of the run after an event.
func (s *Session) stateAt(seq int) (*machine.Machine, error) {
	s.mu.Lock()
	past := s.journal
	s.mu.Unlock()
	if seq < 1 || seq > len(past) {
		return nil, fmt.Errorf("there is no event %d", seq)
	}
	m := machine.New(s.config.FirstPlan, s.config.Options)
	for _, e := range machine.BranchTo(past, seq) {
		if err := m.Apply(e); err != nil {
			return nil, err
		}
	}
	return m, nil
}
