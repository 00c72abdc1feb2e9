// Command playhead steps through runbooks in a terminal.
//
// This package is the command line and nothing else: flags, exit statuses and
// wiring. Each command has a file of its own, in which reading the flags is kept
// apart from the function that does the work.
//
// What goes where:
//   - stdout has what was asked for, and nothing else, so that it can be piped;
//   - stderr has what is said about it: diagnostics of a run that was refused,
//     summaries of checks, errors. An error says what happened, where, and what
//     to do; it is never a stack trace;
//   - colours go only to a terminal that wants them.
//
// updatemaxprocs=0 keeps the runtime from checking every second whether the limit on processors has changed,
// which would wake an idle program.
//
//go:debug updatemaxprocs=0
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"

	"playhead/engine/journal"
	"playhead/engine/outfile"
	"playhead/engine/sanitize"
	"playhead/parse/rundown"
)

// heapGrowthPercent is how far the heap may grow between collections, in percent: ours is a few
// megabytes of short-lived events and frames.
const heapGrowthPercent = 150

func main() {
	debug.SetGCPercent(heapGrowthPercent)
	if filepath.Base(os.Args[0]) == rundown.CommandName {
		os.Exit(runRDReplacement())
	}
	os.Exit(newApp().execute(context.Background(), os.Args[1:]))
}

// version is set by the linker when a release is built.
var version = "0.1.0-dev"

func newVersionCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArgs,
		RunE: a.runE(func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(a.stdout, "playhead %s %s/%s %s\n", versionText(), runtime.GOOS, runtime.GOARCH, runtime.Version())
			return err
		}),
	}
}

// versionText returns the version, with the commit if the build knows it.
func versionText() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 7 {
			return version + " (" + s.Value[:7] + ")"
		}
	}
	return version
}

// app is one invocation of the program: its streams, its exit status and its last error.
type app struct {
	stdin            io.Reader
	stdout, stderr   io.Writer
	exitStatus       int
	lastPrintedError string // the error that was last printed
}

func newApp() *app {
	return &app{stdin: os.Stdin, stdout: outfile.NewStream(os.Stdout), stderr: os.Stderr}
}

// execute runs the command line and returns the exit status.
func (a *app) execute(ctx context.Context, args []string) int {
	root := newRootCmd(a)
	root.SetArgs(args)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	a.wrapHelp(root)
	err := fang.Execute(ctx, root,
		fang.WithoutManpage(),
		fang.WithVersion(versionText()),
		fang.WithErrorHandler(func(w io.Writer, _ fang.Styles, err error) { a.printError(err) }),
	)
	if err != nil && a.stdoutError() == nil {
		return exitUsage // only cobra's own complaints get here
	}
	return a.finalExitStatus()
}

// runE adapts a command's function to cobra. It prints errors itself, because cobra treats every error
// like a mistyped flag.
func (a *app) runE(f func(cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if err := f(cmd, args); err != nil {
			a.printError(err)
			a.exitStatus = exitStatusOfError(err)
		}
		return nil
	}
}

// printError prints an error on stderr, unless everything was printed already.
func (a *app) printError(err error) {
	var f *exitError
	if errors.As(err, &f) && f.err == nil {
		return
	}
	a.lastPrintedError = err.Error()
	fmt.Fprintf(a.stderr, "playhead: %s\n", sanitize.PlainLines(a.lastPrintedError))
}

// printNote prints a message on stderr that is not an error.
func (a *app) printNote(format string, args ...any) {
	fmt.Fprintf(a.stderr, "playhead: %s\n", sanitize.Plain(fmt.Sprintf(format, args...)))
}

// printJournalNotes prints what a person should know about a run's journal.
func (a *app) printJournalNotes(h journal.History) {
	for _, note := range h.Notes {
		a.printNote("%s", note)
	}
}

// stdoutError returns why stdout could not be written. A closed pipe is not an error.
func (a *app) stdoutError() error {
	if o, ok := a.stdout.(*outfile.Stream); ok {
		return o.Err()
	}
	return nil
}

// finalExitStatus returns the exit status. It prints a write error of stdout, which counts as a failure if
// nothing else failed.
func (a *app) finalExitStatus() int {
	err := a.stdoutError()
	if err == nil {
		return a.exitStatus
	}
	if !strings.Contains(a.lastPrintedError, err.Error()) {
		a.printError(err)
	}
	return cmp.Or(a.exitStatus, exitFailed)
}

// jsonWriter returns the writer for JSON, which prints it unstyled on a terminal, too.
func (a *app) jsonWriter() io.Writer { return sanitize.JSONWriter{Writer: a.stdout} }
