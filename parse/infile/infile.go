// Package infile reads whole files that a person or a document named, up to a size, without waiting
// for input that may never come.
//
// Only regular files are read. A device or a pipe is refused without being opened. The one
// exception is a pipe that the shell passes, as in --answers <(COMMAND), or /dev/stdin, because the
// person has made sure that somebody writes to it.
package infile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// nonBlockingFlags are the flags to open a file without waiting, because it may have become a named pipe in
// the meantime.
const nonBlockingFlags = os.O_RDONLY | syscall.O_NONBLOCK

// Limits in bytes that several packages share.
const (
	MaxPersonFileSize = 8 << 20  // for files that a person gives to a run: answers, inputs, replies …
	MaxStateFileSize  = 64 << 20 // for files that Playhead wrote itself
)

// NotRegularError says that something is not a regular file.
type NotRegularError struct {
	Name  string
	Mode  fs.FileMode
	Limit int64 // the size limit of a file in its place, in bytes; 0: unknown
}

// Error says what kind of file it is, and what it should be.
func (e *NotRegularError) Error() string {
	if e.Limit == 0 {
		return fmt.Sprintf("%s is %s, not a regular file", e.Name, DescribeFileKind(e.Mode))
	}
	return fmt.Sprintf("%s is %s: it must be a regular file of at most %s", e.Name, DescribeFileKind(e.Mode), FormatSize(e.Limit))
}

// TooLargeError says that a file is larger than allowed.
type TooLargeError struct {
	Name  string
	Limit int64
}

// Error names the file and its limit.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%s is larger than %s", e.Name, FormatSize(e.Limit))
}

// DescribeFileKind says what a file is that is not a regular file, such as "a folder".
func DescribeFileKind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	case mode&fs.ModeSymlink != 0:
		return "a link"
	}
	return "a special file"
}

// FormatSize returns a number of bytes as text, in whole MiB or KiB, rounded down.
func FormatSize(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10:
		return fmt.Sprintf("%d KiB", n>>10)
	case n == 1:
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}

// Read reads a file of at most limit bytes. /dev/null is an empty file.
func Read(name string, limit int64) ([]byte, error) {
	if name == os.DevNull {
		return nil, nil
	}
	file, err := open(name, func(mode fs.FileMode) bool {
		return mode.IsRegular() || mode&fs.ModeNamedPipe != 0 && isShellPipe(name)
	})
	return readAndClose(name, file, err, limit)
}

// ReadIn reads a file of at most limit bytes below a folder. It opens the file as OpenIn does.
func ReadIn(dir, name string, limit int64) ([]byte, error) {
	file, err := OpenIn(dir, name, os.O_RDONLY)
	return readAndClose(filepath.Join(dir, name), file, err, limit)
}

// readAndClose reads and closes an opened file. err is the error of opening it.
func readAndClose(name string, file *os.File, err error, limit int64) ([]byte, error) {
	var kind *NotRegularError
	if errors.As(err, &kind) {
		kind.Limit = limit
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ReadOpened(file, name, limit)
}

// ReadOpened reads an open file of at most limit bytes. name is for errors.
func ReadOpened(file fs.File, name string, limit int64) ([]byte, error) {
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, &NotRegularError{name, info.Mode(), limit}
	case info.Size() > limit:
		return nil, &TooLargeError{name, limit}
	}
	return readLimited(file, name, limit, info.Size())
}

// ReadAllFrom reads all of r, up to limit bytes. name is for errors.
func ReadAllFrom(r io.Reader, name string, limit int64) ([]byte, error) {
	return readLimited(r, name, limit, 0)
}

func readLimited(r io.Reader, name string, limit, size int64) ([]byte, error) {
	var data bytes.Buffer
	data.Grow(int(size) + bytes.MinRead)
	if _, err := data.ReadFrom(io.LimitReader(r, limit+1)); err != nil { // the file may be growing
		return nil, err
	}
	if int64(data.Len()) > limit {
		return nil, &TooLargeError{name, limit}
	}
	return data.Bytes(), nil
}

// isShellPipe reports whether a name is one that the shell gives to a pipe, or /dev/stdin. Files in /dev/shm
// are ordinary ones.
func isShellPipe(name string) bool {
	name = filepath.Clean(name)
	return strings.HasPrefix(name, "/dev/") && !strings.HasPrefix(name, "/dev/shm/") || strings.HasPrefix(name, "/proc/")
}

// Open opens a regular file for reading, without waiting.
func Open(name string) (*os.File, error) { return open(name, fs.FileMode.IsRegular) }

// open opens a file whose mode fits.
func open(name string, fits func(fs.FileMode) bool) (*os.File, error) {
	info, err := os.Stat(name)
	var at *fs.PathError
	if errors.As(err, &at) {
		at.Op = "open" // name the operation that failed
	}
	if err != nil {
		return nil, err
	}
	if !fits(info.Mode()) {
		return nil, &NotRegularError{Name: name, Mode: info.Mode()}
	}
	file, err := os.OpenFile(name, nonBlockingFlags, 0)
	return checkOpened(name, file, err, fits)
}

// OpenIn opens a regular file below a folder. The flags of os.OpenFile may create it. Links are
// followed as long as they stay in the folder.
func OpenIn(dir, name string, flags int) (*os.File, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if info, err := root.Stat(filepath.FromSlash(name)); err == nil && !info.Mode().IsRegular() {
		return nil, &NotRegularError{Name: path, Mode: info.Mode()}
	}
	file, err := root.OpenFile(filepath.FromSlash(name), flags|syscall.O_NONBLOCK, 0o600)
	var at *fs.PathError
	if errors.As(err, &at) {
		at.Path = path // at.Path is relative to the folder
	}
	return checkOpened(path, file, err, fs.FileMode.IsRegular)
}

// checkOpened examines a file after it was opened, because it may have been replaced in the meantime.
func checkOpened(name string, file *os.File, err error, fits func(fs.FileMode) bool) (*os.File, error) {
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !fits(info.Mode()) {
		err = &NotRegularError{Name: name, Mode: info.Mode()}
	}
	if err != nil {
		_ = file.Close() // it was only opened
		return nil, err
	}
	return file, nil
}
