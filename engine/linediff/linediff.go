// Package linediff compares two texts line by line: short texts completely, and long texts in a
// window after the first difference. The texts may be logs of any length, and the memory that it
// uses does not grow with them.
package linediff

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"znkr.io/diff"

	"playhead/engine/sanitize"
)

// LineOp says which of the texts contains a line, in the notation of diffs.
type LineOp string

// The values of LineOp.
const (
	Same    LineOp = " " // in both texts
	Removed LineOp = "-" // only in the first text
	Added   LineOp = "+" // only in the second text
)

// Line is one line of a diff.
type Line struct {
	Op        LineOp `json:"op"`
	NumberInA int    `json:"a,omitempty"` // the number of the line in the first text, from 1; 0 if the text does not contain it
	NumberInB int    `json:"b,omitempty"` // the same in the second text
	Text      string `json:"text,omitempty"`
}

// Hunk is a group of differences that are close together, with the lines around them.
type Hunk []Line

// Header returns the position of the hunk in the notation of unified diffs.
func (h Hunk) Header() string {
	startA, startB, countA, countB := 0, 0, 0, 0
	for _, l := range h {
		if l.NumberInA > 0 {
			startA, countA = cmp.Or(startA, l.NumberInA), countA+1
		}
		if l.NumberInB > 0 {
			startB, countB = cmp.Or(startB, l.NumberInB), countB+1
		}
	}
	return fmt.Sprintf("@@ -%d,%d +%d,%d @@", startA, countA, startB, countB)
}

// Lines returns the lines of the hunk in the notation of unified diffs, each with its end.
func (h Hunk) Lines() string {
	var b strings.Builder
	for _, l := range h {
		b.WriteString(string(l.Op) + l.Text + "\n")
	}
	return b.String()
}

// WriteUnified writes the differences of two versions of a file as a unified diff. It writes nothing for equal versions.
func WriteUnified(w io.Writer, name string, hunks []Hunk) error {
	if len(hunks) == 0 {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", name, name)
	for _, h := range hunks {
		b.WriteString(h.Header() + "\n" + h.Lines())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Diff is the difference of two texts. If there are no hunks, they are equal.
type Diff struct {
	Hunks            []Hunk `json:"hunks,omitempty"`
	LastComparedLine int    `json:"limit,omitempty"` // the last line that was compared; 0: all lines were compared
}

// IsEqual reports whether no line differs.
func (d Diff) IsEqual() bool { return len(d.Hunks) == 0 }

// UncomparedText says after which line the texts were not compared, "" if all lines were.
func (d Diff) UncomparedText() string {
	if d.LastComparedLine == 0 {
		return ""
	}
	return fmt.Sprintf("the texts were not compared after line %d", d.LastComparedLine)
}

// ChangedLineCounts returns how many lines are only in the first text, and only in the second.
func (d Diff) ChangedLineCounts() (removed, added int) {
	for _, h := range d.Hunks {
		for _, l := range h {
			switch l.Op {
			case Removed:
				removed++
			case Added:
				added++
			}
		}
	}
	return removed, added
}

// contextLines is the number of lines to show around a difference.
const contextLines = 3

// SplitLines returns the lines of a file without their ends. An empty file has none.
func SplitLines(file []byte) []string {
	if len(file) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(file), "\r\n", "\n"), "\n"), "\n")
}

// CompareLines returns the differences of two texts, which are lists of lines. It returns nil for equal texts.
func CompareLines(a, b []string) []Hunk { return compareAfterEqualLines(a, b, 0) }

// compareAfterEqualLines compares the rests of two texts whose first n lines are equal and not in a and b.
func compareAfterEqualLines(a, b []string, n int) []Hunk {
	var out []Hunk
	for _, h := range diff.Hunks(a, b, diff.Context(contextLines)) {
		hunk := make(Hunk, 0, len(h.Edits))
		for _, e := range h.Edits {
			hunk = append(hunk, newLine(e, n))
		}
		out = append(out, hunk)
	}
	return out
}

func newLine(e diff.Edit[string], n int) Line {
	switch e.Op {
	case diff.Delete:
		return Line{Op: Removed, NumberInA: n + e.PosX + 1, Text: e.X}
	case diff.Insert:
		return Line{Op: Added, NumberInB: n + e.PosY + 1, Text: e.Y}
	default:
		return Line{Same, n + e.PosX + 1, n + e.PosY + 1, e.X}
	}
}

// Limits of what is compared after the first difference.
const (
	maxComparedLines = 2000      // lines of each text
	maxComparedBytes = 256 << 10 // bytes of the visible text of each
	maxLineBytes     = 16 << 10  // bytes of a line, after which it is cut
)

// CompareOutputs compares the outputs of two commands as a terminal shows them, without colours. The error is one of
// reading a or b.
func CompareOutputs(a, b io.Reader) (Diff, error) {
	p := textPair{a: newLineReader(a), b: newLineReader(b)}
	if err := p.skipEqualLines(); err != nil || p.a.atEnd && p.b.atEnd {
		return Diff{}, err
	}
	n := p.equalCount - len(p.lastEqualLines)
	x, err := p.a.takeLines(p.lastEqualLines)
	if err != nil {
		return Diff{}, err
	}
	y, err := p.b.takeLines(p.lastEqualLines)
	if err != nil {
		return Diff{}, err
	}
	d := Diff{Hunks: compareAfterEqualLines(x, y, n)}
	if !p.a.atEnd || !p.b.atEnd {
		d.LastComparedLine = n + max(len(x), len(y))
	}
	return d, nil
}

// textPair is two texts that are read in parallel.
type textPair struct {
	a, b           *lineReader
	equalCount     int      // the number of equal lines
	lastEqualLines []string // the visible text of the last contextLines of them
}

// skipEqualLines reads until the texts differ or both end.
func (p *textPair) skipEqualLines() error {
	for {
		if err := errors.Join(p.a.readLine(), p.b.readLine()); err != nil {
			return err
		}
		if p.a.atEnd || p.b.atEnd || !bytes.Equal(p.a.rawLine, p.b.rawLine) && p.a.visibleText() != p.b.visibleText() {
			return nil
		}
		p.equalCount++
		if len(p.lastEqualLines) == contextLines {
			p.lastEqualLines = append(p.lastEqualLines[:0], p.lastEqualLines[1:]...)
		}
		p.lastEqualLines = append(p.lastEqualLines, p.a.visibleText())
	}
}

// lineReader reads a text line by line.
type lineReader struct {
	r       *bufio.Reader
	rawLine []byte // the current line, valid until the next
	atEnd   bool   // there are no more lines
}

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, maxLineBytes)}
}

func (l *lineReader) readLine() error {
	raw, err := l.r.ReadSlice('\n')
	switch {
	case errors.Is(err, io.EOF):
		l.atEnd = len(raw) == 0
	case err != nil && !errors.Is(err, bufio.ErrBufferFull):
		return err
	}
	l.rawLine = bytes.TrimSuffix(bytes.TrimSuffix(raw, []byte("\n")), []byte("\r"))
	return nil
}

func (l *lineReader) visibleText() string { return sanitize.OutputPlain(l.rawLine) }

// takeLines returns the lines before, followed by the current and later lines, up to the window.
func (l *lineReader) takeLines(before []string) ([]string, error) {
	out := append(make([]string, 0, len(before)+1), before...)
	for size := 0; !l.atEnd && len(out) < maxComparedLines && size < maxComparedBytes; {
		text := l.visibleText()
		out, size = append(out, text), size+len(text)
		if err := l.readLine(); err != nil {
			return nil, err
		}
	}
	return out, nil
}
