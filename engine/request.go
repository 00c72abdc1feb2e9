package engine

import (
	"errors"

	"playhead/engine/machine"
)

// ErrClosed is what controls say once the session is over.
var ErrClosed = errors.New("the session has ended")

// request is something a person wants, done by the goroutine that owns the machine.
type request struct {
	do    func() error
	act   *intervention
	close bool
	reply chan error
}

// ask has a request carried out, and waits for that.
func (s *Session) ask(r request) error {
	r.reply = make(chan error, 1)
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
	var err error
	switch {
	case r.close:
		s.closing = true
		err = s.recordLeaving()
	case r.act != nil:
		err = s.intervene(*r.act)
	default:
		err = r.do()
	}
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
		return s.waitAtBreak(*next.Event)
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
