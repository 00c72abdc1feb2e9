package outfile

import (
	"errors"
	"os"
	"sync/atomic"
	"syscall"
)

// Stream is a file that what was asked for is printed on. It remembers that it could not be written, so that
// whoever asked learns that it is not all there, as on a disk that is full.
type Stream struct {
	file       *os.File
	firstError atomic.Pointer[error]
}

// NewStream returns a stream on a file that is open.
func NewStream(file *os.File) *Stream { return &Stream{file: file} }

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

// Err returns why something could not be written. A reader who went away wants no more, and is no reason.
func (s *Stream) Err() error {
	if err := s.firstError.Load(); err != nil && !errors.Is(*err, syscall.EPIPE) {
		return *err
	}
	return nil
}
