package engine

import (
	"fmt"

	"playhead/engine/machine"
)

// AsClient returns the session for a client: events of its actions have the client's name. If
// lastKnownEvent is not 0, requests are refused with a *StaleError once the run has newer events.
func (s *Session) AsClient(client string, lastKnownEvent int) *Session {
	return &Session{runState: s.runState, client: client, lastKnownEvent: lastKnownEvent}
}

// StaleError is the error for a request of a client that does not know the newest events.
type StaleError struct{ KnownSeq, NewestSeq int }

// Error says what has happened and what to do.
func (e *StaleError) Error() string {
	return fmt.Sprintf("the run has changed: you last saw event %d, and it is now at event %d. Read its state again", e.KnownSeq, e.NewestSeq)
}

// RecordPlayheadToolCall records that the client, an agent, called a tool of Playhead about the run. It records nothing if
// the run is over.
func (s *Session) RecordPlayheadToolCall(tool string) error {
	return s.sendRequest(request{do: func() error {
		if s.machine.Result() != nil {
			return nil
		}
		return s.record(machine.Event{Step: s.machine.Position(), Body: &machine.PlayheadToolCalled{Tool: tool}})
	}})
}

// checkNotStale returns an error for a request of a client that has not seen the newest event.
func (s *Session) checkNotStale(r request) error {
	if r.lastKnownEvent != 0 && machine.IsStale(s.journal, r.lastKnownEvent) {
		return &StaleError{r.lastKnownEvent, s.lastSeq}
	}
	return nil
}

// isAttended reports whether somebody can answer: at the owner's own screen, or through a client that
// controls the run.
func (s *Session) isAttended() bool { return !s.config.Headless || s.controller != "" }

// TakeControl gives control of the run to this client's screen. Watchers see that in
// Status.Controller. A headless session waits for its client where it would otherwise end.
func (s *Session) TakeControl() error { return s.setController(func() bool { return true }, s.client) }

// ReleaseControl returns control to the owner's own screen, if this client has it.
func (s *Session) ReleaseControl() error {
	return s.setController(func() bool { return s.controller == s.client }, "")
}

func (s *Session) setController(may func() bool, to string) error {
	return s.sendRequest(request{do: func() error {
		if !may() {
			return nil
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.controller = to
		s.setStatus(s.status)
		return nil
	}})
}
