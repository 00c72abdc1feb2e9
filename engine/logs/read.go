package logs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

const chunk = 64 << 10 // bytes that are read at a time

// Lines returns the raw lines from line from (counted from 0) on, without their line ends: n of
// them, or as many as there are. The last one may still grow.
func (l *Log) Lines(from, n int) ([]string, error) {
	_, total := l.Size()
	from = max(from, 0)
	n = min(n, total-from)
	if n <= 0 {
		return nil, nil
	}
	lines := make([]string, 0, n)
	err := l.each(from, func(_ int, line []byte) bool {
		lines = append(lines, string(line))
		return len(lines) < n
	})
	return lines, err
}

// each calls visit with the lines from line from on, until it returns false or the lines that
// exist now have been visited. The bytes are visit's until it returns.
func (l *Log) each(from int, visit func(number int, line []byte) bool) error {
	l.mu.Lock()
	size := l.index.size
	number, offset := l.index.before(from)
	l.mu.Unlock()
	if size == 0 {
		return nil
	}
	file, err := os.Open(l.path)
	if err != nil {
		return fmt.Errorf("cannot read the log: %w", err)
	}
	defer file.Close()
	r := reader{in: io.NewSectionReader(file, l.base+offset, size-offset)}
	for {
		line, err := r.line()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("cannot read the log: %w", err)
		}
		if number >= from && !visit(number, line) {
			return nil
		}
		number++
	}
}

// A reader reads a stream line by line.
type reader struct {
	in     io.Reader
	space  []byte // what buf lies in
	buf    []byte // read, but not returned yet
	cutter cutter
	seen   int // how much of buf the cutter has read
}

// line returns the next line without its line end. It is valid until the next call.
func (r *reader) line() ([]byte, error) {
	for {
		n, ended := r.cutter.next(r.buf[r.seen:])
		r.seen += n
		if ended {
			return r.take(), nil
		}
		switch err := r.more(); {
		case errors.Is(err, io.EOF) && len(r.buf) > 0:
			return r.take(), nil
		case err != nil:
			return nil, err
		}
	}
}

// take cuts the line that was seen off the buffer.
func (r *reader) take() []byte {
	line := r.buf[:r.seen]
	r.buf = r.buf[r.seen:]
	r.seen = 0
	line = bytes.TrimSuffix(line, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r"))
}

// more reads more into the buffer, behind what is left in it, which is less than a line.
func (r *reader) more() error {
	if r.space == nil {
		r.space = make([]byte, chunk+2*maxLine)
	}
	left := copy(r.space, r.buf)
	n, err := r.in.Read(r.space[left : left+chunk])
	r.buf = r.space[:left+n]
	if n > 0 {
		return nil
	}
	return err
}
