package main

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"playhead/engine/runs"
)

func newEditsCmd(a *app) *cobra.Command {
	var write bool
	cmd := &cobra.Command{
		Use:   "edits RUN",
		Short: "Show the edits made in a run as a diff of its documents, or write them there",
		Long: `Show what a person edited in a run (a command, a prompt, a tool's arguments)
as a diff of the document. With --write, write the changes into the
document. A change is refused, with the reason, if it would mean something
else in the document, or if the document has changed since the run started.
The run itself has its own copy of the document.`,
		Example:           "playhead edits 7f3a\nplayhead edits 7f3a --write",
		Args:              oneArg("a RUN (playhead runs lists them)"),
		ValidArgsFunction: completeRun,
	}
	cmd.RunE = a.do(func(_ *cobra.Command, args []string) error { return a.edits(args[0], write) })
	cmd.Flags().BoolVar(&write, "write", false, "write the changes into the documents")
	return cmd
}

func (a *app) edits(id string, write bool) error {
	drafts, err := runs.Changes(id)
	if err != nil {
		return &failure{exitUsage, err}
	}
	if len(drafts) == 0 {
		a.note("run %s has no edits", id)
		return nil
	}
	failed := false
	for i := range drafts {
		err := a.showEdit(id, i, write)
		failed = failed || errors.Is(err, errRefused)
		if err != nil && !errors.Is(err, errRefused) {
			return err
		}
	}
	if failed {
		return exitWith(exitFailed)
	}
	return nil
}

var errRefused = errors.New("refused")

// showEdit shows one edit, and writes it. It is drafted anew: the one before it may have
// been written into the same file.
func (a *app) showEdit(id string, i int, write bool) error {
	all, err := runs.Changes(id)
	if err != nil {
		return err
	}
	d := all[i]
	switch {
	case d.Err != nil:
		a.note("%s cannot be written into the document: %v", d.Label, d.Err)
		return errRefused
	case d.There:
		a.note("step %s is unchanged: the edit equals the document", d.Label)
		return nil
	}
	for _, n := range d.Notes {
		a.note("%s: the document would have a warning: %s", d.Label, n)
	}
	if err := d.WriteDiff(a.out, relativePath(d.File)); err != nil || !write {
		return err
	}
	if err := d.Write(); err != nil {
		a.note("%s cannot be written into the document: %v", d.Label, err)
		return errRefused
	}
	a.note("%s is written into %s", d.Label, relativePath(d.File))
	return nil
}

// relativePath is a path from the working directory, if it is below that.
func relativePath(path string) string {
	dir, err := os.Getwd()
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}
