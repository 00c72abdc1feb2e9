package main

import (
	"time"

	"github.com/spf13/cobra"

	"playhead/engine/runs"
)

func newEditsCmd(a *app) *cobra.Command {
	var write bool
	var restore string
	cmd := &cobra.Command{
		Use:   "edits RUN",
		Short: "Show a run's edits and changed files as diffs; write edits back, or restore files",
		Long: `Show what a person edited in a run (a command, a prompt, a tool's arguments,
a rule, the steps) as a diff of the document. With --write, write the edits
into the document. An edit is refused, with the reason, if a new run of the
edited document would behave differently from this run, or if the document
has changed since this run last read it. The run itself goes on with its own
copy of the document.

Below the edits are the files that Playhead's own tools changed, each as a
diff from its content before the run. --restore PATH restores one of them,
and --restore all restores all. Files that were changed again later are
listed, but not restored.`,
		Example:           "playhead edits 7f3a\nplayhead edits 7f3a --write\nplayhead edits 7f3a --restore src/main.go",
		Args:              exactlyOneArg(runArgument),
		ValidArgsFunction: completeOneRunID,
	}
	cmd.RunE = a.runE(func(_ *cobra.Command, args []string) error {
		if restore != "" {
			return a.restoreFiles(args[0], restore)
		}
		return a.showOrWriteEdits(args[0], runs.EditsPrinter{WritesEdits: write})
	})
	cmd.Flags().StringVar(&restore, "restore", "", "restore a file to its content before the run: its PATH, or all")
	cmd.Flags().BoolVar(&write, "write", false, "write the edits into the documents")
	allowAtMostOneFlag(cmd, "write", "restore")
	return cmd
}

// showOrWriteEdits prints the edits of a run as p says, and writes them if p says so.
func (a *app) showOrWriteEdits(id string, p runs.EditsPrinter) error {
	p.Out, p.PrintNote = a.stdout, a.printNote
	switch refused, err := p.Print(id); {
	case err != nil:
		return err
	case refused:
		return errorOfExitStatus(exitFailed)
	}
	return nil
}

// restoreFiles puts files back as they were before a run.
func (a *app) restoreFiles(id, path string) error {
	if err := runs.RestoreFiles(id, path, time.Now); err != nil {
		return err
	}
	a.printNote("restored to the content before the run: %s", path)
	return nil
}
