package logs

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"

	"playhead/engine/sanitize"
	"playhead/parse/plan"
)

// ShortenedText returns the output as text without controls, colours or styles, in at most max bytes. If it
// is longer, a note with the size of the log replaces the middle, because the beginning and the end
// matter most. It returns "" for a log that cannot be read.
func (l *Log) ShortenedText(max int) string {
	return l.shortenedTextWith(max, sanitize.OutputPlain[[]byte])
}

// shortenedTextWith is like ShortenedText, with a function that converts a line to text.
func (l *Log) shortenedTextWith(max int, show func(line []byte) string) string {
	size, _ := l.Size()
	if size <= int64(max)*rawBytesPerTextByte {
		if text := l.textBetween(0, size, show); len(text) <= max {
			return text
		}
	}
	note := fmt.Sprintf("\n… cut here: %d bytes in all …\n", size)
	half := (max - len(note)) / 2
	if half <= 0 {
		return ""
	}
	span := min(int64(half)*rawBytesPerTextByte, size)
	return plan.FirstBytes(l.textBetween(0, span, show), half) + note + plan.LastBytes(l.textBetween(size-span, size, show), half)
}

// rawBytesPerTextByte is how many raw bytes are read for one byte of text: colours take up many.
const rawBytesPerTextByte = 4

// textBetween returns the lines that begin between two offsets, or the last one before them. Each line is
// drawn on its own.
func (l *Log) textBetween(from, to int64, show func(line []byte) string) string {
	file, err := l.location.Open()
	if err != nil {
		return ""
	}
	defer file.Close()
	l.mu.Lock()
	size, at := l.index.byteCount, l.index.markOffsetBefore(from)
	l.mu.Unlock()
	r := lineReader{in: io.NewSectionReader(file, l.fileOffset+at, size-at), endNumber: math.MaxInt}
	var text strings.Builder
	for at < to {
		line, err := r.readLineWithEnd()
		if err != nil {
			break
		}
		if at += int64(len(line)); at <= from {
			continue
		}
		body := bytes.TrimSuffix(line, []byte("\n"))
		text.WriteString(show(body))
		text.Write(line[len(body):])
	}
	return text.String()
}

// maxLineBytes is the length in bytes at which a line is cut. A cut never divides a character, so a line
// may be up to three bytes longer.
const maxLineBytes = 16 << 10

// A lineCutter divides a stream into lines. The result does not depend on the pieces in which it sees
// the stream, so lines that are indexed while they are written read the same later.
type lineCutter struct {
	lineLength int // the length of the current line so far, in bytes
}

// readToLineEnd reads from p to the end of the current line. It returns how many bytes it read, and whether
// the line ends with them. For a line that was cut, this can be none.
func (c *lineCutter) readToLineEnd(p []byte) (n int, ended bool) {
	if room := maxLineBytes - c.lineLength; room >= 0 {
		window := p[:min(len(p), room+1)]
		if i := bytes.IndexByte(window, '\n'); i >= 0 {
			c.lineLength = 0
			return i + 1, true
		}
		if len(window) <= room {
			c.lineLength += len(window)
			return len(window), false
		}
		n, c.lineLength = room, maxLineBytes
	}
	for ; n < len(p); n++ {
		inside := p[n]&0xc0 == 0x80 // this byte continues a character
		if !inside || c.lineLength == maxLineBytes+3 {
			c.lineLength = 0
			if p[n] == '\n' {
				n++
			}
			return n, true
		}
		c.lineLength++
	}
	return n, false
}
