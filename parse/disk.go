package parse

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"syscall"
)

// disk is where files are: the file system, or an fs.FS such as the built-in
// examples.
type disk interface {
	// open opens a file, never waiting for one.
	open(name string) (fs.File, error)
	// openIn is open for a file below a folder, both without links in their names: what
	// has become one that leads out is refused.
	openIn(dir, name string) (fs.File, error)
	// abs says where a file is, whatever the working directory.
	abs(name string) string
	// real is abs with all links followed: the file's identity.
	real(name string) (string, error)
	// realIn is real for a name in a folder that has no links in its own.
	realIn(dir, name string) (string, error)
	join(dir, name string) string
	dir(name string) string
	// below is a name relative to a folder; ok is false if it is not below it.
	below(dir, name string) (rel string, ok bool)
}

type osDisk struct{}

func (osDisk) open(name string) (fs.File, error) {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return odd{info}, err
	}
	return os.OpenFile(name, atOnce, 0)
}

func (osDisk) openIn(dir, name string) (fs.File, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if name, err = filepath.Rel(dir, name); err != nil {
		return nil, err
	}
	info, err := root.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return odd{info}, err
	}
	return root.OpenFile(name, atOnce, 0)
}

// atOnce opens a file without waiting for it: it may have become a FIFO.
const atOnce = os.O_RDONLY | syscall.O_NONBLOCK

// odd is a file that is not opened, since there is nothing to read.
type odd struct{ fs.FileInfo }

func (o odd) Stat() (fs.FileInfo, error) { return o.FileInfo, nil }
func (odd) Read([]byte) (int, error)     { return 0, io.EOF }
func (odd) Close() error                 { return nil }

func (osDisk) abs(name string) string {
	if abs, err := filepath.Abs(name); err == nil {
		return abs
	}
	return name // there is no working directory any more
}

func (d osDisk) real(name string) (string, error) { return filepath.EvalSymlinks(d.abs(name)) }

func (osDisk) realIn(dir, name string) (string, error) {
	path := filepath.Join(dir, name)
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return path, err
	}
	return filepath.EvalSymlinks(path)
}

func (osDisk) join(dir, name string) string {
	if name = filepath.FromSlash(name); filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

func (osDisk) dir(name string) string { return filepath.Dir(name) }

func (osDisk) below(dir, name string) (string, bool) {
	rel, err := filepath.Rel(dir, name)
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel)
}

// fsDisk is an fs.FS, whose names are its own business: it has no links to follow.
type fsDisk struct{ fs fs.FS }

func (d fsDisk) open(name string) (fs.File, error) { return d.fs.Open(path.Clean(name)) }

func (d fsDisk) openIn(_, name string) (fs.File, error) { return d.open(name) }

func (fsDisk) abs(name string) string { return path.Clean(name) }

func (d fsDisk) real(name string) (string, error) {
	name = path.Clean(name)
	_, err := fs.Stat(d.fs, name)
	return name, err
}

func (d fsDisk) realIn(dir, name string) (string, error) { return d.real(path.Join(dir, name)) }

func (fsDisk) join(dir, name string) string { return path.Join(dir, name) }
func (fsDisk) dir(name string) string       { return path.Dir(name) }

func (fsDisk) below(dir, name string) (string, bool) {
	rel, err := filepath.Rel(filepath.FromSlash(dir), filepath.FromSlash(name))
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel)
}

// readFile reads a regular file of at most limit bytes.
func readFile(d disk, name string, limit int64) ([]byte, *trouble) {
	f, err := d.open(name)
	if err != nil {
		return nil, notRead(err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, notRead(err)
	case info.IsDir():
		return nil, &trouble{"unreadable", "this is a folder", "name a file in it"}
	case !info.Mode().IsRegular():
		return nil, &trouble{"unreadable", "this is " + sortOf(info.Mode()), "name a regular file"}
	case info.Size() > limit:
		t := tooLarge(limit)
		return nil, &t
	}
	var file bytes.Buffer
	file.Grow(int(info.Size()) + bytes.MinRead)
	if _, err := file.ReadFrom(io.LimitReader(f, limit+1)); err != nil { // it may be growing
		return nil, notRead(err)
	}
	if int64(file.Len()) > limit {
		t := tooLarge(limit)
		return nil, &t
	}
	return file.Bytes(), nil
}

// readHead is what a file begins with: whole lines, at most limit bytes.
func readHead(d disk, name string, limit int64) []byte {
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

func sortOf(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

const noSuchFile = "there is no such file"

func notRead(err error) *trouble {
	var at *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &trouble{"unreadable", noSuchFile, "check the path"}
	case errors.Is(err, fs.ErrPermission):
		return &trouble{"unreadable", "there is no permission to read it", "change its permissions"}
	case errors.As(err, &at):
		err = at.Err
	}
	return &trouble{"unreadable", err.Error(), "check the path"}
}

func tooLarge(limit int64) trouble {
	size := fmt.Sprintf("%d MiB", limit>>20)
	if limit < 1<<20 {
		size = fmt.Sprintf("%d bytes", limit)
	}
	return trouble{"too-large", "it is larger than " + size, "split it"}
}
