// Package shell runs commands.
package shell

import (
	"context"
	"io"
	"time"
)

// Command is what to run, where and how.
type Command struct {
	Shell       string        // "bash" or "sh"; bash falls back to sh where there is none
	Text        string        // the whole block: one argument of one shell
	Argv        []string      // instead of Text: a program and its arguments, no shell
	Dir         string        // working directory; empty: Playhead's own
	Env         []string      // NAME=value; nil: Playhead's own
	Cols, Rows  int           // size of the pseudo-terminal; 0: 80×24
	Pipes       bool          // stdout and stderr apart, no pseudo-terminal
	Timeout     time.Duration // 0: none
	Interactive bool          // false: standard input is empty
}

// Result is how a command ended.
type Result struct {
	ExitCode            int      // 128 + the signal's number when killed by one; -1 when not started
	Signal              string   // "KILL", "TERM" …, when a signal killed it
	Err                 error    // why it was not started, in words for a person
	Cancelled, TimedOut bool     // who ended it: a person or context; the clock
	Background          []string // what it left running when its shell exited
	Stdout, Stderr      string   // with Pipes: at most 1 MiB each
}

// Runner runs the commands of one run and keeps what they leave in the background.
type Runner struct{}

// NewRunner returns a Runner that gives commands grace between being asked to end and being killed; 0 is 2 seconds.
func NewRunner(grace time.Duration) *Runner { return &Runner{} }

// Start starts c, writing what it prints to out. It always returns a Process; one that could not be started has that in its Result.
func (r *Runner) Start(ctx context.Context, c Command, out io.Writer) *Process { return &Process{} }

// Close ends everything that still runs and returns its names.
func (r *Runner) Close() []string { return nil }

// Process is one command in execution.
type Process struct{}

// Wait returns when the command's shell has exited and what it printed until then was written.
func (p *Process) Wait() Result { return Result{} }

// Done is closed when Wait would return at once.
func (p *Process) Done() <-chan struct{} { return nil }

// Drained is closed when nothing more can be written to the command's writer.
func (p *Process) Drained() <-chan struct{} { return nil }

// Write types into the command's pseudo-terminal.
func (p *Process) Write(b []byte) (int, error) { return 0, nil }

// Resize tells the command its new size.
func (p *Process) Resize(cols, rows int) error { return nil }

// Cancel asks the command to end, and kills it when it does not.
func (p *Process) Cancel() {}

// Kill kills the command at once.
func (p *Process) Kill() {}
