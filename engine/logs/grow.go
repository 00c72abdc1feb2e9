package logs

import (
	"fmt"
	"io"
)

// Unread returns a log that begins at offset in the file, and has nothing in it until it grows.
func Unread(at File, offset int64) (*Log, error) {
	file, err := at.Open()
	if err != nil {
		return nil, err
	}
	return &Log{at: at, base: offset}, file.Close()
}

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
