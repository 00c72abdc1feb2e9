package shell

import (
	"encoding/gob"
	"errors"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

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

// note takes a report in.
func (p *Process) note(r report) {
	switch {
	case r.Refused != "":
		p.finish(Result{ExitCode: -1, Err: refusal(p.job, r)})
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
	result := Result{ExitCode: r.Code, Background: r.Left, Escaped: r.Escaped}
	if r.Signal > 0 {
		result.ExitCode = 128 + r.Signal
		result.Signal = strings.TrimPrefix(unix.SignalName(syscall.Signal(r.Signal)), "SIG")
	}
	return result
}

// errUnwatched is the end of a command that goes without a report, which is to say: with its leader.
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
		if len(p.caught) > 0 {
			r.Stdout, r.Stderr = p.caught[0].text(), p.caught[1].text()
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
