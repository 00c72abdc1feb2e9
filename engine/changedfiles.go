package engine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"playhead/engine/journal"
	"playhead/engine/linediff"
	"playhead/engine/machine"
	"playhead/engine/tools/local"
)

// ChangedFile is a file that a run changed, with its state before the run and as the run left it.
type ChangedFile struct {
	machine.FileState
	StepLabels []string // the labels of the steps that changed it, each once

	maskedHashBefore, maskedHashAfter string // the hashes of the contents without the secrets
}

// FileDiff is a changed file with its contents, without the secrets.
type FileDiff struct {
	ChangedFile
	OldContent, NewContent []byte // before the run and as the run left it; OldContent is nil for a new file
	Problem                string // why the contents are missing; "": they are not
}

// Hunks returns the lines that differ.
func (f FileDiff) Hunks() []linediff.Hunk {
	return linediff.CompareLines(linesOf(f.OldContent), linesOf(f.NewContent))
}

// FileDiffs returns the changed files of a run with the contents that its folder stores.
func FileDiffs(run journal.Folder, events []machine.Event) (out []FileDiff) {
	for _, f := range FilesChangedByTools(events) {
		d := FileDiff{ChangedFile: f}
		if err := d.readContents(run); err != nil {
			d.Problem = err.Error()
		}
		out = append(out, d)
	}
	return out
}

func (f *FileDiff) readContents(run journal.Folder) (err error) {
	if f.NewContent, err = run.FileContent(f.maskedHashAfter); err == nil && f.HashBefore != "" {
		f.OldContent, err = run.FileContent(f.maskedHashBefore)
	}
	return err
}

// ErrNoChangedFiles means that no call of Playhead's own tools has left a file changed. What commands and the tools
// of servers do to files is not recorded.
var ErrNoChangedFiles = errors.New("there are no changed files: only changes by Playhead's own tools are recorded, not those by commands or server tools")

// NotChangedError returns the error that no call of Playhead's own tools has left the file at path changed.
func NotChangedError(path string) error {
	return fmt.Errorf("%s is not a changed file: Playhead's own tools did not change it, or it was restored", path)
}

// RestoreFiles restores files to their content before the run changed them: the one at path, or all for
// "all". It records each restored file. Files that are not as the run left them stay, and the
// error names them.
func RestoreFiles(folder *local.Folder, run journal.Folder, files []ChangedFile, path string, record func(machine.FileState) error) error {
	var stay []string
	found := false
	for _, f := range files {
		if path != "all" && path != f.Path {
			continue
		}
		found = true
		var before []byte
		var err error
		if f.HashBefore != "" {
			before, err = run.FileContent(f.HashBefore)
		}
		if err == nil {
			err = folder.RestoreFile(f.Path, before, f.HashBefore != "", f.HashAfter)
		}
		if err != nil {
			stay = append(stay, err.Error())
			continue
		}
		if err := record(machine.FileState{Path: f.Path, HashBefore: f.HashAfter, HashAfter: f.HashBefore}); err != nil {
			return err
		}
	}
	switch {
	case !found && path != "all":
		return NotChangedError(path)
	case !found:
		return ErrNoChangedFiles
	case len(stay) > 0:
		return fmt.Errorf("not restored: %s", strings.Join(stay, "; "))
	}
	return nil
}

// updateChangedFiles updates the paths of the changed files if the event can change them.
func (s *Session) updateChangedFiles(e machine.Event) {
	switch b := e.Body.(type) {
	case *machine.FileChanging, *machine.FileRestored:
	case *machine.ActionFinished:
		if b.Error == "" || b.Kind != "tool" {
			return
		}
	default:
		return
	}
	s.changedPaths = changedPaths(s.journal)
}

func changedPaths(journal []machine.Event) (paths []string) {
	for _, f := range FilesChangedByTools(journal) {
		paths = append(paths, f.Path)
	}
	return paths
}

// FileDiffs returns the files that the run has changed.
func (s *Session) FileDiffs() []FileDiff {
	s.mu.Lock()
	past := slices.Clip(s.journal)
	s.mu.Unlock()
	return FileDiffs(s.config.Run.Folder, past)
}

// RestoreFiles restores files to their content before the run changed them: the one at path, or all for
// "all".
func (s *Session) RestoreFiles(path string) error {
	return s.sendRequest(request{do: func() error {
		folder, err := s.openProjectFolder()
		if err != nil {
			return err
		}
		return RestoreFiles(folder, s.config.Run.Folder, FilesChangedByTools(s.journal), path, func(state machine.FileState) error {
			e := machine.Event{Step: s.machine.Position(), By: machine.ByPerson, Body: &machine.FileRestored{FileState: state}}
			return s.record(e)
		})
	}})
}

// FilesChangedByTools returns the files that a run changed, in the order of their first changes. A rewind
// does not undo these changes. Restored files are left out.
func FilesChangedByTools(journal []machine.Event) (files []ChangedFile) {
	for _, e := range fileChangeEvents(journal) {
		if b, restored := e.Body.(*machine.FileRestored); restored {
			files = slices.DeleteFunc(files, func(f ChangedFile) bool { return f.Path == b.Path })
			continue
		}
		b := e.Body.(*machine.FileChanging)
		i := slices.IndexFunc(files, func(f ChangedFile) bool { return f.Path == b.Path })
		if i < 0 {
			i, files = len(files), append(files, changedFile(b))
		}
		last := changedFile(b)
		files[i].HashAfter, files[i].maskedHashAfter = last.HashAfter, last.maskedHashAfter
		if !slices.Contains(files[i].StepLabels, e.Step) {
			files[i].StepLabels = append(files[i].StepLabels, e.Step)
		}
	}
	return slices.DeleteFunc(files, func(f ChangedFile) bool { return f.HashBefore == f.HashAfter })
}

func changedFile(b *machine.FileChanging) ChangedFile {
	return ChangedFile{FileState: b.FileState, maskedHashBefore: cmp.Or(b.MaskedBefore, b.HashBefore), maskedHashAfter: cmp.Or(b.MaskedAfter, b.HashAfter)}
}

// fileChangeEvents returns the events of file changes that succeeded, and of restorations.
func fileChangeEvents(journal []machine.Event) (made []machine.Event) {
	open := -1 // the index of the change that is in progress
	for _, e := range journal {
		switch b := e.Body.(type) {
		case *machine.FileRestored:
			made = append(made, e)
		case *machine.FileChanging:
			made, open = append(made, e), len(made)
		case *machine.ActionFinished:
			if open >= 0 && b.Error != "" {
				made = slices.Delete(made, open, open+1)
			}
			open = -1
		}
	}
	return made
}
