package runs

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"playhead/engine"
	"playhead/engine/rewrite"
	"playhead/engine/setup"
)

// EditsPrinter prints what a run edited of its documents and what it made of files, as diffs.
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
		p.Note("run %s has no edits", id)
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
		p.Note("%s cannot be written into the document: %v", c.Label, c.Err)
		return false, nil
	case c.There:
		p.Note("step %s is unchanged: the edit equals the document", c.Label)
		return true, nil
	}
	for _, n := range c.Notes {
		p.Note("%s: the document would have a warning: %s", c.Label, n)
	}
	if err := c.WriteDiff(p.Out, relativePath(c.File)); err != nil || !p.Write {
		return true, err
	}
	if err := c.Write(); err != nil {
		p.Note("%s cannot be written into the document: %v", c.Label, err)
		return false, nil
	}
	p.Note("%s is written into %s", c.Label, relativePath(c.File))
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
