package rundown

import (
	"bytes"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"
)

// MaxSize is the largest document that is read (spec §1).
const MaxSize = 1 << 20

// maxLine is the longest line that is read (spec §1): beyond it the rules of
// Markdown are not linear.
const maxLine = 64 << 10

// source is the text of a document as the parser sees it, with the places of its
// lines. Removing a BOM and turning CRLF and CR into LF moves neither lines nor
// columns, so places in it are places in the file on disk.
type source struct {
	text  []byte
	str   string // the same, to cut strings from
	lines []int  // offsets at which lines start
	near  int    // the line that was last asked for
}

// newSource checks and normalizes a file (spec §1). A problem is a sentence about
// the whole file.
func newSource(file []byte) (src *source, problem string) {
	text := bytes.TrimPrefix(file, []byte("\xef\xbb\xbf"))
	if bytes.IndexByte(text, '\r') >= 0 {
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
		text = bytes.ReplaceAll(text, []byte("\r"), []byte("\n"))
	}
	src = &source{text: text, str: string(text), lines: lineStarts(text)}
	if at := bytes.IndexByte(text, 0); at >= 0 {
		return src, fmt.Sprintf("line %d holds a NUL byte: this is not a text file", src.line(at)+1)
	}
	if !utf8.Valid(text) {
		at := firstInvalid(text)
		return src, fmt.Sprintf("line %d is not valid UTF-8 (byte 0x%02x)", src.line(at)+1, text[at])
	}
	return src, ""
}

func lineStarts(text []byte) []int {
	starts := make([]int, 1, 1+bytes.Count(text, []byte("\n")))
	for at := 0; ; {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			return starts
		}
		at += n + 1
		if at < len(text) {
			starts = append(starts, at)
		}
	}
}

func firstInvalid(text []byte) int {
	at := 0
	for at < len(text) {
		r, n := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		at += n
	}
	return at
}

// line is the index of the line that holds the offset. Questions mostly go from
// one line to the next.
func (s *source) line(at int) int {
	for i := max(0, s.near-4); i < len(s.lines) && i < s.near+8 && s.lines[i] <= at; i++ {
		if i+1 == len(s.lines) || s.lines[i+1] > at {
			s.near = i
			return i
		}
	}
	s.near = sort.SearchInts(s.lines, at+1) - 1
	return s.near
}

// place is the line and the column, in runes, of an offset; both count from 1.
func (s *source) place(at int) (line, column int) {
	at = min(at, len(s.text))
	line = s.line(at)
	return line + 1, utf8.RuneCount(s.text[s.lines[line]:at]) + 1
}

// bounds is where the text of lines first to last begins and ends, without the
// last line's LF.
func (s *source) bounds(first, last int) (from, to int) {
	from, to = s.lines[first], len(s.text)
	if last+1 < len(s.lines) {
		to = s.lines[last+1]
	}
	if to > from && s.text[to-1] == '\n' {
		to--
	}
	return from, to
}

// slice is the text of lines first to last.
func (s *source) slice(first, last int) string {
	from, to := s.bounds(first, last)
	return s.str[from:to]
}

// blank reports whether a line holds nothing but spaces and tabs.
func (s *source) blank(line int) bool {
	return strings.Trim(s.slice(line, line), blanks) == ""
}

// trim narrows a range of lines to what stands between its blank lines. In a
// range of blank lines last comes before first.
func (s *source) trim(first, last int) (int, int) {
	for first <= last && s.blank(last) {
		last--
	}
	for first <= last && s.blank(first) {
		first++
	}
	return first, last
}
