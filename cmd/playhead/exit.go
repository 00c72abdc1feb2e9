package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"syscall"

	"playhead/engine"
	"playhead/engine/host"
	"playhead/engine/setup"
	"playhead/parse/plan"
)

// printExitNotes prints on stderr what a person should know about a run that they leave.
func (r *runner) printExitNotes(end engine.Ending, sig syscall.Signal) {
	for _, note := range r.PrepareExit(end) {
		r.printNote("%s", note)
	}
	if r.viewMode == viewPlainForPerson && sig == syscall.SIGINT {
		fmt.Fprintln(r.stderr) // after the ^C that the terminal has shown
	}
	if r.viewMode != viewScreen && !end.Result.IsFinal() && end.WaitingFor == nil {
		r.printNote("the run is kept: %s continues it", r.ResumeCommand())
	}
}

// The exit statuses, as docs and scripts know them.
const (
	exitOK          = 0
	exitFailed      = 1   // stopped or failed
	exitUsage       = 2   // bad usage, or a document that cannot run
	exitAwaiting    = 3   // a person is needed, and nobody can be asked
	exitInterrupted = 130 // by the person
	exitSignalBase  = 128 // + the signal's number
)

// exitError is an error with an exit status. Without an err, everything was printed already.
type exitError struct {
	status int
	err    error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.status)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// usageError returns an error for wrong use of the command line, with exit status 2.
func usageError(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// errorOfExitStatus returns an error that ends with a status, or nil for success. Everything was printed already.
func errorOfExitStatus(status int) error {
	if status == exitOK {
		return nil
	}
	return &exitError{status: status}
}

// exitStatusOfError returns the exit status for an error.
func exitStatusOfError(err error) int {
	var f *exitError
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

// exitStatusOfResult returns the exit status for a run that ended by itself.
func exitStatusOfResult(r plan.RunResult) int {
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

// exitStatusOfSignal returns the exit status for a process that a signal ended.
func exitStatusOfSignal(s syscall.Signal) int { return exitSignalBase + int(s) }

// signalError returns an error with the exit status for a signal, nil for none.
func signalError(s syscall.Signal) error {
	if s == 0 {
		return nil
	}
	return errorOfExitStatus(exitStatusOfSignal(s))
}

// untilSignal calls do, and ends its context at a signal. The signal then sets the exit status.
func untilSignal(ctx context.Context, do func(context.Context) error) error {
	ctx, stop := host.CatchSignals(ctx, nil)
	err := do(ctx)
	return cmp.Or(signalError(stop()), err)
}

// followUntilSignal runs s, a recording or the run of another process, while follow shows it. done is closed
// when s ends. A signal ends s and sets the exit status.
func followUntilSignal(ctx context.Context, s interface {
	Run(context.Context) (engine.Ending, error)
}, follow func(done <-chan struct{})) error {
	return untilSignal(ctx, func(ctx context.Context) error {
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, _ = s.Run(ctx)
		}()
		follow(done)
		return nil
	})
}
