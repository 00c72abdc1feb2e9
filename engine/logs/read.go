package logs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
)

const chunk = 64 << 10 // the number of bytes read at a time

// Lines returns n raw lines without their line ends, beginning with line from (counted from 0), or
// as many as there are. The last line may still grow.
func (l *Log) Lines(from, n int) ([]string, error) {
	_, total := l.Size()
	from = max(from, 0)
	n = min(n, total-from)
	if n <= 0 {
		return nil, nil
	}
	lines := make([]string, 0, n)
	err := l.each(from, from+n, nil, func(_ int, line []byte) bool {
		lines = append(lines, string(line))
		return true
	})
	return lines, err
}

// each calls visit with the lines of [from, to) until visit returns false or there are no more
// lines. The bytes are valid until visit returns. If pass is not nil, blocks of lines for which it
// returns true are skipped.
func (l *Log) each(from, to int, pass func(block []byte) bool, visit func(number int, line []byte) bool) error {
	l.mu.Lock()
	size := l.index.size
	marked, offset := l.index.markedLine(from)
	l.mu.Unlock()
	if size == 0 {
		return nil
	}
	file, err := l.location.Open()
	if err != nil {
		return err
	}
	defer file.Close()
	r := reader{in: io.NewSectionReader(file, l.base+offset, size-offset), pass: pass, number: marked, to: to}
	for r.number < to {
		line, err := r.line()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("cannot read the log: %w", err)
		}
		if number := r.number - 1; number >= from && !visit(number, line) {
			return nil
		}
	}
	return nil
}

// A reader reads a stream line by line.
type reader struct {
	in      io.Reader
	space   []byte // the memory of buf
	buf     []byte // read but not returned yet
	cutter  cutter
	scanned int // how many bytes of buf the cutter has seen
	number  int // of the next line
	to      int // the number of the line before which to stop
	pass    func(block []byte) bool
}

// line returns the next line without its line end. It is valid until the next call.
func (r *reader) line() ([]byte, error) {
	line, err := r.next()
	line = bytes.TrimSuffix(line, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r")), err
}

// next returns the next line with its line end.
func (r *reader) next() ([]byte, error) {
	for {
		n, ended := r.cutter.next(r.buf[r.scanned:])
		r.scanned += n
		if ended {
			return r.take(), nil
		}
		switch err := r.more(); {
		case errors.Is(err, io.EOF) && len(r.buf) > 0:
			return r.take(), nil
		case err != nil:
			return nil, err
		}
		if r.skipLines(); r.number >= r.to {
			return nil, io.EOF
		}
	}
}

// skipLines skips the whole lines in the buffer if pass returns true.
func (r *reader) skipLines() {
	whole := r.buf[:bytes.LastIndexByte(r.buf, '\n')+1]
	if r.pass == nil || len(whole) == 0 || !r.pass(whole) {
		return
	}
	cutter, number := r.cutter, r.number
	for at := r.scanned; at < len(whole); {
		n, ended := cutter.next(whole[at:])
		if at += n; !ended {
			continue
		}
		if number++; whole[at-1] != '\n' {
			return // the line was cut, perhaps within a colour
		}
	}
	r.cutter, r.number, r.buf, r.scanned = cutter, number, r.buf[len(whole):], 0
}

// take removes the line that the cutter has seen from the buffer and returns it.
func (r *reader) take() []byte {
	line := r.buf[:r.scanned]
	r.buf = r.buf[r.scanned:]
	r.scanned = 0
	r.number++
	return line
}

// more reads more bytes into the buffer, after the incomplete line that is in it.
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

const (
	firstStride = 256     // the first distance of marks, in lines
	maxMarks    = 1 << 15 // if there are more, every second one is dropped
)

// An index stores where every line begins whose number is a multiple of stride. It never has more
// than maxMarks marks: the longer the log, the larger the stride.
type index struct {
	marks      []int64 // marks[i] is the offset of line i*stride
	stride     int
	size       int64 // bytes so far
	endedLines int   // the number of lines that have ended
	cutter     cutter
}

// add adds the next bytes of the log to the index.
func (x *index) add(p []byte) {
	if x.stride == 0 {
		x.stride = firstStride
		x.marks = append(x.marks, 0)
	}
	for len(p) > 0 {
		n, ended := x.cutter.next(p)
		x.size += int64(n)
		p = p[n:]
		if ended {
			x.endedLines++
			if x.endedLines%x.stride == 0 {
				x.mark()
			}
		}
	}
}

// mark records that a line begins here.
func (x *index) mark() {
	x.marks = append(x.marks, x.size)
	if len(x.marks) < maxMarks {
		return
	}
	half := x.marks[:0]
	for i := 0; i < len(x.marks); i += 2 {
		half = append(half, x.marks[i])
	}
	x.marks = half
	x.stride *= 2
}

// lines returns the number of lines, including one that has not ended yet.
func (x *index) lines() int {
	if x.cutter.length > 0 {
		return x.endedLines + 1
	}
	return x.endedLines
}

// markedLine returns the last marked line that is not after line, and its offset.
func (x *index) markedLine(line int) (marked int, offset int64) {
	if len(x.marks) == 0 {
		return 0, 0
	}
	i := min(line/x.stride, len(x.marks)-1)
	return i * x.stride, x.marks[i]
}

// markBefore returns the offset of the last marked line that begins at offset or before it.
func (x *index) markBefore(offset int64) int64 {
	i, found := slices.BinarySearch(x.marks, offset)
	switch {
	case found:
		return offset
	case i == 0:
		return 0
	}
	return x.marks[i-1]
}
