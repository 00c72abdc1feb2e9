// Package linediff says which lines of two texts differ: of two short ones all, of two
// long ones those behind the first difference, as far as a window goes. The texts may be
// logs of any length: the memory it takes does not grow with them.
package linediff

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"

	"znkr.io/diff"

	"playhead/engine/sanitize"
)

// Op says which of the texts a line is in, as a diff is written.
type Op string

// A line is in both texts, or in one.
const (
	Same    Op = " "
	Removed Op = "-" // in the first text alone
	Added   Op = "+" // in the second
)

// Line is one line of a diff.
type Line struct {
	Op   Op     `json:"op"`
	A    int    `json:"a,omitempty"` // its number in each text, from 1; 0 where it is not
	B    int    `json:"b,omitempty"`
	Text string `json:"text,omitempty"`
}

// Hunk is differences that stand close to each other, with the lines around them.
type Hunk []Line

// Head says where the hunk is, as unified diffs do.
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

// Diff is what there is to say about two texts. Without hunks they are the same.
type Diff struct {
	Hunks []Hunk `json:"hunks,omitempty"`
	Limit int    `json:"limit,omitempty"` // of long texts: behind this line nothing was looked at; 0: all was
}

// Equal reports whether no line differs.
func (d Diff) Equal() bool { return len(d.Hunks) == 0 }

// Counts says how many lines only one of the texts has.
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

// context is how many lines around a difference come with it.
const context = 3

// Lines compares two texts that are in memory.
func Lines(a, b []string) []Hunk { return behind(a, b, 0) }

// behind compares what follows n lines that are the same.
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

// How much is looked at behind the first difference.
const (
	window      = 2000      // lines of each text
	windowBytes = 256 << 10 // of the shown text of each
	longest     = 16 << 10  // bytes of a line: a longer one is cut into several
)

// Read compares what two commands printed, as it shows: controls and colours are no
// difference.
func Read(a, b io.Reader) (Diff, error) {
	p := pair{a: newLines(a), b: newLines(b)}
	if err := p.skip(); err != nil || p.a.over && p.b.over {
		return Diff{}, err
	}
	n := p.count - len(p.before)
	x, err := p.a.take(p.before)
	if err != nil {
		return Diff{}, err
	}
	y, err := p.b.take(p.before)
	if err != nil {
		return Diff{}, err
	}
	d := Diff{Hunks: behind(x, y, n)}
	if !p.a.over || !p.b.over {
		d.Limit = n + max(len(x), len(y))
	}
	return d, nil
}

// pair is two texts that are read in step.
type pair struct {
	a, b   *lines
	count  int      // lines that were the same
	before []string // the last of them
}

// skip reads until the texts differ, or both end.
func (p *pair) skip() error {
	for {
		if err := errors.Join(p.a.next(), p.b.next()); err != nil {
			return err
		}
		if p.a.over || p.b.over || !bytes.Equal(p.a.raw, p.b.raw) && p.a.text() != p.b.text() {
			return nil
		}
		p.count++
		if len(p.before) == context {
			p.before = append(p.before[:0], p.before[1:]...)
		}
		p.before = append(p.before, p.a.text())
	}
}

// lines reads a text line by line.
type lines struct {
	r    *bufio.Reader
	raw  []byte // the line at hand, until the next
	over bool   // there is none
}

func newLines(r io.Reader) *lines { return &lines{r: bufio.NewReaderSize(r, longest)} }

func (l *lines) next() error {
	raw, err := l.r.ReadSlice('\n')
	switch {
	case errors.Is(err, io.EOF):
		l.over = len(raw) == 0
	case err != nil && !errors.Is(err, bufio.ErrBufferFull):
		return err
	}
	l.raw = bytes.TrimSuffix(bytes.TrimSuffix(raw, []byte("\n")), []byte("\r"))
	return nil
}

func (l *lines) text() string { return sanitize.OutputPlain(l.raw) }

// take is some lines and, behind them, those from the one at hand on, as far as the
// window goes.
func (l *lines) take(before []string) ([]string, error) {
	out := append(make([]string, 0, len(before)+1), before...)
	for size := 0; !l.over && len(out) < window && size < windowBytes; {
		text := l.text()
		out, size = append(out, text), size+len(text)
		if err := l.next(); err != nil {
			return nil, err
		}
	}
	return out, nil
}
