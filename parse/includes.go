package parse

import (
	"errors"
	"slices"

	"playhead/parse/files"
	"playhead/parse/infile"
	"playhead/parse/plan"
	"playhead/parse/rundown"
	"playhead/parse/source"
)

// includeFinder looks for the documents that others include (rundown.md §5.7): next to the including
// document, then in the start directory. With links followed, a file must be below the root
// document's folder or the start directory.
type includeFinder struct {
	files          files.System
	rootDocument   string   // the path of the root document, with links followed
	rootFolder     string   // its folder, as the person named it
	startFolder    string   // the start directory
	allowedFolders []string // rootFolder and startFolder, with links followed
}

func (l *loader) newIncludeFinder() *includeFinder {
	f := &includeFinder{files: l.files, rootFolder: l.files.Dir(l.givenPath), startFolder: l.StartFolder}
	if f.startFolder == "" {
		f.startFolder = "."
	}
	f.rootDocument, _ = l.files.RealPath(l.givenPath)
	for _, dir := range []string{f.rootFolder, f.startFolder} {
		if real, err := l.files.RealPath(dir); err == nil {
			f.allowedFolders = append(f.allowedFolders, real)
		}
	}
	return f
}

// find implements rundown.FileFinder.
func (f *includeFinder) find(from *rundown.IncludedFile, path string) rundown.IncludedFile {
	beside := f.rootFolder
	if from != nil {
		beside = f.files.Dir(from.Path)
	}
	why := source.NoSuchFile
	for _, dir := range []string{beside, f.startFolder} {
		name := f.files.Join(dir, path)
		real, err := f.files.RealPath(name)
		if err != nil {
			continue
		}
		if !f.isAllowed(real) {
			why = "it is outside the document's folder and the working folder"
			continue
		}
		return f.readIncluded(name, real)
	}
	return rundown.IncludedFile{MissingReason: why}
}

// isAllowed reports whether a path, with links followed, is below one of the allowed folders.
func (f *includeFinder) isAllowed(real string) bool {
	for _, root := range f.allowedFolders {
		if _, ok := files.RelativeTo(root, real); ok {
			return true
		}
	}
	return false
}

func (f *includeFinder) readIncluded(name, real string) rundown.IncludedFile {
	found := rundown.IncludedFile{ID: real, Path: name, RelPath: name}
	if rel, ok := files.RelativeTo(f.rootFolder, name); ok {
		found.RelPath = rel
	}
	file, problem := files.Read(f.files, name, rundown.MaxSize)
	var kind *infile.NotRegularError
	switch {
	case problem != nil && errors.As(problem.Cause, &kind):
		found.MissingReason = problem.Message
	case problem != nil:
		found.UnreadableReason = problem.Message
	}
	found.Source = file
	return found
}

// maxPromptFileSize is the largest prompt file of a playbook, in bytes.
const maxPromptFileSize = 4 << 20

// addPromptFile reads a prompt file of a playbook (playbook.md §5), and adds it to the loader's files. It
// returns why the file cannot be read, "" if it can. With links followed, the file must be in the
// playbook's folder.
func (l *loader) addPromptFile(path string) string {
	home, err := l.files.RealPath(l.files.Dir(l.givenPath))
	if err != nil {
		return "" // the playbook is not in a file yet
	}
	name := l.files.Join(l.files.Dir(l.givenPath), path)
	if real, err := l.files.RealPath(name); err == nil {
		if _, ok := files.RelativeTo(home, real); !ok {
			return "it is outside the playbook's folder"
		}
	}
	file, problem := files.Read(l.files, name, maxPromptFileSize)
	if problem != nil {
		return problem.Message
	}
	if !slices.ContainsFunc(l.promptFiles, func(f plan.File) bool { return f.Path == name }) {
		l.promptFiles = append(l.promptFiles, plan.File{Path: name, Source: file})
	}
	return ""
}
