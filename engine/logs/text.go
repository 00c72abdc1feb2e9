package logs

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"playhead/engine/sanitize"
)

// Text returns what was printed as text without controls, colours or styles, in at most max
// bytes. Where that is too little, the middle gives way to a note of how much was left out:
// what began and how it ended matter most. A log that cannot be read has an empty text.
func (l *Log) Text(max int) string {
	size, _ := l.Size()
	if size <= int64(max)*rawPerText {
		if text := sanitize.Text(l.raw(0, size)); len(text) <= max {
			return text
		}
	}
	note := fmt.Sprintf("\n… part of %d bytes left out …\n", size)
	half := (max - len(note)) / 2
	if half <= 0 {
		return ""
	}
	span := min(int64(half)*rawPerText, size)
	head := cutAfter(sanitize.Text(l.raw(0, span)), half)
	tail := cutBefore(sanitize.Text(l.raw(size-span, size)), half)
	return head + note + tail
}

// rawPerText is how many raw bytes are read for one byte of text: colours take many.
const rawPerText = 4

// raw returns the bytes of the log from one offset to another.
func (l *Log) raw(from, to int64) []byte {
	file, err := os.Open(l.path)
	if err != nil {
		return nil
	}
	defer file.Close()
	raw, _ := io.ReadAll(io.NewSectionReader(file, l.base+from, to-from))
	return raw
}

// cutAfter returns the first max bytes of s, rather ending with a whole line.
func cutAfter(s string, max int) string {
	if len(s) <= max {
		return s
	}
	for max > 0 && !utf8.RuneStart(s[max]) {
		max--
	}
	s = s[:max]
	if i := strings.LastIndexByte(s, '\n'); i > len(s)/2 {
		return s[:i]
	}
	return s
}

// cutBefore returns the last max bytes of s, rather beginning with a whole line.
func cutBefore(s string, max int) string {
	start := len(s) - max
	if start <= 0 {
		return s
	}
	for start < len(s) && !utf8.RuneStart(s[start]) {
		start++
	}
	s = s[start:]
	if i := strings.IndexByte(s, '\n'); i >= 0 && i < len(s)/2 {
		return s[i+1:]
	}
	return s
}
