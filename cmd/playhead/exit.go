package main

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"playhead/engine"
	"playhead/engine/setup"
	"playhead/engine/shell"
	"playhead/parse/plan"
)

// noteExit prints on stderr what a person should know about a run that they leave.
func (r *runner) noteExit(end engine.Ending, sig syscall.Signal) {
	for _, label := range setup.UnusedAnswers(r.Config, end.Result, r.Session.Events()) {
		r.note("the answer prepared for %s was not needed", label)
	}
	if len(end.Background) > 0 {
		r.note("ended leftover processes: %s", strings.Join(end.Background, ", "))
	}
	r.leftovers(end)
	if r.view == viewPlain && sig == syscall.SIGINT {
		fmt.Fprintln(r.err) // the terminal has shown the key
	}
	if r.view != viewScreen && !end.Result.Over() && end.Waiting == nil {
		r.note("the run is kept: %s continues it", r.ResumeCommand())
	}
}

// leftovers names the leftover processes, or ends them if that is
// wanted and the run is over: one that goes on later may need it.
func (r *runner) leftovers(end engine.Ending) {
	leftovers := shell.Alive(end.Leftovers)
	switch {
	case len(leftovers) == 0:
	case r.endLeftovers && end.Result.Over():
		r.note("%s", shell.EndAndReport(leftovers))
	default:
		r.note("leftover processes: %s; to end them: %s, or --end-leftovers when a run is over", shell.Names(leftovers), shell.KillCommand(leftovers))
	}
}

// leftoversQuestion returns the question whether to end leftover processes after the run, and what
// a yes does. The question is empty if nothing is left, or if leftovers end anyway.
func (r *runner) leftoversQuestion(end engine.Ending) (question string, yes func() string) {
	if leftovers := shell.Alive(end.Leftovers); len(leftovers) > 0 && end.Result.Over() && !r.endLeftovers {
		return "Leftover processes: " + shell.Names(leftovers) + ". End them?", func() string { return shell.EndAndReport(leftovers) }
	}
	return "", nil
}

// listOrEndLeftovers lists leftover processes, or ends them.
func (r *runner) listOrEndLeftovers(end bool) error {
	leftovers := r.Session.Leftovers()
	switch {
	case len(leftovers) == 0:
		return errors.New("there are no leftover processes")
	case end:
		fmt.Fprintf(r.out, "  %s\n", shell.EndAndReport(leftovers))
	default:
		fmt.Fprintf(r.out, "  %s\n  Type :end-leftovers yes to end them.\n", shell.Names(leftovers))
	}
	return nil
}

// The exit statuses, as docs and scripts know them.
const (
	exitOK          = 0
	exitFailed      = 1   // stopped or failed
	exitUsage       = 2   // bad usage, or a document that cannot run
	exitAwaiting    = 3   // nobody is there, and a person is needed
	exitInterrupted = 130 // by the person
	exitSignal      = 128 // + the signal's number
)

// failure is an error with an exit status. Without an err, everything was printed already.
type failure struct {
	status int
	err    error
}

func (f *failure) Error() string {
	if f.err == nil {
		return fmt.Sprintf("exit status %d", f.status)
	}
	return f.err.Error()
}

func (f *failure) Unwrap() error { return f.err }

// usageError returns an error for wrong use of the command line, with exit status 2.
func usageError(format string, args ...any) error {
	return &failure{exitUsage, fmt.Errorf(format, args...)}
}

// exitWith ends with a status. Everything was printed already.
func exitWith(status int) error {
	if status == exitOK {
		return nil
	}
	return &failure{status: status}
}

// statusOf returns the exit status for an error.
func statusOf(err error) int {
	var f *failure
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &f):
		return f.status
	case errors.As(err, new(*setup.Error)):
		return exitUsage
	default:
		return exitFailed
	}
}

// statusOfResult returns the exit status for a run that ended by itself.
func statusOfResult(r plan.RunResult) int {
	switch r {
	case plan.Completed:
		return exitOK
	case plan.Awaiting:
		return exitAwaiting
	case plan.Cancelled:
		return exitInterrupted
	default:
		return exitFailed
	}
}

// statusOfSignal returns the exit status for a process that a signal ended.
func statusOfSignal(s syscall.Signal) int { return exitSignal + int(s) }
