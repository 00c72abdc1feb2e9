package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"

	"playhead/engine/sanitize"
)

// app is one invocation of the program: its streams and how it went.
type app struct {
	in       io.Reader
	out, err io.Writer
	status   int
	printed  string // the error that was last printed
}

func newApp() *app { return &app{in: os.Stdin, out: &stdout{file: os.Stdout}, err: os.Stderr} }

// execute runs the command line and returns the exit status.
func (a *app) execute(ctx context.Context, args []string) int {
	root := newRootCmd(a)
	root.SetArgs(args)
	root.SetOut(a.out)
	root.SetErr(a.err)
	a.wrapHelp(root)
	err := fang.Execute(ctx, root,
		fang.WithoutManpage(),
		fang.WithVersion(versionText()),
		fang.WithErrorHandler(func(w io.Writer, _ fang.Styles, err error) { a.printError(err) }),
	)
	if err != nil && a.writeError() == nil {
		return exitUsage // only cobra's own complaints get here
	}
	return a.finish()
}

// do adapts a command's function to cobra. Its errors stop here: what the library
// does with an error, it does for a mistyped flag, and not for a run that failed.
func (a *app) do(f func(cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if err := f(cmd, args); err != nil {
			a.printError(err)
			a.status = statusOf(err)
		}
		return nil
	}
}

// printError prints an error on stderr, unless everything was printed already.
func (a *app) printError(err error) {
	var f *failure
	if errors.As(err, &f) && f.err == nil {
		return
	}
	a.printed = err.Error()
	fmt.Fprintf(a.err, "playhead: %s\n", sanitize.Text(a.printed))
}
