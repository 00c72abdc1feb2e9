package outfile

import (
	"errors"
	"os"
	"sync/atomic"
	"syscall"
)

// Stream is a file for output that stores the first error of writing to it, such as a full disk, so
// that the person learns that the output is incomplete.
type Stream struct {
	file       *os.File
	firstError atomic.Pointer[error]
}

// NewStream returns a stream that writes to an open file.
func NewStream(file *os.File) *Stream { return &Stream{file: file} }

// Write writes to the file.
func (s *Stream) Write(p []byte) (int, error) {
	n, err := s.file.Write(p)
	if err != nil {
		s.firstError.CompareAndSwap(nil, &err)
	}
	return n, err
}

// Read reads from the file. With Read, Close and Fd, libraries recognise a Stream as a terminal.
func (s *Stream) Read(p []byte) (int, error) { return s.file.Read(p) }

// Close closes the file.
func (s *Stream) Close() error { return s.file.Close() }

// Fd returns the file's descriptor.
func (s *Stream) Fd() uintptr { return s.file.Fd() }

// Err returns the first error of writing, nil if there was none. A closed pipe does not count, because
// its reader wants no more output.
func (s *Stream) Err() error {
	if err := s.firstError.Load(); err != nil && !errors.Is(*err, syscall.EPIPE) {
		return *err
	}
	return nil
}
