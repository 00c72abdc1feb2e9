package rewrite

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"playhead/engine/journal"
	"playhead/engine/linediff"
	"playhead/engine/machine"
	"playhead/parse/infile"
)

// FileContents is a version of a run's documents: the contents of its files, by absolute path.
type FileContents map[string][]byte

// EditSnapshots returns the names of the snapshots that a run's edits of the document have made:
// first the version that was edited, then the result of each edit. label describes what was edited.
// There are none if nothing was edited since the files were loaded. events are the run's live branch,
// with or without its rewinds.
func EditSnapshots(events []machine.Event) (snapshots []string, label string) {
	snapshots = []string{""}
	for _, e := range events {
		b, reloads := e.Body.(*machine.DocumentReloaded)
		switch {
		case !reloads:
		case b.EditSubject == "":
			snapshots, label = []string{b.Snapshot}, ""
		default:
			snapshots, label = append(snapshots, b.Snapshot), b.EditSubject
		}
	}
	if len(snapshots) == 1 {
		return nil, ""
	}
	if n := len(snapshots) - 1; n > 1 {
		label = fmt.Sprintf("last %d edits to the document", n)
	}
	return snapshots, label
}

// Equal reports whether two versions have the same files with the same contents.
func (f FileContents) Equal(other FileContents) bool { return maps.EqualFunc(f, other, bytes.Equal) }

// ContainsEdits reports whether a version has the edits that led from base to edited: none of the lines that
// they wrote is gone, and none that they removed is back.
func (f FileContents) ContainsEdits(base, edited FileContents) bool {
	for file, text := range edited {
		if bytes.Equal(base[file], text) || bytes.Equal(f[file], text) {
			continue
		}
		written, removed := map[int]bool{}, map[string]bool{}
		for _, l := range slices.Concat(linediff.CompareLines(linediff.SplitLines(base[file]), linediff.SplitLines(text))...) {
			switch l.Op {
			case linediff.Added:
				written[l.NumberInB] = true
			case linediff.Removed:
				removed[l.Text] = l.Text != ""
			}
		}
		for _, l := range slices.Concat(linediff.CompareLines(linediff.SplitLines(text), linediff.SplitLines(f[file]))...) {
			if l.Op == linediff.Removed && written[l.NumberInA] || l.Op == linediff.Added && removed[l.Text] {
				return false
			}
		}
	}
	return true
}

// DocumentChanges returns the changes of files that edits of the document have made, from the first version
// to the last. edits are the run's edits of steps, which may already be written into the files.
func (d RunDocuments) DocumentChanges(label string, versions []FileContents, edits []Edit) []FileChange {
	first, last := versions[0], versions[len(versions)-1]
	var out []FileChange
	for _, file := range slices.Sorted(maps.Keys(last)) {
		if bytes.Equal(first[file], last[file]) {
			continue
		}
		c := FileChange{Edit: Edit{Label: label}, File: file, After: d.withWrittenEdits(last[file], file, edits), folder: d.folder()}
		c.Err = d.prepareDocumentChange(&c, versions, edits)
		out = append(out, c)
	}
	return out
}

// ErrSecretInDocument is the error for a text with a secret, because the run stores its document unmasked.
var ErrSecretInDocument = errors.New("the text contains a secret, which must not go into a document: use a variable instead")

// prepareDocumentChange sets the remaining fields of a change whose Edit, File and After are set. It returns an error unless the
// file is as in one of the versions, with or without the edits, and the document has no errors with the change.
func (d RunDocuments) prepareDocumentChange(c *FileChange, versions []FileContents, edits []Edit) (err error) {
	if c.Before, err = infile.Read(c.File, infile.MaxPersonFileSize); err != nil {
		return err
	}
	if bytes.Contains(c.After, []byte(journal.SecretPlaceholder)) && !bytes.Contains(c.Before, []byte(journal.SecretPlaceholder)) {
		return ErrSecretInDocument
	}
	if c.IsInDocument = bytes.Equal(c.Before, c.After); c.IsInDocument {
		return nil
	}
	isBefore := func(v FileContents) bool { return bytes.Equal(d.withWrittenEdits(v[c.File], c.File, edits), c.Before) }
	if !slices.ContainsFunc(versions, isBefore) {
		return fmt.Errorf("%s has changed since it was edited in the run: reload it, or edit the file yourself", filepath.Base(c.File))
	}
	for _, l := range slices.Concat(c.Hunks()...) {
		if c.Line == 0 && l.Op != linediff.Same {
			c.Line = cmp.Or(l.NumberInA, l.NumberInB)
		}
	}
	now, after := d.LoadPlan(nil), d.LoadPlan(map[string][]byte{c.File: c.After})
	c.NewWarnings = newWarnings(now, after)
	return checkStillRunnable(now, after)
}
