package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"playhead/engine"
	"playhead/engine/runs"
)

func newEditsCmd(a *app) *cobra.Command {
	var write bool
	var restore string
	cmd := &cobra.Command{
		Use:   "edits RUN",
		Short: "Show the edits made in a run and the files it changed as diffs, write or undo them",
		Long: `Show what a person edited in a run (a command, a prompt, a tool's arguments)
as a diff of the document. With --write, write the changes into the
document. A change is refused, with the reason, if it would mean something
else in the document, or if the document has changed since the run started.
The run itself has its own copy of the document.

Files that a model changed with the tools of its agent follow, each as a diff
from its content before the run. --restore PATH restores one of them, and
--restore all restores all. Files that have changed since are listed and stay
as they are.`,
		Example:           "playhead edits 7f3a\nplayhead edits 7f3a --write\nplayhead edits 7f3a --restore src/main.go",
		Args:              oneArg("a RUN (playhead runs lists them)"),
		ValidArgsFunction: completeRun,
	}
	cmd.RunE = a.do(func(_ *cobra.Command, args []string) error {
		if restore != "" {
			return a.restore(args[0], restore)
		}
		return a.edits(args[0], write)
	})
	cmd.Flags().StringVar(&restore, "restore", "", "restore the file PATH to its content before the run, or all files")
	cmd.Flags().BoolVar(&write, "write", false, "write the changes into the documents")
	cmd.MarkFlagsMutuallyExclusive("write", "restore")
	return cmd
}

func (a *app) edits(id string, write bool) error {
	drafts, err := runs.Changes(id)
	if err != nil {
		return &failure{exitUsage, err}
	}
	files, err := runs.ChangedFiles(id)
	if err != nil {
		return &failure{exitUsage, err}
	}
	if len(drafts)+len(files) == 0 {
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
	for _, f := range files {
		a.showChangedFile(f)
	}
	if failed {
		return exitWith(exitFailed)
	}
	return nil
}

// showChangedFile shows what a run made of a file.
func (a *app) showChangedFile(f engine.FileDiff) {
	steps := strings.Join(f.Steps, ", ")
	if f.Problem != "" {
		a.note("%s, changed by %s: %s", f.Path, steps, f.Problem)
		return
	}
	a.note("%s, changed by %s", f.Path, steps)
	_ = engine.WriteDiff(a.out, f.Path, f.Old, f.New) // what cannot be printed cannot be told
}

// restore puts files back as they were before a run.
func (a *app) restore(id, path string) error {
	if path == "all" {
		path = ""
	}
	if err := runs.RestoreFiles(id, path, time.Now); err != nil {
		return &failure{exitFailed, err}
	}
	a.note("restored")
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
