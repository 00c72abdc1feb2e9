package engine

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strconv"

	"playhead/engine/machine"
	"playhead/engine/shell"
	"playhead/parse/plan"
)

// job is an effect in progress: a command or a call.
type job interface {
	Done() <-chan struct{}
	Cancel() // asks it to end
	Kill()
	Write(p []byte) (int, error) // types into it
	Resize(cols, rows int) error
	logName() string
	finish(s *Session) error // records the result
}

// performEffect carries out an effect and records its result. Requests are served meanwhile. An
// intervention cancels the job first.
func (s *Session) performEffect(ctx context.Context, effect machine.Effect) error {
	j, ref, err := s.startEffect(effect)
	if err != nil {
		return s.record(s.machine.ResultEvent(plan.Product{Err: err.Error()}))
	}
	if j == nil {
		return s.askPersonInstead(ctx, effect)
	}
	s.job = j
	running := Status{State: Running, RunningStep: ref.StepLabel, RunningLog: j.logName()}
	s.publishStatus(running)
	if err := s.waitForJob(ctx, j, running); err != nil || s.isClosing {
		return err
	}
	s.job = nil
	if s.finishTakeOver() {
		return nil
	}
	err = j.finish(s)
	if r := s.pendingIntervention; r != nil && err == nil {
		s.pendingIntervention = nil
		return s.serveRequest(*r)
	}
	return err
}

// startEffect starts an effect. It returns no job if a person replies instead of a model or a tool.
func (s *Session) startEffect(effect machine.Effect) (job, machine.ActionRef, error) {
	switch e := effect.(type) {
	case *machine.RunCommand:
		p, err := s.startStepCommand(e)
		return p, e.Action, err
	case *machine.FetchText:
		c, err := s.startTextFetch(e)
		return c, e.Action, err
	case *machine.CallModel:
		j, err := s.startModelCall(e)
		return j, e.Action, err
	default:
		call := e.(*machine.CallTool)
		j, err := s.startToolCall(call)
		return j, call.Action, err
	}
}

// waitForJob waits until a job ends, and serves requests meanwhile. If a request recorded events,
// it shows again that the job is running.
func (s *Session) waitForJob(ctx context.Context, j job, running Status) error {
	for {
		select {
		case <-j.Done():
			return nil
		case <-ctx.Done():
			s.isClosing = true
			return nil
		case r := <-s.requests:
			seq := s.lastSeq
			if err := s.serveDuringJob(r, j); err != nil || s.isClosing {
				return err
			}
			if s.lastSeq > seq {
				s.publishStatus(running)
			}
		}
	}
}

// errJobEnding is the error for an intervention while another one waits.
var errJobEnding = errors.New("the step is still being interrupted: try again in a moment")

// serveDuringJob carries out a request while a job is running. An impossible intervention changes
// nothing, and a possible one waits until the job ends. If the intervention has a second part, the
// requester waits for that too.
func (s *Session) serveDuringJob(r request, j job) error {
	if r.intervention == nil {
		return s.serveRequest(r)
	}
	err := s.checkNotStale(r)
	switch {
	case err != nil:
	case s.pendingIntervention != nil:
		err = errJobEnding
	default:
		_, err = r.intervention.makeEvent()
	}
	r.lastKnownEvent = 0 // the end of the job is an event that the request causes
	if err != nil || r.intervention.followUp == nil {
		r.errCh <- err
		r.errCh = make(chan error, 1)
	}
	if err == nil {
		s.pendingIntervention = &r
		j.Cancel()
	}
	return nil
}

// process is a job with a process: a step's command.
type process struct {
	*shell.Process
	*actionLog
}

func (s *Session) startStepCommand(run *machine.RunCommand) (*process, error) {
	return s.startCommand(shell.Command{Shell: run.Shell, Text: run.Text, Argv: run.Argv, UsesPipes: run.UsesPipes, Timeout: run.Timeout}, run.Action)
}

// startCommand starts a command in the folder of the run's commands, with their environment.
func (s *Session) startCommand(c shell.Command, action machine.ActionRef) (*process, error) {
	r, err := s.newActionLog()
	if err != nil {
		return nil, err
	}
	c.Cols, c.Rows = s.terminalSize()
	c.Dir, c.Env, c.IsInteractive = s.config.WorkingDir, s.commandEnv(action), s.isAttended() && !s.config.CommandsGetNoInput
	proc := &process{actionLog: r}
	proc.Process = s.config.Shell.Start(context.Background(), c, r.maskedOut)
	go func() {
		<-proc.Drained()
		r.close()
	}()
	return proc, nil
}

// commandEnv returns the environment of a command: Playhead's own, and variables that say where in the run
// it is.
func (s *Session) commandEnv(a machine.ActionRef) []string {
	env := append([]string{}, s.config.CommandEnv...)
	return append(env,
		"PLAYHEAD_RUN_ID="+s.config.Run.ID(),
		"PLAYHEAD_STEP="+a.StepLabel,
		"PLAYHEAD_ATTEMPT="+strconv.Itoa(a.Attempt-1),
		"PLAYHEAD_INSTANCE="+a.Instance,
	)
}

// OpenShell records that a person opens a shell at a step, named as for Jump, and returns the
// shell, with the folder and environment of the step's commands. The caller gives it the terminal.
// It returns an error if the run is not paused, or if nobody is there.
func (s *Session) OpenShell(step string) (cmd *exec.Cmd, err error) {
	err = s.sendRequest(request{do: func() error {
		switch {
		case !s.isAttended():
			return errors.New("no screen controls this run, so a shell cannot be opened")
		case s.job != nil:
			return errors.New("a shell can be opened only when nothing is running")
		}
		e, at, err := s.machine.ShellEvent(step)
		if err != nil {
			return err
		}
		cmd, err = shell.ForegroundCmd(shell.Command{
			Argv: []string{cmp.Or(os.Getenv("SHELL"), "/bin/sh")}, Dir: s.config.WorkingDir, Env: s.commandEnv(at),
		})
		if err != nil {
			return err
		}
		return s.record(e)
	}})
	return cmd, err
}

// finish records the result of the command.
func (p *process) finish(s *Session) error {
	res := p.Wait()
	_ = p.maskedOut.Flush() // background processes may continue to print; the log stores the error
	product := plan.Product{
		ExitCode: res.ExitCode, Signal: res.Signal, Cancelled: res.IsCancelled, TimedOut: res.HasTimedOut,
		Stdout: res.Stdout, Stderr: res.Stderr, Text: p.log.ShortenedText(machine.MaxOutputBytes),
	}
	if res.Err != nil {
		product.Err = res.Err.Error()
	}
	e := s.machine.ResultEvent(product)
	p.addRemainingProcesses(e.Body.(*machine.ActionFinished), res)
	return s.recordActionEnd(p.actionLog, e)
}

// addRemainingProcesses adds the processes that the command has left running.
func (p *process) addRemainingProcesses(body *machine.ActionFinished, res shell.Result) {
	body.BackgroundProcesses = res.BackgroundNames
	for _, l := range res.EscapedLeftovers {
		body.Leftovers = append(body.Leftovers, machine.LeftoverProcess(l))
	}
}

// Leftovers returns the processes in sessions of their own that steps of this run started, also
// before it was resumed, and that are still running.
func (s *Session) Leftovers() []shell.Leftover {
	s.mu.Lock()
	past := slices.Clip(s.journal)
	s.mu.Unlock()
	var alive []shell.Leftover
	for _, l := range shell.AliveLeftovers(append(LeftoversIn(past), s.config.Shell.Leftovers()...)) {
		l.Command = s.config.Run.MaskText(l.Command)
		if !slices.ContainsFunc(alive, func(o shell.Leftover) bool { return o.PID == l.PID }) {
			alive = append(alive, l)
		}
	}
	return alive
}

// LeftoversIn returns the leftovers that a journal records. Leftovers of the run that this one is a
// fork of do not count.
func LeftoversIn(past []machine.Event) (all []shell.Leftover) {
	for _, e := range past {
		switch b := e.Body.(type) {
		case *machine.RunForked:
			all = nil
		case *machine.ActionFinished:
			for _, l := range b.Leftovers {
				all = append(all, shell.Leftover(l))
			}
		}
	}
	return all
}
