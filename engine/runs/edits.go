package runs

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/linediff"
	"playhead/engine/machine"
	"playhead/engine/rewrite"
	"playhead/engine/sanitize"
	"playhead/engine/setup"
	"playhead/engine/tools/local"
	"playhead/engine/wording"
)

// ChangesByEdits returns the changes that the edits of a run would make to its documents: first the edits of the
// document itself, then those of the steps' actions. With toWrite, a built-in document, which cannot be changed, is
// an error.
func ChangesByEdits(id string, toWrite bool) ([]rewrite.FileChange, error) {
	history, err := journal.DefaultStore().ReadHistory(id)
	if err != nil {
		return nil, err
	}
	edits := rewrite.EditsInForce(history.Events)
	snapshots, label := rewrite.EditSnapshots(machine.LiveBranch(history.Events))
	if len(edits)+len(snapshots) == 0 {
		return nil, nil
	}
	started, err := setup.RunStartedBody(id, history.Events)
	if err != nil {
		return nil, err
	}
	if toWrite && started.IsBuiltIn() {
		return nil, setup.BuiltInDocumentError(started.DocumentPath)
	}
	docs, err := setup.RunDocuments(history.Folder, started, history.Events)
	if err != nil {
		return nil, err
	}
	var out []rewrite.FileChange
	if len(snapshots) > 0 {
		versions := make([]rewrite.FileContents, len(snapshots))
		for i, name := range snapshots {
			if versions[i], err = history.Folder.AtSnapshot(name).ContentsByPath(); err != nil {
				return nil, err
			}
		}
		out = docs.DocumentChanges(label, versions, edits)
		docs = docs.WithChanges(out) // edits of steps are made in the version in force
	}
	return append(out, docs.EditChanges(edits)...), nil
}

// EditsPrinter prints, as diffs, a run's edits of its documents and its changes of other files. If asked to, it also
// writes the edits into the documents.
type EditsPrinter struct {
	Out         io.Writer
	PrintNote   func(format string, args ...any) // prints a remark, which is not part of a diff
	WritesEdits bool                             // the edits are also written into the documents
	WriteHint   string                           // the last line if edits are printed that can be written; "" for none
}

// Print prints the edits and the changed files of a run and, with WritesEdits, writes the edits into the documents.
// refused reports whether an edit cannot be made in the documents.
func (p EditsPrinter) Print(id string) (refused bool, err error) {
	changes, err := ChangesByEdits(id, p.WritesEdits)
	if err != nil {
		return false, setup.Errorf("%w", err)
	}
	files, err := changedFiles(id)
	if err != nil {
		return false, setup.Errorf("%w", err)
	}
	if len(changes)+len(files) == 0 {
		p.PrintNote("run %s has no edits and no changed files", id)
	}
	for i := range changes {
		if i > 0 { // the edit before may have been written into the same file
			if changes, err = ChangesByEdits(id, p.WritesEdits); err != nil {
				return refused, err
			}
		}
		ok, err := p.printAndWriteEdit(changes[i])
		if err != nil {
			return refused, err
		}
		refused = refused || !ok
	}
	for _, f := range files {
		p.printFile(f)
	}
	if p.WriteHint != "" && slices.ContainsFunc(changes, rewrite.FileChange.CanBeWritten) {
		fmt.Fprintln(p.Out, p.WriteHint)
	}
	return refused, nil
}

func (p EditsPrinter) printFailure(c rewrite.FileChange, err error) {
	p.PrintNote("cannot write back %s: %v", c.DescribeEdit(), err)
}

// printAndWriteEdit prints one edit and writes it, or says why it cannot.
func (p EditsPrinter) printAndWriteEdit(c rewrite.FileChange) (ok bool, err error) {
	switch {
	case c.Err != nil:
		p.printFailure(c, c.Err)
		return false, nil
	case c.IsInDocument:
		p.PrintNote("nothing to write for %s: the document already contains the change", c.DescribeEdit())
		return true, nil
	}
	for _, n := range c.NewWarnings {
		p.PrintNote("new warning in the document because of %s: %s", c.DescribeEdit(), n)
	}
	if err := linediff.WriteUnified(p.Out, sanitize.Plain(relativePath(c.File)), c.Hunks()); err != nil || !p.WritesEdits {
		return true, err
	}
	if err := c.Write(); err != nil {
		p.printFailure(c, err)
		return false, nil
	}
	p.PrintNote("wrote %s into %s", c.DescribeEdit(), relativePath(c.File))
	return true, nil
}

// printFile prints the run's change of a file.
func (p EditsPrinter) printFile(f engine.FileDiff) {
	steps := wording.StepsText(f.StepLabels)
	if f.Problem != "" {
		p.PrintNote("%s, changed by %s: %s", f.Path, steps, f.Problem)
		return
	}
	p.PrintNote("%s, changed by %s", f.Path, steps)
	_ = linediff.WriteUnified(p.Out, f.Path, f.Hunks()) // the error could not be printed either
}

// relativePath returns a path relative to the working directory if it is below that, else the path
// itself.
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

// changedFiles returns the files that a run changed and has not restored.
func changedFiles(id string) ([]engine.FileDiff, error) {
	h, err := journal.DefaultStore().ReadHistory(id)
	if err != nil {
		return nil, err
	}
	return engine.FileDiffs(h.Folder, h.Events), nil
}

// RestoreFiles restores the file at a path, or all files for "all", to its content before the run. No
// process may be driving the run.
func RestoreFiles(id, path string, now func() time.Time) (err error) {
	run, h, err := journal.DefaultStore().Open(id)
	if err != nil {
		return setup.Errorf("%w", err)
	}
	defer func() { err = errors.Join(err, run.Sync(), run.Close()) }()
	started, err := setup.RunStartedBody(h.ID(), h.Events)
	if err != nil {
		return err
	}
	files := engine.FilesChangedByTools(h.Events)
	if len(files) == 0 {
		return engine.ErrNoChangedFiles
	}
	folder, err := local.Open(started.Options.ToolPlace())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	n := len(h.Events)
	add := func(b machine.Body) error {
		n++
		return run.Append(machine.Event{Seq: n, Time: now(), By: machine.ByPerson, Body: b})
	}
	err = engine.RestoreFiles(folder, h.Folder, files, path, func(state machine.FileState) error { return add(&machine.FileRestored{FileState: state}) })
	if end, over := h.Events[len(h.Events)-1].Body.(*machine.RunFinished); over && n > len(h.Events) {
		again := *end
		again.FirstEnded = h.Events[len(h.Events)-1].Time
		if !end.FirstEnded.IsZero() {
			again.FirstEnded = end.FirstEnded
		}
		err = errors.Join(err, add(&again))
	}
	return err
}
