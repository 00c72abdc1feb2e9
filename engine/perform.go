package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"playhead/engine/journal"
	"playhead/engine/logs"
	"playhead/engine/machine"
	"playhead/engine/shell"
	"playhead/parse/plan"
)

// maxOutput is how much of a command's text an event carries (contract.md).
const maxOutput = 64 << 10

// process is a command in execution, with its log.
type process struct {
	*shell.Process
	log     *logs.Log
	file    string
	started time.Time
}

// perform carries out an effect and records what came of it. Requests are served
// meanwhile; an intervention cancels the command first.
func (s *Session) perform(ctx context.Context, effect machine.Effect) error {
	run := effect.(*machine.RunCommand)
	proc, err := s.start(run)
	if err != nil {
		return s.record(s.m.Event(plan.Product{Err: err.Error()}))
	}
	s.proc = proc
	s.show(Status{State: Running, Running: run.Action.Step, Log: proc.file})
	if err := s.attend(ctx, proc); err != nil || s.closing {
		return err
	}
	s.proc = nil
	if err := s.finish(proc); err != nil {
		return err
	}
	if i := s.pending; i != nil {
		s.pending = nil
		return s.intervene(*i)
	}
	return nil
}

// attend waits for the command, serving requests.
func (s *Session) attend(ctx context.Context, proc *process) error {
	for {
		select {
		case <-proc.Done():
			return nil
		case <-ctx.Done():
			s.closing = true
			return nil
		case r := <-s.inbox:
			if err := s.serveRunning(r, proc); err != nil || s.closing {
				return err
			}
		}
	}
}

// serveRunning carries out a request while a command runs. An intervention that
// could not be made changes nothing; one that can waits for the command's end.
func (s *Session) serveRunning(r request, proc *process) error {
	if r.act == nil {
		return s.serve(r)
	}
	_, err := r.act.event()
	if err == nil {
		s.pending = r.act
		proc.Cancel()
	}
	r.reply <- err
	return nil
}

// start starts the command of an action.
func (s *Session) start(run *machine.RunCommand) (*process, error) {
	file := journal.LogName(s.seq)
	path, err := s.cfg.Run.LogPath(file)
	if err != nil {
		return nil, err
	}
	log, err := logs.Create(path)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.logs[file] = log
	cols, rows := s.cols, s.rows
	s.mu.Unlock()
	out := s.masked(log)
	proc := &process{log: log, file: file, started: s.cfg.Now()}
	proc.Process = s.cfg.Shell.Start(context.Background(), shell.Command{
		Shell: run.Shell, Text: run.Text, Argv: run.Argv, Pipes: run.Pipes, Timeout: run.Timeout,
		Dir: s.cfg.Dir, Env: s.env(run.Action),
		Cols: cols, Rows: rows, Interactive: !s.cfg.Headless,
	}, out)
	go func() {
		<-proc.Drained()
		_ = errors.Join(out.Close(), log.Close()) // remembered by the log
	}()
	return proc, nil
}

// masked keeps secrets out of a log.
func (s *Session) masked(log *logs.Log) io.WriteCloser {
	return logs.Mask(log, s.cfg.Secrets)
}

// env is the environment of a command: Playhead's own, and where it is run from.
func (s *Session) env(a machine.Ref) []string {
	env := append([]string{}, s.cfg.Env...)
	return append(env,
		"PLAYHEAD_RUN_ID="+s.cfg.Run.ID(),
		"PLAYHEAD_STEP="+a.Step,
		"PLAYHEAD_ATTEMPT="+strconv.Itoa(a.Attempt-1),
		"PLAYHEAD_INSTANCE="+a.Instance,
	)
}

// finish records what came of a command.
func (s *Session) finish(proc *process) error {
	res := proc.Wait()
	p := plan.Product{
		ExitCode: res.ExitCode, Signal: res.Signal, Cancelled: res.Cancelled, TimedOut: res.TimedOut,
		Stdout: res.Stdout, Stderr: res.Stderr, Text: proc.log.Text(maxOutput),
	}
	if res.Err != nil {
		p.Err = res.Err.Error()
	}
	e := s.m.Event(p)
	body := e.Body.(*machine.ActionFinished)
	ms := s.cfg.Now().Sub(proc.started).Milliseconds()
	body.DurationMS, body.Background = &ms, res.Background
	if size, _ := proc.log.Size(); size > 0 {
		body.Log = &machine.LogRef{File: proc.file, Offset: proc.log.Offset(), Bytes: size}
	}
	if err := s.record(e); err != nil {
		return err
	}
	if err := proc.log.Err(); err != nil {
		return s.warn("playhead/log", fmt.Sprintf("not all of what it printed could be kept: %v", err))
	}
	return nil
}

// warn records a warning about the current unit.
func (s *Session) warn(code, message string) error {
	return s.record(machine.Event{Step: s.m.Position(), Body: &machine.Warned{Code: code, Message: message}})
}
