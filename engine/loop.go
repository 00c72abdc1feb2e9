package engine

import (
	"cmp"
	"context"
	"errors"

	"playhead/engine/machine"
	"playhead/engine/shell"
	"playhead/parse/plan"
)

// Ending is how a run was left.
type Ending struct {
	machine.RunFinished                  // Result is empty for a run that was left before its end
	EndedProcesses      []string         // processes that steps had left running, and that ended with the run
	Leftovers           []shell.Leftover // processes that keep running, because they had left their sessions
}

// Run drives the run until it is over (headless), or until ctx ends or Close is called (with a
// person, who may reopen a finished run). Then what is running is ended, and the run can be
// resumed. The error is a *JournalError if the journal cannot be written.
func (s *Session) Run(ctx context.Context) (Ending, error) {
	defer close(s.done)
	err := s.loop(ctx)
	if err == nil {
		err = s.recordEndAgain()
	}
	if s.job != nil {
		s.job.Kill()
		<-s.job.Done()
	}
	if s.projectFolder != nil {
		_ = s.projectFolder.Close() // it was only read from
	}
	end := Ending{EndedProcesses: s.config.Shell.Close()}
	end.Leftovers = s.Leftovers()
	if r := s.machine.Result(); r != nil {
		end.RunFinished = s.maskedEnd(r)
	}
	return end, err
}

// recordEndAgain records the end of a run once more if another event follows it in the journal: an edit,
// or a rewind to the end.
func (s *Session) recordEndAgain() error {
	r := s.machine.Result()
	if r == nil {
		return nil
	}
	if _, ok := s.journal[len(s.journal)-1].Body.(*machine.RunFinished); ok {
		return nil
	}
	end := *r
	for _, e := range s.journal {
		if e.Body == machine.Body(r) {
			end.FirstEnded = cmp.Or(r.FirstEnded, e.Time)
		}
	}
	return s.recordOneEvent(machine.Event{Body: &end})
}

// maskedEnd returns how the run ended, with secrets masked.
func (s *Session) maskedEnd(r *machine.RunFinished) machine.RunFinished {
	if end, ok := s.config.Run.MaskEvent(machine.Event{Body: r}).Body.(*machine.RunFinished); ok {
		return *end
	}
	return machine.RunFinished{Result: r.Result}
}

func (s *Session) loop(ctx context.Context) error {
	for !s.isClosing && (s.isAttended() || s.machine.Result() == nil) {
		served, err := s.serveWaitingRequest(ctx)
		if !served && err == nil {
			err = s.advance(ctx)
		}
		if err != nil {
			return s.endAfterError(ctx, err)
		}
	}
	return nil
}

// serveWaitingRequest serves a waiting request, so that a run that needs nothing from outside can be
// paused and ended too.
func (s *Session) serveWaitingRequest(ctx context.Context) (served bool, err error) {
	select {
	case <-ctx.Done():
		s.isClosing = true
		return true, nil
	case r := <-s.requests:
		return true, s.serveRequest(r)
	default:
		return false, nil
	}
}

// advance makes the machine's next move.
func (s *Session) advance(ctx context.Context) error {
	next := s.machine.Next()
	switch {
	case s.stepper.isPausedHere && next.Event != nil && next.Event.IsWarning():
		return s.record(*next.Event)
	case s.stepper.isPausedHere && next.Question == nil && next.Result == nil:
		return s.waitWhilePaused(ctx, next.Event)
	case next.Event != nil:
		return s.recordNext(ctx, *next.Event)
	case next.Effect != nil:
		return s.performEffect(ctx, next.Effect)
	case next.Question != nil:
		return s.handleQuestion(ctx, next.Question)
	default:
		return s.serveNextRequest(ctx, Status{State: Over})
	}
}

// recordNext records the machine's own next event, unless the stepper pauses before it.
func (s *Session) recordNext(ctx context.Context, e machine.Event) error {
	if s.stepper.pauseIfDue(e, s.machine) {
		return s.waitWhilePaused(ctx, &e)
	}
	logged := s.stepper.logpointsHit(e, s.machine)
	s.stepper.noteEventPassed(e)
	if err := s.record(e); err != nil {
		return err
	}
	for _, b := range logged {
		if err := s.warn(machine.LogpointCode, machine.LogpointMessage(b.String())); err != nil {
			return err
		}
	}
	return nil
}

// waitWhilePaused waits until a person continues the run before its next event, which is nil for an effect.
// If nobody is there, the run ends.
func (s *Session) waitWhilePaused(ctx context.Context, next *machine.Event) error {
	need := s.describePauseWait(next)
	if !s.isAttended() {
		return s.endAsWaiting(need)
	}
	return s.serveNextRequest(ctx, Status{State: Paused, NextEvent: next, WaitingFor: need})
}

// describePauseWait returns what a paused run waits for.
func (s *Session) describePauseWait(next *machine.Event) *machine.Waiting {
	w := s.machine.WaitingWhilePaused(next)
	if w.Client = s.stepper.pausingClient; next != nil {
		w.Breakpoint = s.stepper.hitBreakpoint
	}
	return w
}

// endAsWaiting ends the run as one that waits for a person.
func (s *Session) endAsWaiting(w *machine.Waiting) error {
	e, err := s.machine.EndEvent(plan.Awaiting, "", "")
	if err != nil {
		return err
	}
	if s.stepper.mode == PauseNext { // it pauses before the next step
		w.Client = s.stepper.pausingClient
	}
	e.Body.(*machine.RunFinished).WaitingFor = w
	return s.record(e)
}

// handleQuestion uses a prepared answer, or waits for a person.
func (s *Session) handleQuestion(ctx context.Context, q *machine.Question) error {
	if q.Kind == machine.KindApproveCall && s.hasPreparedResult(q) {
		return s.giveAnswer(machine.Answer{Value: "yes", By: machine.ByAuto})
	}
	if acted, err := s.answerFromPrepared(q); acted || err != nil {
		return err
	}
	if s.personReplies(q) {
		return s.askForReply(ctx, machine.Question{Action: q.Action, Prompt: q.Prompt, ManualReplyForm: q.ManualReplyForm})
	}
	if q.Kind == machine.KindResume && q.IfUnattended == plan.WaitUnattended {
		return s.askAboutCutOff(ctx, q)
	}
	if s.isAttended() {
		return s.serveNextRequest(ctx, Status{State: Waiting, Question: q, WaitingFor: s.machine.WaitingFor()})
	}
	if q.IfUnattended != plan.WaitUnattended {
		value := map[plan.UnattendedAnswer]string{plan.PassUnattended: "pass", plan.FailUnattended: "fail"}[q.IfUnattended]
		return s.giveAnswer(machine.Answer{Value: value, By: machine.ByAuto})
	}
	return s.endAsWaiting(s.machine.WaitingFor())
}

func (s *Session) giveAnswer(a machine.Answer) error {
	if text, reply := s.replyFromAnswer(a); reply {
		return s.acceptReply(a, text, false)
	}
	e, err := s.machine.AnswerEvent(a)
	if err != nil {
		return err
	}
	return s.record(e)
}

// serveNextRequest serves one request of a person.
func (s *Session) serveNextRequest(ctx context.Context, status Status) error {
	s.mu.Lock()
	s.pausedBy = s.stepper.pausedBy()
	s.mu.Unlock()
	s.publishStatus(status)
	select {
	case r := <-s.requests:
		return s.serveRequest(r)
	case <-ctx.Done():
		s.isClosing = true
		return nil
	}
}

// endAfterError ends a run that cannot continue. Watchers are told even if the journal cannot be
// written.
func (s *Session) endAfterError(ctx context.Context, err error) error {
	if s.job != nil {
		s.job.Kill()
	}
	if s.pendingIntervention != nil {
		s.pendingIntervention.errCh <- err
	}
	e, failed := s.machine.EndEvent(plan.RunFailed, err.Error(), "")
	if failed != nil {
		return err
	}
	var j *JournalError
	if !errors.As(err, &j) {
		return errors.Join(err, s.record(e))
	}
	s.stampEvent(&e)
	s.lastSeq++
	if admitted := s.applyAndPublish(e); admitted != nil {
		return errors.Join(err, admitted)
	}
	s.publishStatus(Status{State: Over, Err: err})
	for s.isAttended() && !s.isClosing {
		select {
		case r := <-s.requests:
			s.isClosing = r.closesSession
			r.errCh <- err
		case <-ctx.Done():
			s.isClosing = true
		}
	}
	return err
}
