package shell

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"playhead/engine/shell/leader"
	"playhead/engine/shell/processes"
)

// A Process is one command in execution. Its methods may be called from any goroutine.
type Process struct {
	job              leader.Job
	streams          *streams
	pumps            []*outputPump
	captures         []*outputCapture // with pipes: stdout and stderr
	leaderProcess    *os.Process
	reports          *os.File
	endedNames       []string   // the processes that had to be ended when the runner was closed
	escapedLeftovers []Leftover // the processes that were left running then

	ordersMu     sync.Mutex
	orderPipe    *os.File // the pipe for orders to the leader; nil if there are no more orders
	orderEncoder *gob.Encoder

	mu                  sync.Mutex
	cancelled, timedOut bool
	releaseFuncs        []func() // release the command's context and timeout

	finishOnce sync.Once
	closeOnce  sync.Once
	result     Result
	done       chan struct{} // closed when there is a result
	drained    chan struct{} // closed when nothing more will be written
	closing    chan struct{} // closed when the runner is being closed
}

// Wait waits until the command's shell has exited and returns the result. All output until then has been
// written.
func (p *Process) Wait() Result {
	<-p.done
	return p.result
}

// Done returns a channel that is closed when Wait no longer blocks.
func (p *Process) Done() <-chan struct{} { return p.done }

// Drained returns a channel that is closed when nothing more can be written to the command's writer,
// because all processes that the command left in the background have ended.
func (p *Process) Drained() <-chan struct{} { return p.drained }

// Write types into the command's terminal.
func (p *Process) Write(b []byte) (int, error) {
	if !p.job.AcceptsInput || p.streams == nil || p.streams.terminal == nil {
		return 0, errors.New("the command takes no input: it did not start, it has no terminal, or this run gives no input to commands")
	}
	const maxWait = time.Second
	p.streams.terminal.SetWriteDeadline(time.Now().Add(maxWait))
	n, err := p.streams.terminal.Write(b)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		err = errors.New("the command does not read its input")
	case err != nil:
		err = errors.New("the command has ended")
	}
	return n, err
}

// Resize tells the command that the size of its terminal has changed.
func (p *Process) Resize(cols, rows int) error {
	if p.streams == nil {
		return nil
	}
	return p.streams.resize(cols, rows)
}

// Cancel asks the command and all processes that it started to end (SIGINT, later SIGTERM), and kills
// those that are still running after the runner's grace. It does not wait. It does nothing if the shell
// has exited: processes in the background then continue until the runner is closed.
func (p *Process) Cancel() { p.orderEnd(leader.Cancel, &p.cancelled) }

// Kill immediately kills the command and all processes that it started.
func (p *Process) Kill() { p.orderEnd(leader.Kill, &p.cancelled) }

// orderEnd sends an order to end the command, and sets a flag of p that says why.
func (p *Process) orderEnd(o leader.Order, flag *bool) {
	select {
	case <-p.done:
		return
	default:
	}
	p.mu.Lock()
	*flag = true
	p.mu.Unlock()
	p.sendOrder(o)
}

func (p *Process) sendOrder(o leader.Order) {
	p.ordersMu.Lock()
	defer p.ordersMu.Unlock()
	if p.orderPipe != nil {
		_ = p.orderEncoder.Encode(o) // if this fails, the session has ended
	}
}

// closeOrderPipe closes the pipe for orders, so that the leader ends its session.
func (p *Process) closeOrderPipe() {
	p.ordersMu.Lock()
	defer p.ordersMu.Unlock()
	if p.orderPipe != nil {
		p.orderPipe.Close()
		p.orderPipe = nil
	}
}

// endSession makes the leader end the session. It kills the leader if that takes too long.
func (p *Process) endSession(grace time.Duration) {
	p.mu.Lock()
	p.cancelled = true
	p.mu.Unlock()
	p.closeOnce.Do(func() { close(p.closing) })
	p.closeOrderPipe()
	watchdog := time.AfterFunc(grace+3*processes.KillTimeout, func() { p.leaderProcess.Kill() })
	go func() {
		<-p.drained
		watchdog.Stop()
	}()
}

// followReports handles the leader's reports until the leader ends, and waits until the output ends. Then it calls
// remove, which takes p out of the runner.
func (p *Process) followReports(remove func()) {
	decode := gob.NewDecoder(p.reports)
	for {
		var r leader.Report
		if decode.Decode(&r) != nil {
			break
		}
		p.handleReport(r)
	}
	p.reports.Close()
	processes.KillAll(func() []processes.Process { return processes.SessionMembers(p.leaderProcess.Pid) }) // there are members only if somebody killed the leader
	p.leaderProcess.Wait()
	p.closeOrderPipe()
	p.setResult(Result{ExitCode: -1, Err: errLeaderKilled})
	p.waitUntilDrained()
	remove()
	close(p.drained)
}

func (p *Process) handleReport(r leader.Report) {
	switch {
	case r.StartError != "":
		p.setResult(Result{ExitCode: -1, Err: explainStartError(p.job, r)})
	case r.HasExited:
		for _, pump := range p.pumps {
			pump.waitUntilCopied()
		}
		p.setResult(resultFromReport(r))
	default:
		p.endedNames, p.escapedLeftovers = displayNames(r.Ended), newLeftovers(r.Escaped)
	}
}

// resultFromReport returns the result for a report that the shell has exited.
func resultFromReport(r leader.Report) Result {
	result := Result{ExitCode: r.ExitCode, BackgroundNames: displayNames(r.StillRunning), EscapedLeftovers: newLeftovers(r.Escaped)}
	if r.Signal > 0 {
		result.ExitCode = 128 + int(r.Signal)
		result.Signal = strings.TrimPrefix(unix.SignalName(r.Signal), "SIG")
	}
	return result
}

// errLeaderKilled is the error of a command whose leader ended without a report.
var errLeaderKilled = errors.New("it is not known how the command ended, because the Playhead process that supervised it was killed")

// setResult sets the result, unless there is one.
func (p *Process) setResult(r Result) {
	p.finishOnce.Do(func() {
		for _, release := range p.releaseFuncs {
			release()
		}
		p.mu.Lock()
		r.IsCancelled = r.IsCancelled || p.cancelled
		r.HasTimedOut = p.timedOut
		p.mu.Unlock()
		if len(p.captures) > 0 {
			r.Stdout, r.Stderr = p.captures[0].capturedText(), p.captures[1].capturedText()
		}
		p.result = r
		close(p.done)
	})
}

// waitUntilDrained waits until no process can print any more. At the end of the run, it does not wait for
// processes that left the session, and takes only what they have printed so far.
func (p *Process) waitUntilDrained() {
	for _, pump := range p.pumps {
		select {
		case <-pump.done:
		case <-p.closing:
			pump.waitUntilCopied()
		}
	}
	p.streams.closeOurEnds()
	for _, pump := range p.pumps {
		<-pump.done
	}
}

// startJob starts the leader and gives it the job.
func (p *Process) startJob(j leader.Job, c Command, out io.Writer) (err error) {
	p.job = j
	if p.streams, err = openStreams(c); err != nil {
		return fmt.Errorf("the command cannot be started: %w", err)
	}
	defer p.streams.closeCommandFiles()
	if err := p.startLeader(); err != nil {
		p.streams.closeOurEnds()
		return fmt.Errorf("the command cannot be started: %w", err)
	}
	p.startPumps(c, out)
	p.orderEncoder = gob.NewEncoder(p.orderPipe)
	_ = p.orderEncoder.Encode(j) // if this fails, the leader's end is noticed
	return nil
}

func (p *Process) startLeader() error {
	orderReader, orderWriter, err := os.Pipe()
	if err != nil {
		return err
	}
	defer orderReader.Close()
	reportReader, reportWriter, err := os.Pipe()
	if err != nil {
		orderWriter.Close()
		return err
	}
	defer reportWriter.Close()
	p.leaderProcess, err = leader.Start(p.streams.commandFiles, orderReader, reportWriter, p.job.HasTerminal)
	if err != nil {
		orderWriter.Close()
		reportReader.Close()
		return err
	}
	p.orderPipe, p.reports = orderWriter, reportReader
	return nil
}

func (p *Process) startPumps(c Command, out io.Writer) {
	if c.Stderr != nil {
		p.pumps = []*outputPump{startPump(p.streams.ourEnds[0], out), startPump(p.streams.ourEnds[1], c.Stderr)}
		return
	}
	if c.UsesPipes {
		out = &lockedWriter{w: out}
	}
	for _, f := range p.streams.ourEnds {
		to := out
		if c.UsesPipes {
			capture := &outputCapture{next: out}
			p.captures = append(p.captures, capture)
			to = capture
		}
		p.pumps = append(p.pumps, startPump(f, to))
	}
}

// endWithContextOrTimeout ends the command when its context ends or its timeout is over.
func (p *Process) endWithContextOrTimeout(ctx context.Context, timeout time.Duration) {
	stop := context.AfterFunc(ctx, p.Cancel)
	p.releaseFuncs = append(p.releaseFuncs, func() { stop() })
	if timeout > 0 {
		timer := time.AfterFunc(timeout, func() { p.orderEnd(leader.Cancel, &p.timedOut) })
		p.releaseFuncs = append(p.releaseFuncs, func() { timer.Stop() })
	}
}
