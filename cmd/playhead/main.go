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
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"playhead/engine/scenario"
)

// heap is how far the heap may grow between collections, in percent: ours is a few
// megabytes of short-lived events and frames.
const heap = 150

func main() {
	debug.SetGCPercent(heap)
	if filepath.Base(os.Args[0]) == scenario.RDName {
		os.Exit(rd())
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
		RunE: a.do(func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(a.out, "playhead %s %s/%s %s\n", versionText(), runtime.GOOS, runtime.GOARCH, runtime.Version())
			return err
		}),
	}
}

// versionText is the version, with the commit where the build knows it.
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
