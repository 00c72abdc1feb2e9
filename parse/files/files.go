// Package files reads the files of documents, from the computer's file system or from an fs.FS, and says
// why one cannot be read.
package files

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"

	"playhead/parse/infile"
	"playhead/parse/source"
)

// System is where files are: OS, or the system of an fs.FS such as that of the built-in examples. It is
// safe for concurrent use.
type System interface {
	// Open opens a file without blocking, even if it is a pipe.
	Open(name string) (fs.File, error)
	// OpenIn opens a file below a folder. Both names are free of links; it refuses a file that has
	// since become a link out of the folder.
	OpenIn(dir, name string) (fs.File, error)
	// Abs returns an absolute name.
	Abs(name string) string
	// RealPath returns the absolute name with all links followed, which identifies the file.
	RealPath(name string) (string, error)
	// RealPathIn is like RealPath for a name in a folder. The path of the folder is free of links.
	RealPathIn(dir, name string) (string, error)
	Join(dir, name string) string
	Dir(name string) string
}

// OS is the file system of the computer.
var OS System = osSystem{}

type osSystem struct{}

func (osSystem) Open(name string) (fs.File, error) { return infile.Open(name) }

func (osSystem) OpenIn(dir, name string) (fs.File, error) {
	name, err := filepath.Rel(dir, name)
	if err != nil {
		return nil, err
	}
	return infile.OpenIn(dir, name, os.O_RDONLY)
}

func (osSystem) Abs(name string) string {
	if abs, err := filepath.Abs(name); err == nil {
		return abs
	}
	return name // there is no working directory any more
}

func (o osSystem) RealPath(name string) (string, error) {
	return filepath.EvalSymlinks(o.Abs(name))
}

func (osSystem) RealPathIn(dir, name string) (string, error) {
	path := filepath.Join(dir, name)
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return path, err
	}
	return filepath.EvalSymlinks(path)
}

func (osSystem) Join(dir, name string) string {
	if name = filepath.FromSlash(name); filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

func (osSystem) Dir(name string) string { return filepath.Dir(name) }

// FromFS returns the System of an fs.FS. It follows no links.
func FromFS(f fs.FS) System { return fsSystem{f} }

type fsSystem struct{ fs fs.FS }

func (f fsSystem) Open(name string) (fs.File, error) { return f.fs.Open(path.Clean(name)) }

func (f fsSystem) OpenIn(_, name string) (fs.File, error) { return f.Open(name) }

func (fsSystem) Abs(name string) string { return path.Clean(name) }

func (f fsSystem) RealPath(name string) (string, error) {
	name = path.Clean(name)
	_, err := fs.Stat(f.fs, name)
	return name, err
}

func (f fsSystem) RealPathIn(dir, name string) (string, error) {
	return f.RealPath(path.Join(dir, name))
}

func (fsSystem) Join(dir, name string) string { return path.Join(dir, name) }
func (fsSystem) Dir(name string) string       { return path.Dir(name) }

// RelativeTo returns a name relative to a folder, and false if the name is not the folder or below it.
func RelativeTo(dir, name string) (rel string, ok bool) {
	rel, err := filepath.Rel(filepath.FromSlash(dir), filepath.FromSlash(name))
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel)
}

// Problem says why a file is not compiled.
type Problem struct {
	Code, Message, Suggestion string
	Cause                     error // why the file could not be opened or read; nil: it could
}

// Read reads a regular file of at most limit bytes.
func Read(s System, name string, limit int64) ([]byte, *Problem) {
	f, err := s.Open(name)
	return readAndClose(f, err, name, limit)
}

// ReadIn is like Read for a file below a folder, as System.OpenIn opens it.
func ReadIn(s System, dir, name string, limit int64) ([]byte, *Problem) {
	f, err := s.OpenIn(dir, name)
	return readAndClose(f, err, name, limit)
}

// readAndClose reads and closes an opened file. err is the error of opening it.
func readAndClose(f fs.File, err error, name string, limit int64) ([]byte, *Problem) {
	if err != nil {
		return nil, NewProblem(err)
	}
	defer f.Close()
	data, err := infile.ReadOpened(f, name, limit)
	if err != nil {
		return nil, NewProblem(err)
	}
	return data, nil
}

// ReadFirstLines returns the first whole lines of a file, at most limit bytes, or nil if it cannot be read.
func ReadFirstLines(s System, name string, limit int64) []byte {
	f, err := s.Open(name)
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

// NewProblem returns the problem of a file that cannot be found, opened or read.
func NewProblem(err error) *Problem {
	problem := &Problem{Code: "unreadable", Message: err.Error(), Suggestion: "check the path", Cause: err}
	var at *fs.PathError
	var kind *infile.NotRegularError
	var size *infile.TooLargeError
	switch {
	case errors.As(err, &kind):
		problem.Message, problem.Suggestion = "this is "+infile.DescribeFileKind(kind.Mode), "name a regular file"
		if kind.Mode.IsDir() {
			problem.Suggestion = "name a file in it"
		}
	case errors.As(err, &size):
		return TooLargeProblem(size.Limit)
	case errors.Is(err, fs.ErrNotExist):
		problem.Message = source.NoSuchFile
	case errors.Is(err, fs.ErrPermission):
		problem.Message, problem.Suggestion = "Playhead has no permission to read it", "change its permissions"
	case errors.As(err, &at):
		problem.Message = at.Err.Error()
	}
	return problem
}

const tooLargeCode = "too-large"

// IsTooLarge reports whether the file has more bytes than allowed.
func (p *Problem) IsTooLarge() bool { return p.Code == tooLargeCode }

// IsFolder reports whether there is a folder in place of the file.
func (p *Problem) IsFolder() bool {
	var kind *infile.NotRegularError
	return errors.As(p.Cause, &kind) && kind.Mode.IsDir()
}

// TooLargeProblem returns the problem of a file of more than limit bytes.
func TooLargeProblem(limit int64) *Problem {
	return &Problem{Code: tooLargeCode, Message: "it is larger than " + infile.FormatSize(limit), Suggestion: "split it"}
}

// overlay is a System that replaces the contents of some files.
type overlay struct {
	System
	contents map[string][]byte // by absolute path, and also by the path without links
}

// Overlay returns s with other contents for some files, which are given by absolute path.
func Overlay(s System, contents map[string][]byte) System {
	o := overlay{s, maps.Clone(contents)}
	for name, content := range contents {
		if real, err := s.RealPath(name); err == nil {
			o.contents[real] = content
		}
	}
	return o
}

func (o overlay) Open(name string) (fs.File, error) {
	f, err := o.System.Open(name)
	return o.replaceContent(f, err, name)
}

func (o overlay) OpenIn(dir, name string) (fs.File, error) {
	f, err := o.System.OpenIn(dir, name)
	return o.replaceContent(f, err, name)
}

func (o overlay) replaceContent(f fs.File, err error, name string) (fs.File, error) {
	content, ok := o.contents[o.Abs(name)]
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
