package lines

import (
	"bytes"
	"io"
	"os"

	"playhead/engine/logs"
	"playhead/engine/sanitize"
)

// maxPiece is the size of the pieces in which an endless line is printed.
const maxPiece = 16 << 10

// tail reads a growing file line by line.
type tail struct {
	log     logs.File
	offset  int64
	isReply bool // by a model or a tool, not printed by a program
	file    *os.File
	rest    []byte
}

// printable returns a line as it may be printed; the output of programs keeps its colours.
func (t *tail) printable(line []byte) []byte {
	if t.isReply {
		return []byte(sanitize.Text(line))
	}
	return line
}

func (t *tail) close() {
	if t.file != nil {
		_ = t.file.Close() // it was only read
	}
}

// each visits every complete line so far; at the end also an incomplete last one.
func (t *tail) each(end bool, visit func(line []byte)) {
	if t.file == nil && !t.open() {
		return
	}
	buf := make([]byte, 64<<10)
	for {
		n, err := t.file.Read(buf)
		t.rest = append(t.rest, buf[:n]...)
		t.cut(visit)
		if err != nil || n == 0 {
			break
		}
	}
	if end && len(t.rest) > 0 {
		visit(t.printable(t.rest))
		t.rest = nil
	}
}

// open opens the file, which exists as soon as there is something in it.
func (t *tail) open() bool {
	file, err := t.log.Open()
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

// cut visits the complete lines and keeps the rest.
func (t *tail) cut(visit func(line []byte)) {
	for {
		i := bytes.IndexByte(t.rest, '\n')
		if i < 0 && len(t.rest) < maxPiece {
			break
		}
		if i < 0 || i > maxPiece {
			visit(t.printable(t.rest[:maxPiece]))
			t.rest = t.rest[maxPiece:]
			continue
		}
		visit(t.printable(t.rest[:i]))
		t.rest = t.rest[i+1:]
	}
	t.rest = bytes.Clone(t.rest)
}
