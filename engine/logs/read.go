package logs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
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
	err := l.each(from, from+n, nil, func(_ int, line []byte) bool {
		lines = append(lines, string(line))
		return true
	})
	return lines, err
}

// each calls visit with the lines from line from up to, but not including, to, until it returns
// false or the lines that exist now have been visited. The bytes are visit's until it returns.
// Blocks of lines of which pass says so are left out; nil: none.
func (l *Log) each(from, to int, pass func(block []byte) bool, visit func(number int, line []byte) bool) error {
	l.mu.Lock()
	size := l.index.size
	marked, offset := l.index.before(from)
	l.mu.Unlock()
	if size == 0 {
		return nil
	}
	file, err := l.at.Open()
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
	in     io.Reader
	space  []byte // what buf lies in
	buf    []byte // read, but not returned yet
	cutter cutter
	seen   int // how much of buf the cutter has read
	number int // of the next line
	to     int // the line to end before
	pass   func(block []byte) bool
}

// line returns the next line without its line end. It is valid until the next call.
func (r *reader) line() ([]byte, error) {
	line, err := r.next()
	line = bytes.TrimSuffix(line, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r")), err
}

// next is line with its line end.
func (r *reader) next() ([]byte, error) {
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
		if r.leap(); r.number >= r.to {
			return nil, io.EOF
		}
	}
}

// leap leaves the lines out that are whole in the buffer, if pass says so.
func (r *reader) leap() {
	whole := r.buf[:bytes.LastIndexByte(r.buf, '\n')+1]
	if r.pass == nil || len(whole) == 0 || !r.pass(whole) {
		return
	}
	cutter, number := r.cutter, r.number
	for at := r.seen; at < len(whole); {
		n, ended := cutter.next(whole[at:])
		if at += n; !ended {
			continue
		}
		if number++; whole[at-1] != '\n' {
			return // a line that was cut, perhaps within a colour
		}
	}
	r.cutter, r.number, r.buf, r.seen = cutter, number, r.buf[len(whole):], 0
}

// take cuts the line that was seen off the buffer.
func (r *reader) take() []byte {
	line := r.buf[:r.seen]
	r.buf = r.buf[r.seen:]
	r.seen = 0
	r.number++
	return line
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

const (
	firstStride = 256     // lines from one mark to the next, at first
	maxMarks    = 1 << 15 // then every second mark goes
)

// An index knows where every so many-th line begins. It never takes more than maxMarks marks:
// the longer the log, the wider they stand.
type index struct {
	marks  []int64 // marks[i] is where line i*stride begins
	stride int
	size   int64 // bytes so far
	ended  int   // lines that have ended
	cutter cutter
}

// add takes the next bytes of the log into account.
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
			x.ended++
			if x.ended%x.stride == 0 {
				x.mark()
			}
		}
	}
}

// mark notes that a line begins here.
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

// lines counts the lines, with the one that has not ended yet.
func (x *index) lines() int {
	if x.cutter.length > 0 {
		return x.ended + 1
	}
	return x.ended
}

// before returns the last marked line up to line, and where it begins.
func (x *index) before(line int) (marked int, offset int64) {
	if len(x.marks) == 0 {
		return 0, 0
	}
	i := min(line/x.stride, len(x.marks)-1)
	return i * x.stride, x.marks[i]
}

// markBefore returns where the last marked line begins that begins at offset or before it.
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
