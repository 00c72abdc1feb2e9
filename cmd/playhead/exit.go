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

// printExitNotes prints on stderr what a person should know about a run that they leave.
func (r *runner) printExitNotes(end engine.Ending, sig syscall.Signal) {
	for _, label := range setup.UnusedAnswers(r.Config, end.Result, r.Session.Events()) {
		r.printNote("the answer prepared for %s was not needed", label)
	}
	if len(end.EndedProcesses) > 0 {
		r.printNote("ended leftover processes: %s", strings.Join(end.EndedProcesses, ", "))
	}
	r.reportOrEndLeftovers(end)
	if r.viewMode == viewPlainForPerson && sig == syscall.SIGINT {
		fmt.Fprintln(r.err) // after the ^C that the terminal has shown
	}
	if r.viewMode != viewScreen && !end.Result.IsFinal() && end.WaitingFor == nil {
		r.printNote("the run is kept: %s continues it", r.ResumeCommand())
	}
}

// reportOrEndLeftovers names leftover processes, or ends them if requested, unless the run can continue with them.
func (r *runner) reportOrEndLeftovers(end engine.Ending) {
	leftovers := shell.AliveLeftovers(end.Leftovers)
	switch {
	case len(leftovers) == 0:
	case r.endsLeftovers && end.Result.IsFinal():
		r.printNote("%s", shell.EndLeftoversAndReport(leftovers))
	default:
		r.printNote("leftover processes: %s; to end them, use %s, or run with --end-leftovers", shell.LeftoverNames(leftovers), shell.LeftoverKillCommand(leftovers))
	}
}

// leftoversQuestion returns the question whether to end leftover processes after the run, and what
// a yes does. The question is empty if nothing is left, or if leftovers end anyway.
func (r *runner) leftoversQuestion(end engine.Ending) (question string, yes func() string) {
	if leftovers := shell.AliveLeftovers(end.Leftovers); len(leftovers) > 0 && end.Result.IsFinal() && !r.endsLeftovers {
		return "Leftover processes: " + shell.LeftoverNames(leftovers) + ". End them?", func() string { return shell.EndLeftoversAndReport(leftovers) }
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
		fmt.Fprintf(r.out, "  %s\n", shell.EndLeftoversAndReport(leftovers))
	default:
		fmt.Fprintf(r.out, "  %s\n  Type :end-leftovers yes to end them.\n", shell.LeftoverNames(leftovers))
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
	exitSignalBase  = 128 // + the signal's number
)

// exitError is an error with an exit status. Without an err, everything was printed already.
type exitError struct {
	status int
	err    error
}

func (f *exitError) Error() string {
	if f.err == nil {
		return fmt.Sprintf("exit status %d", f.status)
	}
	return f.err.Error()
}

func (f *exitError) Unwrap() error { return f.err }

// usageError returns an error for wrong use of the command line, with exit status 2.
func usageError(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// exitStatusError returns an error that ends with a status, or nil for success. Everything was printed already.
func exitStatusError(status int) error {
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
