package rundown

import (
	"bytes"
	"fmt"
	"playhead/parse/source"
	"sort"
	"strings"
	"unicode/utf8"
)

// MaxSize is the largest document that is read (spec §1).
const MaxSize = 1 << 20

// maxLine is the longest line that is read (spec §1): beyond it the rules of
// Markdown are not linear.
const maxLine = 64 << 10

// textLines is the text of a document as the parser sees it, with the places of its
// lines. Removing a BOM and turning CRLF and CR into LF moves neither lines nor
// columns, so places in it are places in the file on disk.
type textLines struct {
	text  []byte
	str   string // the same, to cut strings from
	lines []int  // offsets at which lines start
	near  int    // the line that was last asked for
}

// newTextLines checks and normalizes a file (spec §1). A problem is a sentence about
// the whole file.
func newTextLines(file []byte) (src *textLines, problem string) {
	str := source.Normalize(file)
	text := []byte(str)
	src = &textLines{text: text, str: str, lines: lineStarts(text)}
	if at, problem := source.Invalid(str); problem != "" {
		return src, fmt.Sprintf("line %d: %s", src.line(at)+1, problem)
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

// line is the index of the line that holds the offset. Questions mostly go from
// one line to the next.
func (s *textLines) line(at int) int {
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
func (s *textLines) place(at int) (line, column int) {
	at = min(at, len(s.text))
	line = s.line(at)
	return line + 1, utf8.RuneCount(s.text[s.lines[line]:at]) + 1
}

// bounds is where the text of lines first to last begins and ends, without the
// last line's LF.
func (s *textLines) bounds(first, last int) (from, to int) {
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
func (s *textLines) slice(first, last int) string {
	from, to := s.bounds(first, last)
	return s.str[from:to]
}

// blank reports whether a line holds nothing but spaces and tabs.
func (s *textLines) blank(line int) bool {
	return strings.Trim(s.slice(line, line), blanks) == ""
}

// trim narrows a range of lines to what stands between its blank lines. In a
// range of blank lines last comes before first.
func (s *textLines) trim(first, last int) (int, int) {
	for first <= last && s.blank(last) {
		last--
	}
	for first <= last && s.blank(first) {
		first++
	}
	return first, last
}
