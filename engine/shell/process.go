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
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A Process is one command in execution. Its methods may be called from any goroutine.
type Process struct {
	job      job
	streams  *streams
	pumps    []*pump
	captures []*capture // with pipes: stdout and stderr
	leader   *os.Process
	reports  *os.File
	ended    []string   // what had to be ended when the runner was closed
	escaped  []Leftover // what was let go then

	orders sync.Mutex
	pipe   *os.File // orders go to the leader through it; nil when there are no more
	encode *gob.Encoder

	mu                  sync.Mutex
	cancelled, timedOut bool
	release             []func() // what the command's context and timeout hold

	finished sync.Once
	shut     sync.Once
	result   Result
	done     chan struct{} // there is a result
	drained  chan struct{} // and nothing more will be written
	closing  chan struct{} // the runner is being closed
}

// Wait returns the command's result when its shell has exited. What was printed until then has
// been written.
func (p *Process) Wait() Result {
	<-p.done
	return p.result
}

// Done returns a channel that is closed when Wait no longer blocks.
func (p *Process) Done() <-chan struct{} { return p.done }

// Drained returns a channel that is closed when nothing more can be written to the command's
// writer: what the command left in the background is gone, too.
func (p *Process) Drained() <-chan struct{} { return p.drained }

// Write types into the command's terminal.
func (p *Process) Write(b []byte) (int, error) {
	if !p.job.Typing || p.streams == nil || p.streams.terminal == nil {
		return 0, errors.New("the command takes no input: it did not start, or nobody is there to type")
	}
	const patience = time.Second
	p.streams.terminal.SetWriteDeadline(time.Now().Add(patience))
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

// Cancel asks the command, and all that it started, to end (SIGINT, later SIGTERM), and kills
// what is still there after the runner's grace. It does not wait. Once the shell has exited it
// does nothing: what is in the background then goes on until the runner is closed.
func (p *Process) Cancel() { p.end(cancel, &p.cancelled) }

// Kill kills the command and all that it started at once.
func (p *Process) Kill() { p.end(kill, &p.cancelled) }

// end orders the command's end and notes why.
func (p *Process) end(o order, why *bool) {
	select {
	case <-p.done:
		return
	default:
	}
	p.mu.Lock()
	*why = true
	p.mu.Unlock()
	p.send(o)
}

func (p *Process) send(o order) {
	p.orders.Lock()
	defer p.orders.Unlock()
	if p.pipe != nil {
		_ = p.encode.Encode(o) // where it does not arrive the session has ended
	}
}

// hangUp tells the leader that its session is no longer wanted.
func (p *Process) hangUp() {
	p.orders.Lock()
	defer p.orders.Unlock()
	if p.pipe != nil {
		p.pipe.Close()
		p.pipe = nil
	}
}

// endSession ends the session. A leader that does not see to it in time is killed itself.
func (p *Process) endSession(grace time.Duration) {
	p.mu.Lock()
	p.cancelled = true
	p.mu.Unlock()
	p.shut.Do(func() { close(p.closing) })
	p.hangUp()
	watchdog := time.AfterFunc(grace+3*killPatience, func() { p.leader.Kill() })
	go func() {
		<-p.drained
		watchdog.Stop()
	}()
}

// followReports follows the leader's reports to its end, and the output to its own.
func (p *Process) followReports(forget func()) {
	decode := gob.NewDecoder(p.reports)
	for {
		var r report
		if decode.Decode(&r) != nil {
			break
		}
		p.note(r)
	}
	p.reports.Close()
	killAll(func() []member { return inSession(p.leader.Pid) }) // nothing is there, unless somebody killed the leader
	p.leader.Wait()
	p.hangUp()
	p.finish(Result{ExitCode: -1, Err: errUnwatched})
	p.drain()
	forget()
	close(p.drained)
}

func (p *Process) note(r report) {
	switch {
	case r.StartError != "":
		p.finish(Result{ExitCode: -1, Err: startError(p.job, r)})
	case r.Exited:
		for _, pump := range p.pumps {
			pump.settle()
		}
		p.finish(exited(r))
	default:
		p.ended, p.escaped = r.Ended, r.Escaped
	}
}

// exited makes a result of a shell's end.
func exited(r report) Result {
	result := Result{ExitCode: r.Code, Background: r.StillRunning, Escaped: r.Escaped}
	if r.Signal > 0 {
		result.ExitCode = 128 + r.Signal
		result.Signal = strings.TrimPrefix(unix.SignalName(syscall.Signal(r.Signal)), "SIG")
	}
	return result
}

// errUnwatched is the error of a command whose leader ended without a report.
var errUnwatched = errors.New("how the command ended is unknown: the process that watched over it was killed, and the command with it")

// finish sets the result, unless there is one.
func (p *Process) finish(r Result) {
	p.finished.Do(func() {
		for _, release := range p.release {
			release()
		}
		p.mu.Lock()
		r.Cancelled = r.Cancelled || p.cancelled
		r.TimedOut = p.timedOut
		p.mu.Unlock()
		if len(p.captures) > 0 {
			r.Stdout, r.Stderr = p.captures[0].text(), p.captures[1].text()
		}
		p.result = r
		close(p.done)
	})
}

// drain returns when nobody can print any more. At the end of the run it does not wait for those
// who left the session: it takes what they have printed.
func (p *Process) drain() {
	for _, pump := range p.pumps {
		select {
		case <-pump.done:
		case <-p.closing:
			pump.settle()
		}
	}
	p.streams.closeOurs()
	for _, pump := range p.pumps {
		<-pump.done
	}
}

// launch starts the leader and gives it the job.
func (p *Process) launch(j job, c Command, out io.Writer) (err error) {
	p.job = j
	if p.streams, err = open(c); err != nil {
		return fmt.Errorf("the command cannot be started: %w", err)
	}
	defer p.streams.closeTheirs()
	if err := p.startLeader(); err != nil {
		p.streams.closeOurs()
		return fmt.Errorf("the command cannot be started: %w", err)
	}
	p.startPumps(c, out)
	p.encode = gob.NewEncoder(p.pipe)
	_ = p.encode.Encode(j) // a leader that does not take it will be missed
	return nil
}

// startLeader starts this program again, as the leader of a new session.
func (p *Process) startLeader() error {
	orders, ours, err := os.Pipe()
	if err != nil {
		return err
	}
	defer orders.Close()
	back, reports, err := os.Pipe()
	if err != nil {
		ours.Close()
		return err
	}
	defer reports.Close()
	theirs := p.streams.theirs
	p.leader, err = os.StartProcess(executablePath, []string{leaderName}, &os.ProcAttr{
		Files: []*os.File{theirs[0], theirs[1], theirs[2], ordersFile: orders, reportsFile: reports},
		Sys:   &syscall.SysProcAttr{Setsid: true, Setctty: p.job.Terminal},
	})
	if err != nil {
		ours.Close()
		back.Close()
		return err
	}
	p.pipe, p.reports = ours, back
	return nil
}

func (p *Process) startPumps(c Command, out io.Writer) {
	if c.Stderr != nil {
		p.pumps = []*pump{startPump(p.streams.ours[0], out), startPump(p.streams.ours[1], c.Stderr)}
		return
	}
	if c.Pipes {
		out = &shared{w: out}
	}
	for _, f := range p.streams.ours {
		to := out
		if c.Pipes {
			caught := &capture{pass: out}
			p.captures = append(p.captures, caught)
			to = caught
		}
		p.pumps = append(p.pumps, startPump(f, to))
	}
}

// limit ends the command when its context does, or its time is over.
func (p *Process) limit(ctx context.Context, timeout time.Duration) {
	stop := context.AfterFunc(ctx, p.Cancel)
	p.release = append(p.release, func() { stop() })
	if timeout > 0 {
		timer := time.AfterFunc(timeout, func() { p.end(cancel, &p.timedOut) })
		p.release = append(p.release, func() { timer.Stop() })
	}
}
