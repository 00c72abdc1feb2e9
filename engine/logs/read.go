package logs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
)

const readChunkBytes = 64 << 10 // the number of bytes read at a time

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
	err := l.forEachLine(from, from+n, nil, func(_ int, line []byte) bool {
		lines = append(lines, string(line))
		return true
	})
	return lines, err
}

// forEachLine calls visit with the lines of [from, to) until visit returns false or there are no more
// lines. The bytes are valid until visit returns. If canSkip is not nil, blocks of lines for which it
// returns true are skipped.
func (l *Log) forEachLine(from, to int, canSkip func(block []byte) bool, visit func(number int, line []byte) bool) error {
	l.mu.Lock()
	size := l.index.byteCount
	marked, offset := l.index.lastMarkedLine(from)
	l.mu.Unlock()
	if size == 0 {
		return nil
	}
	file, err := l.location.Open()
	if err != nil {
		return err
	}
	defer file.Close()
	r := lineReader{in: io.NewSectionReader(file, l.fileOffset+offset, size-offset), canSkip: canSkip, nextNumber: marked, endNumber: to}
	for r.nextNumber < to {
		line, err := r.readLine()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("cannot read the log: %w", err)
		}
		if number := r.nextNumber - 1; number >= from && !visit(number, line) {
			return nil
		}
	}
	return nil
}

// A lineReader reads a stream line by line.
type lineReader struct {
	in           io.Reader
	backing      []byte // the memory of buf
	buf          []byte // the bytes that were read but not returned yet
	cutter       lineCutter
	scannedBytes int                     // how many bytes of buf the cutter has seen
	nextNumber   int                     // the number of the next line
	endNumber    int                     // the number of the line before which to stop
	canSkip      func(block []byte) bool // may be nil; see forEachLine
}

// readLine returns the next line without its line end. It is valid until the next call.
func (r *lineReader) readLine() ([]byte, error) {
	line, err := r.readLineWithEnd()
	line = bytes.TrimSuffix(line, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r")), err
}

// readLineWithEnd returns the next line with its line end.
func (r *lineReader) readLineWithEnd() ([]byte, error) {
	for {
		n, ended := r.cutter.readToLineEnd(r.buf[r.scannedBytes:])
		r.scannedBytes += n
		if ended {
			return r.takeLine(), nil
		}
		switch err := r.readMore(); {
		case errors.Is(err, io.EOF) && len(r.buf) > 0:
			return r.takeLine(), nil
		case err != nil:
			return nil, err
		}
		if r.skipBlockIfPossible(); r.nextNumber >= r.endNumber {
			return nil, io.EOF
		}
	}
}

// skipBlockIfPossible skips the whole lines in the buffer if canSkip allows it.
func (r *lineReader) skipBlockIfPossible() {
	whole := r.buf[:bytes.LastIndexByte(r.buf, '\n')+1]
	if r.canSkip == nil || len(whole) == 0 || !r.canSkip(whole) {
		return
	}
	cutter, number := r.cutter, r.nextNumber
	for at := r.scannedBytes; at < len(whole); {
		n, ended := cutter.readToLineEnd(whole[at:])
		if at += n; !ended {
			continue
		}
		if number++; whole[at-1] != '\n' {
			return // the line was cut, perhaps within a colour
		}
	}
	r.cutter, r.nextNumber, r.buf, r.scannedBytes = cutter, number, r.buf[len(whole):], 0
}

// takeLine removes the line that the cutter has seen from the buffer and returns it.
func (r *lineReader) takeLine() []byte {
	line := r.buf[:r.scannedBytes]
	r.buf = r.buf[r.scannedBytes:]
	r.scannedBytes = 0
	r.nextNumber++
	return line
}

// readMore reads more bytes into the buffer, after the incomplete line that is in it.
func (r *lineReader) readMore() error {
	if r.backing == nil {
		r.backing = make([]byte, readChunkBytes+2*maxLineBytes)
	}
	left := copy(r.backing, r.buf)
	n, err := r.in.Read(r.backing[left : left+readChunkBytes])
	r.buf = r.backing[:left+n]
	if n > 0 {
		return nil
	}
	return err
}

const (
	firstLinesPerMark = 256     // the first distance of marks, in lines
	maxMarks          = 1 << 15 // if there are more, every second one is dropped
)

// A lineIndex stores where every line begins whose number is a multiple of linesPerMark. It never has more
// than maxMarks marks: the longer the log, the more lines lie between marks.
type lineIndex struct {
	markOffsets    []int64 // markOffsets[i] is the offset of line i*linesPerMark
	linesPerMark   int
	byteCount      int64 // bytes so far
	endedLineCount int   // the number of lines that have ended
	cutter         lineCutter
}

// addBytes adds the next bytes of the log to the index.
func (l *lineIndex) addBytes(p []byte) {
	if l.linesPerMark == 0 {
		l.linesPerMark = firstLinesPerMark
		l.markOffsets = append(l.markOffsets, 0)
	}
	for len(p) > 0 {
		n, ended := l.cutter.readToLineEnd(p)
		l.byteCount += int64(n)
		p = p[n:]
		if ended {
			l.endedLineCount++
			if l.endedLineCount%l.linesPerMark == 0 {
				l.addMark()
			}
		}
	}
}

// addMark records that a line begins here.
func (l *lineIndex) addMark() {
	l.markOffsets = append(l.markOffsets, l.byteCount)
	if len(l.markOffsets) < maxMarks {
		return
	}
	half := l.markOffsets[:0]
	for i := 0; i < len(l.markOffsets); i += 2 {
		half = append(half, l.markOffsets[i])
	}
	l.markOffsets = half
	l.linesPerMark *= 2
}

// lineCount returns the number of lines, including one that has not ended yet.
func (l *lineIndex) lineCount() int {
	if l.cutter.lineLength > 0 {
		return l.endedLineCount + 1
	}
	return l.endedLineCount
}

// lastMarkedLine returns the last marked line that is not after line, and its offset.
func (l *lineIndex) lastMarkedLine(line int) (marked int, offset int64) {
	if len(l.markOffsets) == 0 {
		return 0, 0
	}
	i := min(line/l.linesPerMark, len(l.markOffsets)-1)
	return i * l.linesPerMark, l.markOffsets[i]
}

// markOffsetBefore returns the offset of the last marked line that begins at offset or before it.
func (l *lineIndex) markOffsetBefore(offset int64) int64 {
	i, found := slices.BinarySearch(l.markOffsets, offset)
	switch {
	case found:
		return offset
	case i == 0:
		return 0
	}
	return l.markOffsets[i-1]
}
