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

// Op says which of the texts contains a line, in the notation of diffs.
type Op string

// A line is in both texts, or in one of them.
const (
	Same    Op = " "
	Removed Op = "-" // only in the first text
	Added   Op = "+" // only in the second text
)

// Line is one line of a diff.
type Line struct {
	Op   Op     `json:"op"`
	A    int    `json:"a,omitempty"` // its number in each text, from 1; 0 if the text does not contain it
	B    int    `json:"b,omitempty"`
	Text string `json:"text,omitempty"`
}

// Hunk is a group of differences that are close together, with the lines around them.
type Hunk []Line

// Head returns the position of the hunk in the notation of unified diffs.
func (h Hunk) Head() string {
	from, to, removed, added := 0, 0, 0, 0
	for _, l := range h {
		if l.A > 0 {
			from, removed = cmp.Or(from, l.A), removed+1
		}
		if l.B > 0 {
			to, added = cmp.Or(to, l.B), added+1
		}
	}
	return fmt.Sprintf("@@ -%d,%d +%d,%d @@", from, removed, to, added)
}

// Diff is the difference of two texts. If there are no hunks, they are equal.
type Diff struct {
	Hunks []Hunk `json:"hunks,omitempty"`
	Limit int    `json:"limit,omitempty"` // of long texts: lines after this one were not compared; 0: all were
}

// Equal reports whether no line differs.
func (d Diff) Equal() bool { return len(d.Hunks) == 0 }

// Counts returns how many lines are only in the first text, and only in the second.
func (d Diff) Counts() (removed, added int) {
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

// context is the number of lines to show around a difference.
const context = 3

// Split returns the lines of a file without their ends. An empty file has none.
func Split(file []byte) []string {
	if len(file) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(file), "\r\n", "\n"), "\n"), "\n")
}

// Lines compares two texts in memory.
func Lines(a, b []string) []Hunk { return behind(a, b, 0) }

// behind compares what follows n equal lines.
func behind(a, b []string, n int) []Hunk {
	var out []Hunk
	for _, h := range diff.Hunks(a, b, diff.Context(context)) {
		hunk := make(Hunk, 0, len(h.Edits))
		for _, e := range h.Edits {
			hunk = append(hunk, lineOf(e, n))
		}
		out = append(out, hunk)
	}
	return out
}

func lineOf(e diff.Edit[string], n int) Line {
	switch e.Op {
	case diff.Delete:
		return Line{Op: Removed, A: n + e.PosX + 1, Text: e.X}
	case diff.Insert:
		return Line{Op: Added, B: n + e.PosY + 1, Text: e.Y}
	default:
		return Line{Same, n + e.PosX + 1, n + e.PosY + 1, e.X}
	}
}

// Limits of what is compared after the first difference.
const (
	window      = 2000      // lines of each text
	windowBytes = 256 << 10 // of the visible text of each
	longest     = 16 << 10  // bytes of a line, after which it is cut
)

// Read compares the outputs of two commands as they show. Control characters and colours do not
// count.
func Read(a, b io.Reader) (Diff, error) {
	p := pair{a: newLines(a), b: newLines(b)}
	if err := p.skip(); err != nil || p.a.atEnd && p.b.atEnd {
		return Diff{}, err
	}
	n := p.count - len(p.lastEqual)
	x, err := p.a.take(p.lastEqual)
	if err != nil {
		return Diff{}, err
	}
	y, err := p.b.take(p.lastEqual)
	if err != nil {
		return Diff{}, err
	}
	d := Diff{Hunks: behind(x, y, n)}
	if !p.a.atEnd || !p.b.atEnd {
		d.Limit = n + max(len(x), len(y))
	}
	return d, nil
}

// pair is two texts that are read in parallel.
type pair struct {
	a, b      *lines
	count     int      // the number of equal lines
	lastEqual []string // the last of these
}

// skip reads until the texts differ or both end.
func (p *pair) skip() error {
	for {
		if err := errors.Join(p.a.next(), p.b.next()); err != nil {
			return err
		}
		if p.a.atEnd || p.b.atEnd || !bytes.Equal(p.a.raw, p.b.raw) && p.a.text() != p.b.text() {
			return nil
		}
		p.count++
		if len(p.lastEqual) == context {
			p.lastEqual = append(p.lastEqual[:0], p.lastEqual[1:]...)
		}
		p.lastEqual = append(p.lastEqual, p.a.text())
	}
}

// lines reads a text line by line.
type lines struct {
	r     *bufio.Reader
	raw   []byte // the current line, valid until the next
	atEnd bool   // there are no more lines
}

func newLines(r io.Reader) *lines { return &lines{r: bufio.NewReaderSize(r, longest)} }

func (l *lines) next() error {
	raw, err := l.r.ReadSlice('\n')
	switch {
	case errors.Is(err, io.EOF):
		l.atEnd = len(raw) == 0
	case err != nil && !errors.Is(err, bufio.ErrBufferFull):
		return err
	}
	l.raw = bytes.TrimSuffix(bytes.TrimSuffix(raw, []byte("\n")), []byte("\r"))
	return nil
}

func (l *lines) text() string { return sanitize.OutputPlain(l.raw) }

// take returns the lines before, followed by the current and later lines, up to the window.
func (l *lines) take(before []string) ([]string, error) {
	out := append(make([]string, 0, len(before)+1), before...)
	for size := 0; !l.atEnd && len(out) < window && size < windowBytes; {
		text := l.text()
		out, size = append(out, text), size+len(text)
		if err := l.next(); err != nil {
			return nil, err
		}
	}
	return out, nil
}
