// Package logs keeps what one command printed, or one model replied: the whole of it, on disk,
// as raw bytes, however much it is.
//
// A Log has one writer and any number of readers. The writer appends to the file at once, so
// that nothing is lost if Playhead dies. Readers ask for windows of lines; a sparse index of
// line starts (read.go) leads to any of them, so the memory a Log takes does not grow with its
// length. Watchers are told that there is more, but not how often: notices that were not taken
// yet merge. Lines are cut at line feeds, and after 16 KiB where none comes (text.go).
//
// What is read is raw: it goes through package sanitize before it reaches a screen. Search and
// Text do that themselves. Mask keeps secrets out of the file.
package logs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"sync"

	"playhead/parse/infile"
)

// File is where a log is: in the folder of its run, or below it. A link that leads out of the
// folder is not followed, and what is no regular file is not opened: a folder may come from
// somebody else.
type File struct{ Dir, Name string }

// Open opens the file to be read.
func (f File) Open() (*os.File, error) {
	file, err := infile.OpenIn(f.Dir, f.Name, os.O_RDONLY)
	if err != nil {
		return nil, fmt.Errorf("cannot read the log: %w", err)
	}
	return file, nil
}

// size is how much there is of the file, 0 where there is none.
func (f File) size() (int64, error) {
	file, err := f.Open()
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// Log is what one command printed. Its methods may be called from any goroutine, Write from one
// at a time.
type Log struct {
	at   File
	base int64 // where the log begins in its file

	mu       sync.Mutex
	file     *os.File // to write; readers open it for themselves
	index    index
	err      error // of the first Write that failed
	closed   bool
	watchers []chan struct{}
}

// Create returns a log in a file. What that already holds stays, and the log begins behind it;
// the file comes to exist with the first byte. Only one log may write to a file at a time.
func Create(at File) (*Log, error) {
	size, err := at.size()
	if err != nil {
		return nil, err
	}
	return &Log{at: at, base: size}, nil
}

// Open returns the finished log that is the whole file.
func Open(at File) (*Log, error) { return OpenAt(at, 0, -1) }

// OpenAt returns the finished log of size bytes that begins at offset in the file. One that is shorter than it should be is read as far as it goes; a negative size means all there is.
func OpenAt(at File, offset, size int64) (*Log, error) {
	if size < 0 {
		size = math.MaxInt64 - offset
	}
	l, err := Unread(at, offset)
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
		file, err := infile.OpenIn(l.at.Dir, l.at.Name, os.O_WRONLY|os.O_CREATE|os.O_APPEND)
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

// Unread returns a log that begins at offset in the file, and has nothing in it until it grows.
func Unread(at File, offset int64) (*Log, error) {
	file, err := at.Open()
	if err != nil {
		return nil, err
	}
	return &Log{at: at, base: offset}, file.Close()
}

// Unwritten returns a log at the start of a file that may not be there yet, and has nothing in it until
// it grows.
func Unwritten(at File) *Log { return &Log{at: at} }

// Grow takes the next n bytes that the file has into the log, or as many as there are. The file
// stays as it is.
func (l *Log) Grow(n int64) error {
	file, err := l.at.Open()
	if err != nil {
		return err
	}
	defer file.Close()
	size, _ := l.Size()
	in := io.NewSectionReader(file, l.base+size, n)
	if _, err := io.CopyBuffer(growth{l}, in, make([]byte, min(chunk, max(n, 1)))); err != nil {
		return fmt.Errorf("cannot read the log: %w", err)
	}
	return nil
}

// growth takes into a log what is in its file.
type growth struct{ *Log }

func (g growth) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.index.add(p)
	g.notify()
	return len(p), nil
}

// Watch returns a channel that receives when the log has changed since the last receive, at
// once if there is something already. Unwatch it when done.
func (l *Log) Watch() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	ch := make(chan struct{}, 1)
	l.watchers = append(l.watchers, ch)
	if l.index.size > 0 || l.closed {
		ch <- struct{}{}
	}
	return ch
}

// Unwatch ends a Watch. The channel receives nothing more.
func (l *Log) Unwatch(ch <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.watchers = slices.DeleteFunc(l.watchers, func(w chan struct{}) bool { return w == ch })
}

// notify tells the watchers; those that have not taken the last notice need no other.
func (l *Log) notify() {
	for _, w := range l.watchers {
		select {
		case w <- struct{}{}:
		default:
		}
	}
}
