package logs

import "slices"

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
