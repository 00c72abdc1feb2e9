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

// Go continues the run in a mode. to is the ID or label of the step to run to, "" for none.
func (s *Session) Go(mode Mode, to string) error {
	return s.ask(request{do: func() error {
		s.stepper.setMode(mode, to, s.actor, s.m)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.pausedBy = s.stepper.pausedBy()
		if mode != Hold && s.status.State == Paused { // no longer paused, for whoever looks before it continues
			s.set(Status{State: Running})
		}
		return nil
	}})
}

// Pause pauses before the next step. What is running continues to its end.
func (s *Session) Pause() error { return s.Go(Hold, "") }

// Break replaces all breakpoints.
func (s *Session) Break(all []Breakpoint) error {
	return s.ask(request{do: func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.stepper.breaks, s.stepper.breakpointsClient = all, s.actor
		s.set(s.status)
		return nil
	}})
}

// Set sets a variable, as a person's intervention.
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

// Edit replaces the text of a step's action, for this run. An empty text restores the document's
// own. A running action is not affected.
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

// checkSettable returns an error for a secret variable, since neither screen nor journal could mask
// the new value, and for a value that contains the mask.
func (s *Session) checkSettable(name, value string) error {
	if slices.Contains(s.cfg.Options.Secrets, name) {
		return fmt.Errorf("%s is a secret: its value is given as an input and cannot be changed", name)
	}
	return s.checkUnmasked(value)
}

// checkUnmasked returns an error for a text that contains a masked secret, because its value is
// unknown.
func (s *Session) checkUnmasked(text string) error {
	if len(s.cfg.Secrets) > 0 && strings.Contains(text, logs.SecretPlaceholder) {
		return errors.New("the text has " + logs.SecretPlaceholder + " in place of a hidden secret: write the value in its place")
	}
	return nil
}

// Approve sets the policy by which a person is asked about tools that models want called.
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
		s.stepper.isFrozen = false // a person who answers wants the run to continue
		return s.giveAnswer(a)
	}})
}

// Cancel ends what is running, and kills its process group if it does not end. The step then
// becomes a question: rerun, pass or fail.
func (s *Session) Cancel() error {
	return s.ask(request{do: func() error {
		if s.job == nil {
			return errors.New("nothing is running")
		}
		s.job.Cancel()
		return nil
	}})
}

// Type writes to the terminal of the running command, for the client whose screen controls the run.
func (s *Session) Type(p []byte) error {
	return s.ask(request{do: func() error {
		switch {
		case s.actor != s.controller:
			return errors.New("only the screen that controls the run can type into its commands")
		case s.job == nil:
			return errors.New("nothing that reads input is running")
		}
		_, err := s.job.Write(p)
		return err
	}})
}

// Resize sets the size of the terminal of commands. It does not wait.
func (s *Session) Resize(cols, rows int) {
	s.mu.Lock()
	s.cols, s.rows = cols, rows
	s.mu.Unlock()
	go s.ask(request{do: func() error {
		if s.job == nil {
			return nil
		}
		return s.job.Resize(s.terminalSize()) // requests may arrive in any order, so use the newest size
	}})
}

func (s *Session) terminalSize() (cols, rows int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cols, s.rows
}

// ErrClosed is the error of all requests after the session has ended.
var ErrClosed = errors.New("the session has ended")

// request is an action of a person, carried out by the goroutine that owns the machine.
type request struct {
	do             func() error
	act            *intervention
	close          bool
	client         string // the client that makes the request
	lastKnownEvent int    // the number of the last event that the client knows; 0: any
	reply          chan error
}

// ask sends a request and waits until it is carried out.
func (s *Session) ask(r request) error {
	r.reply, r.client, r.lastKnownEvent = make(chan error, 1), s.client, s.lastKnownEvent
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
	case err := <-r.reply: // the session ended with this request
		return err
	default:
		return ErrClosed
	}
}

// serve carries out a request while nothing is running. Its error is for the requester. If the
// journal cannot be written, that is an error of the session too.
func (s *Session) serve(r request) error {
	err := s.checkNotStale(r)
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

// recordLeaving records that a run which is left at a question, or paused, waits for a person.
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
	case next.Event != nil && s.stepper.isPaused:
		return s.endWaiting(s.pausedNeed(next.Event))
	default:
		return nil
	}
}

// Close ends the session. What is running is killed, and the run can be resumed. A run that is
// paused or waits for a person ends as awaiting_input.
func (s *Session) Close() {
	_ = s.ask(request{close: true})
	<-s.done
}

// intervention makes an event when nothing is running any more.
type intervention struct {
	event func() (machine.Event, error)
	enter bool         // if a step is about to be entered, enter it first
	then  func() error // what follows immediately; nil: nothing
}

func (s *Session) intervene(i intervention) error {
	if i.enter && s.m.IsArriving() {
		if next := s.m.Next().Event; next != nil {
			if _, isEntry := next.Body.(*machine.Entered); isEntry {
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

// unfreezeGate changes a pause within a step to a pause before the next step, because what a person
// does within the step leads on.
func (s *Session) unfreezeGate(e machine.Event, failed error) {
	switch e.Body.(type) {
	case *machine.Rewound, *machine.Reloaded: // the run stays where it is paused
		return
	}
	if failed == nil && s.stepper.isFrozen {
		s.stepper.setMode(Hold, "", s.stepper.client, s.m)
	}
}

// Retry runs the last step again: the same visit, with one more attempt. Like all interventions it
// is recorded with its reason, cancels what is running, and reopens a run that has ended.
func (s *Session) Retry(reason string) error {
	return s.act(false, func() (machine.Event, error) { return s.m.Retry(reason) })
}

// Skip continues without an outcome for the step.
func (s *Session) Skip(reason string) error { return s.OverrideCurrent(plan.Skipped, reason) }

// OverrideCurrent sets the outcome of the step. If it is passed, the values in Status.PendingValues
// are assigned, and instead replaces some of them.
func (s *Session) OverrideCurrent(r plan.Result, reason string, instead ...plan.Assignment) error {
	return s.act(true, func() (machine.Event, error) { return s.m.OverrideCurrent(r, reason, instead...) })
}

// Override changes the outcome of the step that the run just left, as long as the next step has not
// been entered. A paused run is then paused before the step to which the new outcome leads.
func (s *Session) Override(r plan.Result, reason string, instead ...plan.Assignment) error {
	event := func() (machine.Event, error) {
		if s.m.Result() == nil && !s.m.IsArriving() {
			return machine.Event{}, errors.New("the next step has begun, so the previous outcome cannot change")
		}
		return s.m.OverrideCurrent(r, reason, instead...)
	}
	then := func() error {
		if s.stepper.isPaused {
			s.stepper.setMode(Hold, "", s.stepper.client, s.m)
		}
		return nil
	}
	return s.ask(request{act: &intervention{event: event, then: then}})
}

// Jump goes to a step by its ID. /ID means a step of the root document.
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
