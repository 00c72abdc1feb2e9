package parse

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"playhead/parse/infile"
	"playhead/parse/plan"
	"playhead/parse/rundown"
	"playhead/parse/source"
)

// fileSystem is where files are: the computer's file system, or an fs.FS such as that of the built-in
// examples.
type fileSystem interface {
	// open opens a file without blocking, even if it is a pipe.
	open(name string) (fs.File, error)
	// openIn opens a file below a folder. Both names are free of links; it refuses a file that has
	// since become a link out of the folder.
	openIn(dir, name string) (fs.File, error)
	// abs returns an absolute name.
	abs(name string) string
	// realPath returns the absolute name with all links followed, which identifies the file.
	realPath(name string) (string, error)
	// realPathIn is like realPath for a name in a folder. The path of the folder is free of links.
	realPathIn(dir, name string) (string, error)
	join(dir, name string) string
	dir(name string) string
	// relativeTo returns a name relative to a folder, and false if the name is not below the folder.
	relativeTo(dir, name string) (rel string, ok bool)
}

// osFileSystem is the file system of the computer.
type osFileSystem struct{}

func (osFileSystem) open(name string) (fs.File, error) { return infile.Open(name) }

func (osFileSystem) openIn(dir, name string) (fs.File, error) {
	name, err := filepath.Rel(dir, name)
	if err != nil {
		return nil, err
	}
	return infile.OpenIn(dir, name, os.O_RDONLY)
}

func (osFileSystem) abs(name string) string {
	if abs, err := filepath.Abs(name); err == nil {
		return abs
	}
	return name // there is no working directory any more
}

func (o osFileSystem) realPath(name string) (string, error) {
	return filepath.EvalSymlinks(o.abs(name))
}

func (osFileSystem) realPathIn(dir, name string) (string, error) {
	path := filepath.Join(dir, name)
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return path, err
	}
	return filepath.EvalSymlinks(path)
}

func (osFileSystem) join(dir, name string) string {
	if name = filepath.FromSlash(name); filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

func (osFileSystem) dir(name string) string { return filepath.Dir(name) }

func (osFileSystem) relativeTo(dir, name string) (string, bool) {
	rel, err := filepath.Rel(dir, name)
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel)
}

// fsFileSystem is the fileSystem of an fs.FS. It follows no links.
type fsFileSystem struct{ fs fs.FS }

func (f fsFileSystem) open(name string) (fs.File, error) { return f.fs.Open(path.Clean(name)) }

func (f fsFileSystem) openIn(_, name string) (fs.File, error) { return f.open(name) }

func (fsFileSystem) abs(name string) string { return path.Clean(name) }

func (f fsFileSystem) realPath(name string) (string, error) {
	name = path.Clean(name)
	_, err := fs.Stat(f.fs, name)
	return name, err
}

func (f fsFileSystem) realPathIn(dir, name string) (string, error) {
	return f.realPath(path.Join(dir, name))
}

func (fsFileSystem) join(dir, name string) string { return path.Join(dir, name) }
func (fsFileSystem) dir(name string) string       { return path.Dir(name) }

func (fsFileSystem) relativeTo(dir, name string) (string, bool) {
	rel, err := filepath.Rel(filepath.FromSlash(dir), filepath.FromSlash(name))
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel)
}

// readFile reads a regular file of at most limit bytes.
func readFile(d fileSystem, name string, limit int64) ([]byte, *loadProblem) {
	f, err := d.open(name)
	if err != nil {
		return nil, problemFromError(err)
	}
	defer f.Close()
	file, err := infile.ReadOpened(f, name, limit)
	if err != nil {
		return nil, problemFromError(err)
	}
	return file, nil
}

// readFirstLines returns the first whole lines of a file, at most limit bytes, or nil if it cannot be read.
func readFirstLines(d fileSystem, name string, limit int64) []byte {
	f, err := d.open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, limit))
	if err != nil {
		return nil
	}
	return head[:bytes.LastIndexByte(head, '\n')+1]
}

// problemFromError returns the problem of a file that cannot be opened or read.
func problemFromError(err error) *loadProblem {
	problem := &loadProblem{code: "unreadable", message: err.Error(), suggestion: "check the path", cause: err}
	var at *fs.PathError
	var kind *infile.NotRegularError
	var size *infile.TooLargeError
	switch {
	case errors.As(err, &kind):
		problem.message, problem.suggestion = "this is "+infile.DescribeFileKind(kind.Mode), "name a regular file"
		if kind.Mode.IsDir() {
			problem.suggestion = "name a file in it"
		}
	case errors.As(err, &size):
		*problem = tooLargeProblem(size.Limit)
	case errors.Is(err, fs.ErrNotExist):
		problem.message = source.NoSuchFile
	case errors.Is(err, fs.ErrPermission):
		problem.message, problem.suggestion = "there is no permission to read it", "change its permissions"
	case errors.As(err, &at):
		problem.message = at.Err.Error()
	}
	return problem
}

func tooLargeProblem(limit int64) loadProblem {
	return loadProblem{code: "too-large", message: "it is larger than " + infile.FormatSize(limit), suggestion: "split it"}
}

// overlayFileSystem is a fileSystem that replaces the contents of some files.
type overlayFileSystem struct {
	fileSystem
	files map[string][]byte // by absolute path, and also by the path without links
}

// newOverlayFileSystem returns d with other contents for some files, which are given by absolute path.
func newOverlayFileSystem(d fileSystem, contents map[string][]byte) overlayFileSystem {
	p := overlayFileSystem{d, maps.Clone(contents)}
	for name, content := range contents {
		if real, err := d.realPath(name); err == nil {
			p.files[real] = content
		}
	}
	return p
}

func (o overlayFileSystem) open(name string) (fs.File, error) {
	f, err := o.fileSystem.open(name)
	return o.replaceContent(f, err, name)
}

func (o overlayFileSystem) openIn(dir, name string) (fs.File, error) {
	f, err := o.fileSystem.openIn(dir, name)
	return o.replaceContent(f, err, name)
}

func (o overlayFileSystem) replaceContent(f fs.File, err error, name string) (fs.File, error) {
	content, ok := o.files[o.abs(name)]
	if !ok || err != nil {
		return f, err
	}
	return replacedFile{f, bytes.NewReader(content)}, nil
}

type replacedFile struct {
	fs.File
	content *bytes.Reader
}

func (r replacedFile) Read(b []byte) (int, error) { return r.content.Read(b) }

// includeFinder looks for the documents that others include (rundown.md §5.7): next to the including
// document, then in the start directory. With links followed, a file must be below the root
// document's folder or the start directory.
type includeFinder struct {
	disk           fileSystem
	rootDocument   string   // the path of the root document, with links followed
	rootFolder     string   // its folder, as the person named it
	startFolder    string   // the start directory
	allowedFolders []string // rootFolder and startFolder, with links followed
}

func (l *loader) newIncludeFinder() *includeFinder {
	f := &includeFinder{disk: l.disk, rootFolder: l.disk.dir(l.givenPath), startFolder: l.StartFolder}
	if f.startFolder == "" {
		f.startFolder = "."
	}
	f.rootDocument, _ = l.disk.realPath(l.givenPath)
	for _, dir := range []string{f.rootFolder, f.startFolder} {
		if real, err := l.disk.realPath(dir); err == nil {
			f.allowedFolders = append(f.allowedFolders, real)
		}
	}
	return f
}

// find implements rundown.FileFinder.
func (f *includeFinder) find(from *rundown.IncludedFile, path string) rundown.IncludedFile {
	beside := f.rootFolder
	if from != nil {
		beside = f.disk.dir(from.Path)
	}
	why := source.NoSuchFile
	for _, dir := range []string{beside, f.startFolder} {
		name := f.disk.join(dir, path)
		real, err := f.disk.realPath(name)
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
		if _, ok := f.disk.relativeTo(root, real); ok {
			return true
		}
	}
	return false
}

func (f *includeFinder) readIncluded(name, real string) rundown.IncludedFile {
	found := rundown.IncludedFile{ID: real, Path: name, RelPath: name}
	if rel, ok := f.disk.relativeTo(f.rootFolder, name); ok {
		found.RelPath = rel
	}
	file, problem := readFile(f.disk, name, rundown.MaxSize)
	var kind *infile.NotRegularError
	switch {
	case problem != nil && errors.As(problem.cause, &kind):
		found.MissingReason = problem.message
	case problem != nil:
		found.UnreadableReason = problem.message
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
	home, err := l.disk.realPath(l.disk.dir(l.givenPath))
	if err != nil {
		return "" // the playbook is not in a file yet
	}
	name := l.disk.join(l.disk.dir(l.givenPath), path)
	if real, err := l.disk.realPath(name); err == nil {
		if _, ok := l.disk.relativeTo(home, real); !ok {
			return "it is outside the playbook's folder"
		}
	}
	file, problem := readFile(l.disk, name, maxPromptFileSize)
	if problem != nil {
		return problem.message
	}
	if !slices.ContainsFunc(l.promptFiles, func(f plan.File) bool { return f.Path == name }) {
		l.promptFiles = append(l.promptFiles, plan.File{Path: name, Source: file})
	}
	return ""
}
