package engine

import (
	"context"
	"slices"
	"strconv"

	"playhead/engine/machine"
	"playhead/engine/shell"
	"playhead/parse/plan"
)

// process is a command in execution.
type process struct {
	*shell.Process
	*record
}

// start starts the command of an action.
func (s *Session) start(run *machine.RunCommand) (*process, error) {
	r, err := s.newRecord()
	if err != nil {
		return nil, err
	}
	cols, rows := s.terminalSize()
	proc := &process{record: r}
	proc.Process = s.cfg.Shell.Start(context.Background(), shell.Command{
		Shell: run.Shell, Text: run.Text, Argv: run.Argv, Pipes: run.Pipes, Timeout: run.Timeout,
		Dir: s.cfg.Dir, Env: s.env(run.Action),
		Cols: cols, Rows: rows, Interactive: !s.cfg.Headless && !s.cfg.NoInput,
	}, r.out)
	go func() {
		<-proc.Drained()
		r.close()
	}()
	return proc, nil
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

// finish records what came of the command.
func (p *process) finish(s *Session) error {
	res := p.Wait()
	_ = p.out.Flush() // what it left in the background may go on printing; the log remembers the error
	product := plan.Product{
		ExitCode: res.ExitCode, Signal: res.Signal, Cancelled: res.Cancelled, TimedOut: res.TimedOut,
		Stdout: res.Stdout, Stderr: res.Stderr, Text: p.log.Text(machine.MaxOutput),
	}
	if res.Err != nil {
		product.Err = res.Err.Error()
	}
	e := s.m.Event(product)
	body := e.Body.(*machine.ActionFinished)
	body.Background = res.Background
	for _, l := range res.Escaped {
		body.Left = append(body.Left, machine.Leftover(l))
	}
	return s.conclude(p.record, e)
}

// Leftovers are the processes in sessions of their own that steps of this run started, now or
// in an earlier life of it, and that still run.
func (s *Session) Leftovers() []shell.Leftover {
	s.mu.Lock()
	past := slices.Clip(s.journal)
	s.mu.Unlock()
	var alive []shell.Leftover
	for _, l := range shell.Alive(append(leftoversIn(past), s.cfg.Shell.Left()...)) {
		l.Command = s.cfg.Run.MaskedText(l.Command)
		if !slices.ContainsFunc(alive, func(o shell.Leftover) bool { return o.PID == l.PID }) {
			alive = append(alive, l)
		}
	}
	return alive
}

// leftoversIn are those that a journal tells of. What a run left that this one is a fork of is none
// of its own.
func leftoversIn(past []machine.Event) (all []shell.Leftover) {
	for _, e := range past {
		switch b := e.Body.(type) {
		case *machine.Forked:
			all = nil
		case *machine.ActionFinished:
			for _, l := range b.Left {
				all = append(all, shell.Leftover(l))
			}
		}
	}
	return all
}
