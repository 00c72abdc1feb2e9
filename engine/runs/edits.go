package runs

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/rewrite"
	"playhead/engine/setup"
	"playhead/engine/tools/local"
	"playhead/parse"
	"playhead/parse/infile"
	"playhead/parse/plan"
)

// Changes returns the changes that the edits of a run would make to its documents: first the edits
// of the document itself, then those of the steps' actions.
func Changes(id string) ([]rewrite.Change, error) {
	history, err := journal.Default().Read(id)
	if err != nil {
		return nil, err
	}
	edits := rewrite.Edits(history.Events)
	snapshots, label := rewrite.DocumentEdits(machine.Chain(history.Events))
	if len(edits)+len(snapshots) == 0 {
		return nil, nil
	}
	src, err := history.Source()
	if err != nil {
		return nil, err
	}
	started, err := setup.StartOf(id, history.Events)
	if err != nil {
		return nil, err
	}
	path := src.OriginalDocument
	if strings.HasPrefix(started.Path, setup.ExamplePrefix) {
		return nil, setup.Errorf("%s is built in and cannot be changed: run a copy of it instead", started.Path)
	}
	inForce := history.Folder.Snapshot(setup.SnapshotOf(history.Events))
	docs := rewrite.Documents{
		Path: path,
		Load: func(instead map[string][]byte) *plan.Plan {
			return parse.Load(path, parse.Options{Format: started.Format, Start: src.OriginalStart, Flags: started.Options.Load, Overlay: instead})
		},
		Copy: func(path string) ([]byte, error) {
			copied, err := inForce.Copy(path)
			if err != nil {
				return nil, err
			}
			return infile.Read(copied, infile.State)
		},
	}
	var out []rewrite.Change
	if len(snapshots) > 0 {
		versions := make([]rewrite.FileContents, len(snapshots))
		for i, name := range snapshots {
			if versions[i], err = history.Folder.Snapshot(name).Contents(); err != nil {
				return nil, err
			}
		}
		out = docs.Files(label, versions)
	}
	return append(out, docs.Drafts(edits)...), nil
}

// EditsPrinter prints, as diffs, a run's edits of its documents and its changes of other files.
type EditsPrinter struct {
	Out   io.Writer
	Note  func(format string, args ...any) // tells a person what is no diff
	Write bool                             // the changes are written into the documents
}

// Print prints all of a run, and reports whether an edit cannot be made in the documents.
func (p EditsPrinter) Print(id string) (refused bool, err error) {
	drafts, err := Changes(id)
	if err != nil {
		return false, setup.Errorf("%w", err)
	}
	files, err := ChangedFiles(id)
	if err != nil {
		return false, setup.Errorf("%w", err)
	}
	if len(drafts)+len(files) == 0 {
		p.Note("run %s has no edits and no changed files", id)
	}
	for i := range drafts {
		if i > 0 { // drafted anew: the one before may have been written into the same file
			if drafts, err = Changes(id); err != nil {
				return refused, err
			}
		}
		ok, err := p.edit(drafts[i])
		if err != nil {
			return refused, err
		}
		refused = refused || !ok
	}
	for _, f := range files {
		p.file(f)
	}
	return refused, nil
}

// edit prints one edit and writes it, or says why it cannot.
func (p EditsPrinter) edit(c rewrite.Change) (ok bool, err error) {
	switch {
	case c.Err != nil:
		p.Note("cannot write %s into the document: %v", c.Name(), c.Err)
		return false, nil
	case c.InDocument:
		p.Note("nothing to write for %s: the document already says the same", c.Name())
		return true, nil
	}
	for _, n := range c.Notes {
		p.Note("%s: the document would have a warning: %s", c.Name(), n)
	}
	if err := c.WriteDiff(p.Out, relativePath(c.File)); err != nil || !p.Write {
		return true, err
	}
	if err := c.Write(); err != nil {
		p.Note("cannot write %s into the document: %v", c.Name(), err)
		return false, nil
	}
	p.Note("wrote %s into %s", c.Name(), relativePath(c.File))
	return true, nil
}

// file prints what the run made of a file.
func (p EditsPrinter) file(f engine.FileDiff) {
	steps := strings.Join(f.Steps, ", ")
	if f.Problem != "" {
		p.Note("%s, changed by %s: %s", f.Path, steps, f.Problem)
		return
	}
	p.Note("%s, changed by %s", f.Path, steps)
	_ = engine.WriteDiff(p.Out, f.Path, f.Old, f.New) // what cannot be printed cannot be told
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

// ChangedFiles returns the files that a run changed and has not restored.
func ChangedFiles(id string) ([]engine.FileDiff, error) {
	h, err := journal.Default().Read(id)
	if err != nil {
		return nil, err
	}
	return engine.FileDiffs(h.Folder, h.Events), nil
}

// RestoreFiles restores the file at a path, or all files for "", to its content before the run. No
// process may be driving the run.
func RestoreFiles(id, path string, now func() time.Time) (err error) {
	run, h, err := journal.Default().Open(id)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, run.Sync(), run.Close()) }()
	started, err := setup.StartOf(h.ID(), h.Events)
	if err != nil {
		return err
	}
	files := engine.ChangedFiles(h.Events)
	if len(files) == 0 {
		return engine.ErrNoChangedFiles
	}
	folder, err := local.Open(started.Options.Place())
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
	if end, over := h.Events[len(h.Events)-1].Body.(*machine.Finished); over && n > len(h.Events) {
		again := *end
		again.Ended = h.Events[len(h.Events)-1].Time
		if !end.Ended.IsZero() {
			again.Ended = end.Ended
		}
		err = errors.Join(err, add(&again))
	}
	return err
}
