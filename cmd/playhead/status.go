package main

import (
	"errors"
	"fmt"
	"syscall"

	"playhead/engine/setup"
	"playhead/parse/plan"
)

// The exit statuses, as docs and scripts know them.
const (
	exitOK          = 0
	exitFailed      = 1   // stopped or failed
	exitUsage       = 2   // bad usage, or a document that cannot run
	exitAwaiting    = 3   // nobody is there, and a person is needed
	exitInterrupted = 130 // by the person
	exitSignal      = 128 // + the signal's number
)

// failure is an error that stands for an exit status. Without an err everything
// has been said already.
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

// usage is a failure of the one who typed the command.
func usage(format string, args ...any) error {
	return &failure{exitUsage, fmt.Errorf(format, args...)}
}

// exitWith ends with a status. Everything was printed already.
func exitWith(status int) error {
	if status == exitOK {
		return nil
	}
	return &failure{status: status}
}

// statusOf is the exit status of an error.
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

// statusOfResult is the exit status of a run that ended by itself.
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

// statusOfSignal is the exit status of a process that a signal ended.
func statusOfSignal(s syscall.Signal) int { return exitSignal + int(s) }
