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

// Continue continues the run in a mode. to is the ID or label of the step to run to, "" for none.
func (s *Session) Continue(mode Mode, to string) error {
	return s.sendRequest(request{do: func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		frozen := mode == PauseNext && s.stepper.isPausedHere
		s.stepper.setMode(mode, to, s.actingClient, s.machine) // under mu: the goroutine of a call publishes the mode
		if frozen {
			s.stepper.pauseHere(s.actingClient) // else what comes next within the step would begin
		}
		s.pausedBy = s.stepper.pausedBy()
		status := s.status
		if mode != PauseNext && status.State == Paused { // no longer paused, for whoever looks before it continues
			status = Status{State: Running}
		}
		s.setStatus(status)
		return nil
	}})
}

// Pause pauses before the next step. What is running continues to its end.
func (s *Session) Pause() error { return s.Continue(PauseNext, "") }

// SetBreakpoints replaces all breakpoints. Those that were set before still belong to the client that set them.
func (s *Session) SetBreakpoints(all []Breakpoint) error {
	return s.sendRequest(request{do: func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.stepper.setBreakpoints(all, s.actingClient)
		s.setStatus(s.status)
		return nil
	}})
}

// SetVariable sets a variable, as a person's intervention.
func (s *Session) SetVariable(name string, value any) error {
	return s.sendRequest(request{do: func() error { return s.setValue(name, value) }})
}

func (s *Session) setValue(name string, value any) error {
	if err := s.checkSettable(name, plan.ValueText(value)); err != nil {
		return err
	}
	e, err := s.machine.SetVariableEvent(name, value)
	if err != nil {
		return err
	}
	return s.record(e)
}

// EditAction replaces the text of a step's action, for this run. An empty text restores the document's
// own. A running action is not affected.
func (s *Session) EditAction(step string, action int, text string) error {
	return s.sendRequest(request{do: func() error {
		if err := s.checkUnmasked(text); err != nil {
			return err
		}
		e, err := s.machine.EditEvent(step, action, text)
		if err != nil {
			return err
		}
		return s.record(e)
	}})
}

// checkSettable returns an error for a secret variable, since neither screen nor journal could mask
// the new value, for a value that contains the mask, and for one that does not fit the input of this name.
func (s *Session) checkSettable(name, value string) error {
	if slices.Contains(s.config.Options.SecretNames, name) {
		return fmt.Errorf("%s is a secret: its value cannot be changed during the run", name)
	}
	if err := s.checkUnmasked(value); err != nil {
		return err
	}
	return s.machine.Plan().CheckInputValue(name, value)
}

// checkUnmasked returns an error for a text that contains the placeholder of a secret, because the
// value that it stands for is unknown.
func (s *Session) checkUnmasked(text string) error {
	if s.isMasked(text) {
		return errors.New("the text has " + logs.SecretPlaceholder + " in place of a masked secret: replace it with the value")
	}
	return nil
}

// isMasked reports whether a text contains the placeholder of a secret.
func (s *Session) isMasked(text string) bool {
	return len(s.config.Secrets) > 0 && strings.Contains(text, logs.SecretPlaceholder)
}

// SetApprovalPolicy sets the policy by which a person is asked about tools that models want called.
func (s *Session) SetApprovalPolicy(policy string) error {
	return s.sendRequest(request{do: func() error { return s.setApproval(policy, machine.ByPerson) }})
}

func (s *Session) setApproval(policy, by string) error {
	e, err := s.machine.ApprovalEvent(policy, by)
	if err != nil {
		return err
	}
	return s.record(e)
}

// Answer answers the open question.
func (s *Session) Answer(a machine.Answer) error {
	return s.sendRequest(request{do: func() error {
		s.stepper.isPausedHere = false // a person who answers wants the run to continue
		return s.giveAnswer(a)
	}})
}

// ErrNothingRunning refuses to interrupt, or to type into, what does not run.
var ErrNothingRunning = errors.New("nothing is running")

// Interrupt ends what is running, and kills its process group if it does not end. The step then
// becomes a question: rerun, pass or fail.
func (s *Session) Interrupt() error {
	return s.sendRequest(request{do: func() error {
		if s.job == nil {
			return ErrNothingRunning
		}
		s.job.Cancel()
		return nil
	}})
}

// TypeIntoCommand writes to the terminal of the running command, for the client whose screen controls the run.
func (s *Session) TypeIntoCommand(p []byte) error {
	return s.sendRequest(request{do: func() error {
		switch {
		case s.actingClient != s.controller:
			return errors.New("only the screen that controls the run can type into its commands")
		case s.job == nil:
			return ErrNothingRunning
		}
		_, err := s.job.Write(p)
		return err
	}})
}

// Resize sets the size of the terminal of commands. It does not wait.
func (s *Session) Resize(cols, rows int) {
	s.mu.Lock()
	s.terminalCols, s.terminalRows = cols, rows
	s.mu.Unlock()
	go s.sendRequest(request{do: func() error {
		if s.job == nil {
			return nil
		}
		return s.job.Resize(s.terminalSize()) // requests may arrive in any order, so use the newest size
	}})
}

func (s *Session) terminalSize() (cols, rows int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.terminalCols, s.terminalRows
}

// ErrClosed is the error of all requests after the session has ended.
var ErrClosed = errors.New("this Playhead process has closed the run")

// request is an action of a person, carried out by the goroutine that owns the machine.
type request struct {
	do             func() error
	intervention   *intervention
	closesSession  bool
	client         string // the client that makes the request
	lastKnownEvent int    // the number of the last event that the client knows; 0: any
	errCh          chan error
}

// sendRequest sends a request and waits until it is carried out.
func (s *Session) sendRequest(r request) error {
	r.errCh, r.client, r.lastKnownEvent = make(chan error, 1), s.client, s.lastKnownEvent
	select {
	case s.requests <- r:
	case <-s.done:
		return ErrClosed
	}
	select {
	case err := <-r.errCh:
		return err
	case <-s.done:
	}
	select {
	case err := <-r.errCh: // the session ended with this request
		return err
	default:
		return ErrClosed
	}
}

// serveRequest carries out a request. An intervention arrives here only while nothing is running. The error of a request
// goes to its requester. If the journal cannot be written, that is an error of the session too.
func (s *Session) serveRequest(r request) error {
	err := s.checkNotStale(r)
	s.actingClient = r.client
	switch {
	case err != nil:
	case r.closesSession:
		s.isClosing = true
		err = s.recordLeaving()
	case r.intervention != nil:
		err = s.intervene(*r.intervention)
	default:
		err = r.do()
	}
	s.actingClient = ""
	r.errCh <- err
	var j *JournalError
	if errors.As(err, &j) {
		return err
	}
	return nil
}

// recordLeaving records that a run which is left at a question, or paused, waits for a person.
func (s *Session) recordLeaving() error {
	next := s.machine.Next()
	_, tool := next.Effect.(*machine.CallTool)
	switch {
	case s.job != nil:
		return nil
	case allowsManualResult(next.Effect) && (!tool || s.replySource.isNextReplyManual || s.config.Options.Prompted):
		return s.endAsWaiting(s.describeReplyWait(s.manualReplyQuestion(next.Effect)))
	case next.Question != nil:
		return s.endAsWaiting(s.machine.WaitingFor())
	case next.Event != nil && s.stepper.isPaused:
		return s.endAsWaiting(s.describePauseWait(next.Event))
	default:
		return nil
	}
}

// Close ends the session. What is running is killed, and the run can be resumed. A run that is
// paused or waits for a person ends as awaiting_input.
func (s *Session) Close() {
	_ = s.sendRequest(request{closesSession: true})
	<-s.done
}

// intervention makes an event when nothing is running any more.
type intervention struct {
	makeEvent  func() (machine.Event, error)
	enterFirst bool         // if a step is about to be entered, enter it first
	followUp   func() error // what follows immediately; nil: nothing
}

func (s *Session) intervene(i intervention) error {
	if i.enterFirst && s.machine.IsBetweenSteps() {
		if next := s.machine.Next().Event; next != nil {
			if _, isEntry := next.Body.(*machine.StepEntered); isEntry {
				if err := s.record(*next); err != nil {
					return err
				}
			}
		}
	}
	e, err := i.makeEvent()
	if err == nil {
		err = s.record(e)
	}
	s.unfreezeToNextStep(e, err)
	if err != nil || i.followUp == nil {
		return err
	}
	return i.followUp()
}

// unfreezeToNextStep changes a pause within a step to a pause before the next step, because an action of
// a person within the step makes the run continue.
func (s *Session) unfreezeToNextStep(e machine.Event, failed error) {
	switch e.Body.(type) {
	case *machine.RunRewound, *machine.DocumentReloaded: // the run stays where it is paused
		return
	}
	if failed == nil && s.stepper.isPausedHere {
		s.stepper.setMode(PauseNext, "", s.stepper.pausingClient, s.machine)
	}
}

// Retry runs the last step again: the same visit, with one more attempt. Like all interventions it
// is recorded with its note, cancels what is running, and reopens a run that has ended.
func (s *Session) Retry(note string) error {
	return s.requestIntervention(func() (machine.Event, error) { return s.machine.RetryEvent(note) })
}

// Skip sets the outcome of the step to skipped, and the run continues.
func (s *Session) Skip(note string) error { return s.OverrideCurrent(plan.Skipped, note) }

// OverrideCurrent sets the outcome of the step. If it is passed, the values in Status.PendingValues
// are assigned, and instead replaces some of them.
func (s *Session) OverrideCurrent(r plan.Result, note string, instead ...plan.Assignment) error {
	return s.requestInterventionAfterEntry(func() (machine.Event, error) { return s.machine.OverrideEvent(r, note, instead...) })
}

// ErrNotBetweenSteps refuses to override the outcome of a step that the run is still in, or has left behind.
var ErrNotBetweenSteps = errors.New("override works only after a step has ended and before the next one begins, or when the run is over")

// OverridePrevious changes the outcome of the step that the run just left, as long as the next step has not
// been entered. A paused run is then paused before the step to which the new outcome leads.
func (s *Session) OverridePrevious(r plan.Result, note string, instead ...plan.Assignment) error {
	event := func() (machine.Event, error) {
		if s.machine.Result() == nil && !s.machine.IsBetweenSteps() {
			return machine.Event{}, ErrNotBetweenSteps
		}
		return s.machine.OverrideEvent(r, note, instead...)
	}
	then := func() error {
		if s.stepper.isPaused {
			s.stepper.setMode(PauseNext, "", s.stepper.pausingClient, s.machine)
		}
		return nil
	}
	return s.sendRequest(request{intervention: &intervention{makeEvent: event, followUp: then}})
}

// Jump goes to a step by its ID. /ID means a step of the root document.
func (s *Session) Jump(target, note string) error {
	return s.requestIntervention(func() (machine.Event, error) { return s.machine.JumpEvent(target, note) })
}

// EndRun ends the run as completed, stopped or cancelled.
func (s *Session) EndRun(r plan.RunResult, message string) error {
	return s.requestIntervention(func() (machine.Event, error) { return s.machine.EndEvent(r, message, machine.ByPerson) })
}

// requestIntervention requests the intervention whose event is made when it is due.
func (s *Session) requestIntervention(event func() (machine.Event, error)) error {
	return s.sendRequest(request{intervention: &intervention{makeEvent: event}})
}

// requestInterventionAfterEntry requests an intervention in the step before which the run is paused, which is entered first.
func (s *Session) requestInterventionAfterEntry(event func() (machine.Event, error)) error {
	return s.sendRequest(request{intervention: &intervention{makeEvent: event, enterFirst: true}})
}
