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
	machine.Finished                  // Result is empty for a run that was left before its end
	Background       []string         // processes that steps had left running, and that ended with the run
	Leftovers        []shell.Leftover // processes that keep running, because they had left their sessions
}

// Run drives the run until it is over (headless), or until ctx ends or Close is called (with a
// person, who may reopen a finished run). Then what is running is ended, and the run can be
// resumed. The error is a *JournalError.
func (s *Session) Run(ctx context.Context) (Ending, error) {
	defer close(s.done)
	err := s.loop(ctx)
	if err == nil {
		err = s.repeatEnd()
	}
	if s.job != nil {
		s.job.Kill()
		<-s.job.Done()
	}
	if s.localFolder != nil {
		_ = s.localFolder.Close() // it was only read from
	}
	end := Ending{Background: s.cfg.Shell.Close()}
	end.Leftovers = s.Leftovers()
	if r := s.m.Result(); r != nil {
		end.Finished = s.maskedEnd(r)
	}
	return end, err
}

// repeatEnd records the end of a run once more if another event follows it in the journal: an edit,
// or a rewind to the end.
func (s *Session) repeatEnd() error {
	r := s.m.Result()
	if r == nil {
		return nil
	}
	if _, ok := s.journal[len(s.journal)-1].Body.(*machine.Finished); ok {
		return nil
	}
	end := *r
	for _, e := range s.journal {
		if e.Body == machine.Body(r) {
			end.Ended = cmp.Or(r.Ended, e.Time)
		}
	}
	return s.recordAlone(machine.Event{Body: &end})
}

// maskedEnd returns how the run ended, with secrets masked.
func (s *Session) maskedEnd(r *machine.Finished) machine.Finished {
	if end, ok := s.cfg.Run.MaskEvent(machine.Event{Body: r}).Body.(*machine.Finished); ok {
		return *end
	}
	return machine.Finished{Result: r.Result}
}

func (s *Session) loop(ctx context.Context) error {
	for !s.closing && (s.isAttended() || s.m.Result() == nil) {
		served, err := s.servePending(ctx)
		if !served && err == nil {
			err = s.advance(ctx)
		}
		if err != nil {
			return s.endBroken(ctx, err)
		}
	}
	return nil
}

// servePending serves a waiting request, so that a run that needs nothing from outside can be
// paused and ended too.
func (s *Session) servePending(ctx context.Context) (served bool, err error) {
	select {
	case <-ctx.Done():
		s.closing = true
		return true, nil
	case r := <-s.inbox:
		return true, s.serve(r)
	default:
		return false, nil
	}
}

// advance makes the machine's next move.
func (s *Session) advance(ctx context.Context) error {
	next := s.m.Next()
	switch {
	case s.stepper.isFrozen && next.Question == nil && next.Result == nil:
		return s.pause(ctx, next.Event)
	case next.Event != nil:
		return s.recordNext(ctx, *next.Event)
	case next.Effect != nil:
		return s.perform(ctx, next.Effect)
	case next.Question != nil:
		return s.question(ctx, next.Question)
	default:
		return s.wait(ctx, Status{State: Over})
	}
}

// recordNext records the machine's own next event, unless the stepper pauses before it.
func (s *Session) recordNext(ctx context.Context, e machine.Event) error {
	if s.stepper.pausesBefore(e, s.m) {
		return s.pause(ctx, &e)
	}
	logged := s.stepper.logpoints(e, s.m)
	s.stepper.eventPassed(e)
	if err := s.record(e); err != nil {
		return err
	}
	for _, b := range logged {
		if err := s.warn(machine.BreakpointCode, "breakpoint "+b.String()); err != nil {
			return err
		}
	}
	return nil
}

// pause waits until a person continues the run before its next event, which is nil for an effect.
// If nobody is there, the run ends.
func (s *Session) pause(ctx context.Context, next *machine.Event) error {
	need := s.pausedNeed(next)
	if !s.isAttended() {
		return s.endWaiting(need)
	}
	return s.wait(ctx, Status{State: Paused, NextEvent: next, Need: need})
}

// pausedNeed returns what a paused run waits for.
func (s *Session) pausedNeed(next *machine.Event) *machine.Waiting {
	if next == nil {
		step := s.m.Position()
		return &machine.Waiting{Step: step, Kind: machine.KindBreak, By: s.stepper.client, Prompt: "paused in " + step, Text: s.m.StepText()}
	}
	return &machine.Waiting{
		Step: next.Step, ID: next.ID, Attempt: next.Attempt, Kind: machine.KindBreak, By: s.stepper.client,
		Prompt: "paused " + next.PauseSide() + " " + next.Step, Text: s.m.TextBefore(*next),
	}
}

// endWaiting ends the run as one that waits for a person.
func (s *Session) endWaiting(w *machine.Waiting) error {
	e, err := s.m.End(plan.Awaiting, "", "")
	if err != nil {
		return err
	}
	if s.stepper.mode == Hold { // it pauses before the next step
		w.By = s.stepper.client
	}
	e.Body.(*machine.Finished).Waiting = w
	return s.record(e)
}

// question uses a prepared answer, or waits for a person.
func (s *Session) question(ctx context.Context, q *machine.Question) error {
	if q.Kind == machine.KindApproveCall && s.hasResult(q) {
		return s.giveAnswer(machine.Answer{Value: "yes", By: machine.ByAuto})
	}
	if acted, err := s.answerFromPrepared(q); acted || err != nil {
		return err
	}
	if s.personReplies(q) {
		return s.askForReply(ctx, machine.Question{Action: q.Action, Prompt: q.Prompt, ManualReply: q.ManualReply})
	}
	if q.Kind == machine.KindResume && q.IfUnattended == plan.Wait {
		return s.askCutOff(ctx, q)
	}
	if s.isAttended() {
		return s.wait(ctx, Status{State: Waits, Question: q, Need: s.m.Waiting()})
	}
	if q.IfUnattended != plan.Wait {
		value := map[plan.Absent]string{plan.Pass: "pass", plan.Fail: "fail"}[q.IfUnattended]
		return s.giveAnswer(machine.Answer{Value: value, By: machine.ByAuto})
	}
	return s.endWaiting(s.m.Waiting())
}

func (s *Session) giveAnswer(a machine.Answer) error {
	if text, reply := s.replyFromAnswer(a); reply {
		return s.acceptReply(a, text, false)
	}
	e, err := s.m.Answer(a)
	if err != nil {
		return err
	}
	return s.record(e)
}

// wait serves one request of a person.
func (s *Session) wait(ctx context.Context, status Status) error {
	s.mu.Lock()
	s.pausedBy = s.stepper.pausedBy()
	s.mu.Unlock()
	s.show(status)
	select {
	case r := <-s.inbox:
		return s.serve(r)
	case <-ctx.Done():
		s.closing = true
		return nil
	}
}

// endBroken ends a run that cannot continue. Watchers are told even if the journal cannot be
// written.
func (s *Session) endBroken(ctx context.Context, err error) error {
	if s.job != nil {
		s.job.Kill()
	}
	if s.pending != nil {
		s.pending.reply <- err
	}
	e, failed := s.m.End(plan.RunFailed, err.Error(), "")
	if failed != nil {
		return err
	}
	var j *JournalError
	if !errors.As(err, &j) {
		return errors.Join(err, s.record(e))
	}
	s.stamp(&e)
	s.seq++
	if admitted := s.applyAndPublish(e); admitted != nil {
		return errors.Join(err, admitted)
	}
	s.show(Status{State: Over, Err: err})
	for s.isAttended() && !s.closing {
		select {
		case r := <-s.inbox:
			s.closing = r.close
			r.reply <- err
		case <-ctx.Done():
			s.closing = true
		}
	}
	return err
}
