// Package logs keeps what one command printed, or one model replied: the whole of it, on disk,
// as raw bytes, however much it is.
//
// A Log has one writer and any number of readers. The writer appends to the file at once, so
// that nothing is lost if Playhead dies. Readers ask for windows of lines; a sparse index of
// line starts (index.go) leads to any of them, so the memory a Log takes does not grow with its
// length. Watchers are told that there is more, but not how often: notices that were not taken
// yet merge (watch.go). Lines are cut at line feeds, and after 16 KiB where none comes (cut.go).
//
// What is read is raw: it goes through package sanitize before it reaches a screen. Search and
// Text do that themselves. Mask keeps secrets out of the file.
package logs

import (
	"errors"
	"fmt"
	"math"
	"os"
	"sync"
)

// Log is what one command printed. Its methods may be called from any goroutine, Write from one
// at a time.
type Log struct {
	path string
	base int64 // where the log begins in its file

	mu       sync.Mutex
	file     *os.File // to write; readers open it for themselves
	index    index
	err      error // of the first Write that failed
	closed   bool
	watchers []chan struct{}
}

// Create returns a log at path. What the file already holds stays, and the log begins behind it;
// the file comes to exist with the first byte. Only one log may write to a file at a time.
func Create(path string) (*Log, error) {
	l := &Log{path: path}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return l, nil
	case err != nil:
		return nil, fmt.Errorf("cannot write the log: %w", err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("cannot write the log: %s is not a regular file", path)
	}
	l.base = info.Size()
	return l, nil
}

// Open returns the finished log that is the whole file at path.
func Open(path string) (*Log, error) { return OpenAt(path, 0, -1) }

// OpenAt returns the finished log of size bytes that begins at offset in the file at path. One
// that is shorter than it should be is read as far as it goes; a negative size means all there is.
func OpenAt(path string, offset, size int64) (*Log, error) {
	if size < 0 {
		size = math.MaxInt64 - offset
	}
	l, err := Unread(path, offset)
	if err == nil {
		err = l.Grow(size)
	}
	if err != nil {
		return nil, err
	}
	return l, l.Close()
}

// Write appends p. After an error, of which a full disk is the likely one, the log stays as it
// is: every later Write returns that error too.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil || len(p) == 0 {
		return 0, l.err
	}
	n, err := l.append(p)
	l.index.add(p[:n])
	if err != nil {
		l.err = fmt.Errorf("cannot write the log: %w", err)
	}
	l.notify()
	return n, l.err
}

// append writes p to the file, which it creates if need be.
func (l *Log) append(p []byte) (int, error) {
	if l.closed {
		return 0, os.ErrClosed
	}
	if l.file == nil {
		file, err := os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			return 0, err
		}
		l.file = file
	}
	return l.file.Write(p)
}

// Close ends the writing, with everything on the disk. The log can still be read.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return l.err
	}
	l.closed = true
	l.notify()
	if l.file == nil {
		return l.err
	}
	return errors.Join(l.err, l.file.Sync(), l.file.Close())
}

// Err returns the error that ended the writing, if one did.
func (l *Log) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// Offset returns where the log begins in its file.
func (l *Log) Offset() int64 { return l.base }

// Size returns how much there is so far. A last line without a line end counts.
func (l *Log) Size() (bytes int64, lines int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.index.size, l.index.lines()
}
