package linediff

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"playhead/engine/sanitize"
)

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
