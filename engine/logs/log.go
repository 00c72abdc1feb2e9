// Package logs stores the complete output of a command, or a model's reply, as raw bytes on disk.
//
// A Log has one writer and any number of readers. The writer appends to the file at once, so that
// nothing is lost if Playhead dies. Readers ask for ranges of lines. A sparse index of line starts
// (read.go) leads to any of them, so the memory that a Log uses does not grow with its length.
// Watchers are told that there is more output, and notices that were not received yet are merged.
// Lines end at line feeds, and after 16 KiB without one (text.go).
//
// Reading returns raw bytes, which must pass through package sanitize before they reach a screen.
// Search and ShortenedText do that themselves. A Masker keeps secrets out of the file.
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
	"unicode/utf8"

	"playhead/parse/infile"
)

// FileLocation is the location of a log: the folder of its run, and a path below it. The folder may come
// from somebody else, so a link that leads out of it is not followed, and only regular files are
// opened.
type FileLocation struct{ RunDir, Name string }

// Open opens the file for reading.
func (f FileLocation) Open() (*os.File, error) {
	file, err := infile.OpenIn(f.RunDir, f.Name, os.O_RDONLY)
	if err != nil {
		return nil, fmt.Errorf("cannot read the log: %w", err)
	}
	return file, nil
}

// size returns the size of the file in bytes, 0 if it does not exist.
func (f FileLocation) size() (int64, error) {
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

// Log is the output of one command. Its methods may be called from any goroutine, Write from only
// one at a time.
type Log struct {
	location   FileLocation
	fileOffset int64 // the offset at which the log begins in its file

	mu         sync.Mutex
	file       *os.File // for writing; readers open their own
	index      lineIndex
	writeError error // the error of the first Write that failed
	isClosed   bool
	watchers   []chan struct{}
}

// NewAppendingLog returns a log at the end of a file. The file is created with the first byte. Only one log
// may write to a file at a time.
func NewAppendingLog(at FileLocation) (*Log, error) {
	size, err := at.size()
	if err != nil {
		return nil, err
	}
	return &Log{location: at, fileOffset: size}, nil
}

// Open returns the finished log that consists of the whole file.
func Open(at FileLocation) (*Log, error) { return OpenAt(at, 0, -1) }

// OpenAt returns the finished log of size bytes that begins at offset in the file. If the file is
// shorter, the log ends with it. A negative size means everything to the end of the file.
func OpenAt(at FileLocation, offset, size int64) (*Log, error) {
	if size < 0 {
		size = math.MaxInt64 - offset
	}
	l, err := NewGrowingLogAt(at, offset)
	if err == nil {
		err = l.Grow(size)
	}
	if err != nil {
		return nil, err
	}
	return l, l.Close()
}

// Write appends p. After an error, such as a full disk, the log no longer changes, and every later
// Write returns that error.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.writeError != nil || len(p) == 0 {
		return 0, l.writeError
	}
	n, err := l.appendToFile(p)
	l.index.addBytes(p[:n])
	if err != nil {
		l.writeError = fmt.Errorf("cannot write the log: %w", err)
	}
	l.notifyWatchers()
	return n, l.writeError
}

// appendToFile writes p to the file and creates it if necessary.
func (l *Log) appendToFile(p []byte) (int, error) {
	if l.isClosed {
		return 0, os.ErrClosed
	}
	if l.file == nil {
		file, err := infile.OpenIn(l.location.RunDir, l.location.Name, os.O_WRONLY|os.O_CREATE|os.O_APPEND)
		if err != nil {
			return 0, err
		}
		l.file = file
	}
	return l.file.Write(p)
}

// Close syncs the file and ends writing. The log can still be read.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.isClosed {
		return l.writeError
	}
	l.isClosed = true
	l.notifyWatchers()
	if l.file == nil {
		return l.writeError
	}
	return errors.Join(l.writeError, l.file.Sync(), l.file.Close())
}

// Err returns the error that ended writing, if any.
func (l *Log) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.writeError
}

// FileOffset returns the offset at which the log begins in its file.
func (l *Log) FileOffset() int64 { return l.fileOffset }

// Size returns the size of the log so far. A last line without a line end counts.
func (l *Log) Size() (bytes int64, lines int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.index.byteCount, l.index.lineCount()
}

// NewGrowingLogAt returns a log that begins at offset in the file and is empty until Grow is called.
func NewGrowingLogAt(at FileLocation, offset int64) (*Log, error) {
	file, err := at.Open()
	if err != nil {
		return nil, err
	}
	return &Log{location: at, fileOffset: offset}, file.Close()
}

// NewGrowingLog returns an empty log at the start of a file that may not exist yet. Grow extends it.
func NewGrowingLog(at FileLocation) *Log { return &Log{location: at} }

// Grow adds the next n bytes of the file to the log, or as many as there are, and those that complete
// the last character. It does not change the file.
func (l *Log) Grow(n int64) error {
	file, err := l.location.Open()
	if err != nil {
		return err
	}
	defer file.Close()
	size, _ := l.Size()
	end := l.fileOffset + size + n
	var after [utf8.UTFMax - 1]byte
	read, _ := file.ReadAt(after[:], end) // nothing at the end of the file
	for i := 0; i < read && !utf8.RuneStart(after[i]); i++ {
		end++
	}
	in := io.NewSectionReader(file, l.fileOffset+size, end-l.fileOffset-size)
	if _, err := io.CopyBuffer(indexWriter{l}, in, make([]byte, min(readChunkBytes, max(n, 1)))); err != nil {
		return fmt.Errorf("cannot read the log: %w", err)
	}
	return nil
}

// indexWriter adds bytes that are already in the file to a log.
type indexWriter struct{ *Log }

func (w indexWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.index.addBytes(p)
	w.notifyWatchers()
	return len(p), nil
}

// Watch returns a channel that receives when the log has changed since the last receive, and
// immediately if the log is not empty. Call Unwatch when done.
func (l *Log) Watch() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	ch := make(chan struct{}, 1)
	l.watchers = append(l.watchers, ch)
	if l.index.byteCount > 0 || l.isClosed {
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

// notifyWatchers tells the watchers. A watcher that has not received the last notice gets no other.
func (l *Log) notifyWatchers() {
	for _, w := range l.watchers {
		select {
		case w <- struct{}{}:
		default:
		}
	}
}
