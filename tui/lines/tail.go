package lines

import (
	"bytes"
	"io"
	"os"
	"unicode/utf8"

	"playhead/engine/logs"
	"playhead/engine/sanitize"
)

// maxPieceBytes is the maximum size in bytes of the pieces in which a very long line is printed.
const maxPieceBytes = 16 << 10

// logTail reads a growing file line by line.
type logTail struct {
	logFile        logs.FileLocation
	offset         int64
	isReply        bool // the log is a reply of a model or a tool, not the output of a command
	file           *os.File
	unfinishedLine []byte
}

// printableLine returns a line of a reply without control characters. Lines of commands are returned
// unchanged.
func (t *logTail) printableLine(line []byte) []byte {
	if t.isReply {
		return []byte(sanitize.PlainLines(line))
	}
	return line
}

func (t *logTail) close() {
	if t.file != nil {
		_ = t.file.Close() // it was only read
	}
}

// eachNewLine calls visit with every new complete line. At the end, it also visits an incomplete last line.
func (t *logTail) eachNewLine(end bool, visit func(line []byte)) {
	if t.file == nil && !t.open() {
		return
	}
	buf := make([]byte, 64<<10)
	for {
		n, err := t.file.Read(buf)
		t.unfinishedLine = append(t.unfinishedLine, buf[:n]...)
		t.takeCompleteLines(visit)
		if err != nil || n == 0 {
			break
		}
	}
	if end && len(t.unfinishedLine) > 0 {
		visit(t.printableLine(t.unfinishedLine))
		t.unfinishedLine = nil
	}
}

// open opens the file, and reports whether it exists. A log without content has no file.
func (t *logTail) open() bool {
	file, err := t.logFile.Open()
	if err != nil {
		return false
	}
	if _, err := file.Seek(t.offset, io.SeekStart); err != nil {
		_ = file.Close()
		return false
	}
	t.file = file
	return true
}

// takeCompleteLines calls visit with the complete lines that were read, and keeps the rest. It takes a very long line
// in pieces.
func (t *logTail) takeCompleteLines(visit func(line []byte)) {
	for {
		i := bytes.IndexByte(t.unfinishedLine, '\n')
		if i < 0 && len(t.unfinishedLine) <= maxPieceBytes {
			break
		}
		if i < 0 || i > maxPieceBytes {
			n := maxPieceBytes
			for n > maxPieceBytes-utf8.UTFMax && !utf8.RuneStart(t.unfinishedLine[n]) { // do not cut a character
				n--
			}
			visit(t.printableLine(t.unfinishedLine[:n]))
			t.unfinishedLine = t.unfinishedLine[n:]
			continue
		}
		visit(t.printableLine(t.unfinishedLine[:i]))
		t.unfinishedLine = t.unfinishedLine[i+1:]
	}
	t.unfinishedLine = bytes.Clone(t.unfinishedLine)
}
