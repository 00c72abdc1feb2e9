package rundown

import (
	"bytes"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"playhead/parse/source"
)

// MaxSize limits the size of a document, in bytes (spec §1).
const MaxSize = 1 << 20

// maxLineLength limits the length of a line, in bytes (spec §1), because Markdown does not parse long
// lines in linear time.
const maxLineLength = 64 << 10

// textLines is the text of a document with the places of its lines. Removing a BOM and replacing
// CRLF and CR by LF does not change line and column numbers, so places in the text are places in
// the file.
type textLines struct {
	text              []byte
	textString        string // the same as a string
	lineStarts        []int  // the offsets at which lines begin
	lastRequestedLine int    // the line of the last request
}

// newTextLines checks and normalizes a file (spec §1). problem is a sentence about the whole file,
// "" if there is none.
func newTextLines(file []byte) (src *textLines, problem string) {
	str := source.Normalize(file)
	text := []byte(str)
	src = &textLines{text: text, textString: str, lineStarts: lineStarts(text)}
	if at, problem := source.NotTextReason(str); problem != "" {
		return src, fmt.Sprintf("%s (line %d)", problem, src.lineAt(at)+1)
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

// cutLines cuts off what follows the first limit bytes of each line.
func (t *textLines) cutLines(limit int) {
	var text, str []byte
	copiedTo := 0 // the offset up to which the text is in text and str
	for i := range t.lineStarts {
		from, to := t.lineBounds(i, i)
		if to-from <= limit {
			continue
		}
		end := from + limit
		for !utf8.RuneStart(t.textString[end]) {
			end--
		}
		text, str = append(text, t.text[copiedTo:end]...), append(str, t.textString[copiedTo:end]...)
		copiedTo = to
	}
	if copiedTo == 0 {
		return
	}
	t.text, t.textString = append(text, t.text[copiedTo:]...), string(append(str, t.textString[copiedTo:]...))
	t.lineStarts = lineStarts(t.text)
}

// lineAt returns the index of the line with an offset. It is fast if requests go from line to line.
func (t *textLines) lineAt(at int) int {
	for i := max(0, t.lastRequestedLine-4); i < len(t.lineStarts) && i < t.lastRequestedLine+8 && t.lineStarts[i] <= at; i++ {
		if i+1 == len(t.lineStarts) || t.lineStarts[i+1] > at {
			t.lastRequestedLine = i
			return i
		}
	}
	t.lastRequestedLine = sort.SearchInts(t.lineStarts, at+1) - 1
	return t.lastRequestedLine
}

// placeAt returns the line, and the column in characters, of an offset. Both count from 1.
func (t *textLines) placeAt(at int) (line, column int) {
	at = min(at, len(t.text))
	line = t.lineAt(at)
	return line + 1, utf8.RuneCount(t.text[t.lineStarts[line]:at]) + 1
}

// lineBounds returns the range of the text of lines first to last, without the last line's LF.
func (t *textLines) lineBounds(first, last int) (from, to int) {
	from, to = t.lineStarts[first], len(t.text)
	if last+1 < len(t.lineStarts) {
		to = t.lineStarts[last+1]
	}
	if to > from && t.text[to-1] == '\n' {
		to--
	}
	return from, to
}

// textOfLines returns the text of lines first to last.
func (t *textLines) textOfLines(first, last int) string {
	from, to := t.lineBounds(first, last)
	return t.textString[from:to]
}

// isBlankLine reports whether a line contains only spaces and tabs.
func (t *textLines) isBlankLine(line int) bool {
	return strings.Trim(t.textOfLines(line, line), blankCharacters) == ""
}

// trimBlankLines removes blank lines at both ends of a range of lines. If all are blank, the returned last
// line is before the first.
func (t *textLines) trimBlankLines(first, last int) (int, int) {
	for first <= last && t.isBlankLine(last) {
		last--
	}
	for first <= last && t.isBlankLine(first) {
		first++
	}
	return first, last
}
