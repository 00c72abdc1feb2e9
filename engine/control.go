package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"playhead/engine/logs"
	"playhead/engine/machine"
	"playhead/parse/plan"
)

// Go goes on in a mode; to is the step to run to, by id or label, "" for none.
func (s *Session) Go(mode Mode, to string) error {
	return s.ask(request{do: func() error {
		s.gate.open(mode, to, s.m)
		s.mu.Lock()
		defer s.mu.Unlock()
		if mode != Hold && s.status.State == Paused { // it is no longer, for whoever looks before it has gone on
			s.set(Status{State: Running})
		}
		return nil
	}})
}

// Pause holds before the next unit; what runs goes on to its end.
func (s *Session) Pause() error { return s.Go(Hold, "") }

// Break sets the breakpoints, all of them.
func (s *Session) Break(all []Breakpoint) error {
	return s.ask(request{do: func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.gate.breaks = all
		s.set(s.status)
		return nil
	}})
}

// Set gives a variable a value, as a person's word.
func (s *Session) Set(name string, value any) error {
	return s.ask(request{do: func() error { return s.setValue(name, value) }})
}

func (s *Session) setValue(name string, value any) error {
	if err := s.checkSettable(name, plan.TextOf(value)); err != nil {
		return err
	}
	e, err := s.m.Set(name, value)
	if err != nil {
		return err
	}
	return s.record(e)
}

// Edit puts a text in the place of what an action of a step says, for this run; the
// empty text takes that back. What runs is not touched.
func (s *Session) Edit(step string, action int, text string) error {
	return s.ask(request{do: func() error {
		if err := s.checkUnmasked(text); err != nil {
			return err
		}
		e, err := s.m.Edit(step, action, text)
		if err != nil {
			return err
		}
		return s.record(e)
	}})
}

// checkSettable refuses to set a secret, since neither screen nor journal could mask the new value,
// and a value that contains the mask.
func (s *Session) checkSettable(name, value string) error {
	if slices.Contains(s.cfg.Options.Secrets, name) {
		return fmt.Errorf("%s is a secret: its value is given as an input and cannot be changed", name)
	}
	return s.checkUnmasked(value)
}

// checkUnmasked refuses a text in which a masked secret was left: its value is not known.
func (s *Session) checkUnmasked(text string) error {
	if len(s.cfg.Secrets) > 0 && strings.Contains(text, logs.Hidden) {
		return errors.New("the text has " + logs.Hidden + ", where a secret is masked: write the value itself there")
	}
	return nil
}

// Approve says when a person is asked about tools that models want called, from now
// on.
func (s *Session) Approve(policy string) error {
	return s.ask(request{do: func() error { return s.setApproval(policy, machine.ByPerson) }})
}

func (s *Session) setApproval(policy, by string) error {
	e, err := s.m.SetApproval(policy, by)
	if err != nil {
		return err
	}
	return s.record(e)
}

// Answer answers the open question.
func (s *Session) Answer(a machine.Answer) error {
	return s.ask(request{do: func() error {
		s.gate.isFrozen = false // whoever answers wants the run to go on
		return s.giveAnswer(a)
	}})
}

// Cancel asks what runs to end, and kills its group if it does not. The unit is
// then a question: rerun, pass or fail.
func (s *Session) Cancel() error {
	return s.ask(request{do: func() error {
		if s.job == nil {
			return errors.New("nothing is running")
		}
		s.job.Cancel()
		return nil
	}})
}

// Type writes to the terminal of the running command.
func (s *Session) Type(p []byte) error {
	return s.ask(request{do: func() error {
		if s.job == nil {
			return fmt.Errorf("nothing that reads input is running")
		}
		_, err := s.job.Write(p)
		return err
	}})
}

// Resize sets the size of the terminal that commands see. It does not wait.
func (s *Session) Resize(cols, rows int) {
	s.mu.Lock()
	s.cols, s.rows = cols, rows
	s.mu.Unlock()
	go s.ask(request{do: func() error {
		if s.job == nil {
			return nil
		}
		return s.job.Resize(s.terminalSize()) // which may have changed again: requests come in any order
	}})
}

func (s *Session) terminalSize() (cols, rows int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cols, s.rows
}

// ErrClosed is what controls say once the session is over.
var ErrClosed = errors.New("the session has ended")

// request is something a person wants, done by the goroutine that owns the machine.
type request struct {
	do     func() error
	act    *intervention
	close  bool
	client string // who asks for it
	seen   int    // the last event that they know of; 0: any
	reply  chan error
}

// ask has a request carried out, and waits for that.
func (s *Session) ask(r request) error {
	r.reply, r.client, r.seen = make(chan error, 1), s.client, s.seen
	select {
	case s.inbox <- r:
	case <-s.done:
		return ErrClosed
	}
	select {
	case err := <-r.reply:
		return err
	case <-s.done:
	}
	select {
	case err := <-r.reply: // it was the last one
		return err
	default:
		return ErrClosed
	}
}

// serve carries out a request while nothing runs. What is wrong with the request
// is the asker's; a journal that cannot be written is the session's too.
func (s *Session) serve(r request) error {
	err := s.checkSeen(r)
	s.actor = r.client
	switch {
	case err != nil:
	case r.close:
		s.closing = true
		err = s.recordLeaving()
	case r.act != nil:
		err = s.intervene(*r.act)
	default:
		err = r.do()
	}
	s.actor = ""
	r.reply <- err
	var j *JournalError
	if errors.As(err, &j) {
		return err
	}
	return nil
}

// recordLeaving records of a run that is left at a question, or held, that it waits for a person.
func (s *Session) recordLeaving() error {
	next := s.m.Next()
	_, tool := next.Effect.(*machine.CallTool)
	switch {
	case s.job != nil:
		return nil
	case canStandIn(next.Effect) && (!tool || s.source.personNext || s.cfg.Options.Prompted):
		return s.endWaiting(s.waitingForReply(s.questionInPlace(next.Effect)))
	case next.Question != nil:
		return s.endWaiting(s.m.Waiting())
	case next.Event != nil && s.gate.isPaused:
		return s.endWaiting(s.pausedNeed(next.Event))
	default:
		return nil
	}
}

// Close ends the session: what runs is killed, and the run kept for resume. One
// that waits for a person, or is held, ends as awaiting_input.
func (s *Session) Close() {
	_ = s.ask(request{close: true})
	<-s.done
}

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
	switch e.Body.(type) {
	case *machine.Rewound, *machine.Reloaded: // it is still where it is paused
		return
	}
	if failed == nil && s.gate.isFrozen {
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
func (s *Session) Skip(reason string) error { return s.OverrideCurrent(plan.Skipped, reason) }

// OverrideCurrent sets the outcome of the unit, whatever it came to by itself. One that passes
// takes the values of Status.Withheld, some of them as they are given here.
func (s *Session) OverrideCurrent(r plan.Result, reason string, instead ...plan.Assignment) error {
	return s.act(true, func() (machine.Event, error) { return s.m.OverrideCurrent(r, reason, instead...) })
}

// Override sets the outcome of the unit that the run has come from anew, as long as the
// next has not been entered. A run that is held there is held before the one it leads to now.
func (s *Session) Override(r plan.Result, reason string, instead ...plan.Assignment) error {
	event := func() (machine.Event, error) {
		if s.m.Result() == nil && !s.m.Arriving() {
			return machine.Event{}, errors.New("the next step has begun, so the outcome before it stays")
		}
		return s.m.OverrideCurrent(r, reason, instead...)
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
