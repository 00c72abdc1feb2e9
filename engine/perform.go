package engine

import (
	"context"
	"errors"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// job is an effect under way: a command, or a call.
type job interface {
	Done() <-chan struct{}
	Cancel() // asks it to end
	Kill()
	Write(p []byte) (int, error) // types into it
	Resize(cols, rows int) error
	logName() string
	finish(s *Session) error // records what came of it
}

// perform carries out an effect and records what came of it. Requests are served
// meanwhile; an intervention cancels the job first.
func (s *Session) perform(ctx context.Context, effect machine.Effect) error {
	j, ref, err := s.startEffect(effect)
	if err != nil {
		return s.record(s.m.Event(plan.Product{Err: err.Error()}))
	}
	if j == nil {
		return s.askInPlace(ctx, effect)
	}
	s.job = j
	s.show(Status{State: Running, Running: ref.Step, Log: j.logName()})
	if err := s.waitForJob(ctx, j); err != nil || s.closing {
		return err
	}
	s.job = nil
	if s.droppedForPerson() {
		return nil
	}
	err = j.finish(s)
	if r := s.pending; r != nil && err == nil {
		s.pending = nil
		return s.serve(*r)
	}
	return err
}

// startEffect starts an effect. There is no job where a person stands in for a model or a tool.
func (s *Session) startEffect(effect machine.Effect) (job, machine.Ref, error) {
	switch e := effect.(type) {
	case *machine.RunCommand:
		p, err := s.start(e)
		return p, e.Action, err
	case *machine.FetchText:
		c, err := s.fetch(e)
		return c, e.Action, err
	case *machine.CallModel:
		j, err := s.reply(e)
		return j, e.Action, err
	default:
		call := e.(*machine.CallTool)
		j, err := s.tool(call)
		return j, call.Action, err
	}
}

// waitForJob waits for a job, serving requests.
func (s *Session) waitForJob(ctx context.Context, j job) error {
	for {
		select {
		case <-j.Done():
			return nil
		case <-ctx.Done():
			s.closing = true
			return nil
		case r := <-s.inbox:
			if err := s.serveRunning(r, j); err != nil || s.closing {
				return err
			}
		}
	}
}

// errBusy refuses an intervention while another one waits.
var errBusy = errors.New("the running command is already being ended: try again in a moment")

// serveRunning carries out a request while a job is under way. An intervention that
// could not be made changes nothing; one that can waits for the command's end. Who
// asked for it waits too if more is to follow it.
func (s *Session) serveRunning(r request, j job) error {
	if r.act == nil {
		return s.serve(r)
	}
	err := errBusy
	if s.pending == nil {
		_, err = r.act.event()
	}
	if err != nil || r.act.then == nil {
		r.reply <- err
		r.reply = make(chan error, 1)
	}
	if err == nil {
		s.pending = &r
		j.Cancel()
	}
	return nil
}
