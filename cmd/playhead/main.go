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
	"os"
	"path/filepath"
	"runtime/debug"

	"playhead/engine/scenario"
)

// heap is how far the heap may grow between collections, in percent: ours is a few
// megabytes of short-lived events and frames.
const heap = 400

func main() {
	debug.SetGCPercent(heap)
	if filepath.Base(os.Args[0]) == scenario.RDName {
		os.Exit(rd())
	}
	os.Exit(newApp().execute(context.Background(), os.Args[1:]))
}
