// Package cells measures text as terminals draw it: in cells, of which a sign takes one,
// two or none. Terminals differ on emoji, so what measures is a value that knows how the
// one at hand counts.
package cells

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Measure measures and shapes text in terminal cells. Terminals count emoji in two
// ways; which one this terminal uses is known once it has answered.
type Measure struct{ Method ansi.Method }

// Width is how many cells a line takes.
func (c Measure) Width(s string) int {
	if plain(s) {
		return len(s)
	}
	return c.Method.StringWidth(s)
}

// plain reports whether a line is printable ASCII: one cell a byte.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// Cut shortens a line to w cells; what is missing shows as an ellipsis.
func (c Measure) Cut(s string, w int) string {
	switch {
	case w <= 0:
		return ""
	case c.Width(s) <= w:
		return s
	}
	return c.truncate(s, w, "…")
}

// CutWords is Cut, but at a blank if that keeps the most of it.
func (c Measure) CutWords(s string, w int) string {
	if c.Width(s) <= w {
		return s
	}
	cut := c.Cut(s, w)
	if at := strings.LastIndexByte(cut, ' '); at > 0 && c.Width(cut[:at]) > w/2 {
		return cut[:at] + " …"
	}
	return cut
}

// truncate shortens a line that is longer than w cells. The library takes some lines for
// short enough where emoji count the old way; with blanks behind them it does not.
func (c Measure) truncate(s string, w int, tail string) string {
	for room := w; ; room-- {
		if out := c.Method.Truncate(s+Spaces(w+1), room, tail); c.Width(out) <= w || room <= 0 {
			return out // it counts some emoji as narrower than they are
		}
	}
}

// Signs is a text with its signs as this terminal draws them.
func (c Measure) Signs(s string) string {
	if c.Method == ansi.WcWidth {
		return Separate(s)
	}
	return s
}

// Fit makes a line exactly w cells wide.
func (c Measure) Fit(s string, w int) string {
	s = c.Cut(s, w)
	return s + Spaces(w-c.Width(s))
}

// Spread puts one text left and one right on a line of w cells. The left one gives way.
func (c Measure) Spread(left, right string, w int) string {
	if right == "" {
		return c.Fit(left, w)
	}
	rw := c.Width(right)
	if rw+1 >= w {
		return c.Fit(right, w)
	}
	return c.Fit(left, w-rw-1) + " " + right
}

// Wrap breaks a text of several lines at words. Where one of them is longer than a line, as a path may be,
// words break behind slashes, too.
func (c Measure) Wrap(s string, w int) []string {
	if w <= 0 || s == "" {
		return nil
	}
	breaks := ""
	for word := range strings.FieldsSeq(s) {
		if len(word) > w && c.Width(word) > w {
			breaks = "/"
			break
		}
	}
	return strings.Split(c.Method.Wrap(s, w, breaks), "\n")
}

// separators are the signs in code behind which a long word may break.
const separators = "/,;=&|"

// Rows breaks a line of code into rows of at most w cells and drops nothing: before blanks, so that a row
// that goes on shows them, else behind a separator, and wherever it is full if either would leave less than
// a third of a row.
func (c Measure) Rows(line string, w int) []string {
	if w <= 0 || c.Width(line) <= w {
		return []string{line}
	}
	return c.split(line, c.breaks(ansi.Strip(line), w))
}

// breaks returns at which cells a line without styles goes on in another row.
func (c Measure) breaks(line string, w int) (out []int) {
	from, at, blank, separator, before := 0, 0, 0, 0, ""
	for len(line) > 0 {
		sign, width := ansi.FirstGraphemeCluster(line, c.Method)
		line = line[len(sign):]
		if sign == " " && before != " " {
			blank = at
		}
		if at+width-from > w {
			switch {
			case blank-from >= w/3:
				from = blank
			case separator-from >= w/3:
				from = separator
			default:
				from = at
			}
			out = append(out, from)
		}
		at += width
		if strings.Contains(separators, sign) {
			separator = at
		}
		before = sign
	}
	return out
}

// split divides a line, which may be styled, at cells.
func (c Measure) split(line string, at []int) []string {
	var rows []string
	var row strings.Builder
	var state byte
	for cell := 0; len(line) > 0; {
		sign, width, n, next := ansi.DecodeSequenceWc(line, state, nil)
		if c.Method == ansi.GraphemeWidth {
			sign, width, n, next = ansi.DecodeSequence(line, state, nil)
		}
		if width > 0 && len(at) > 0 && cell >= at[0] {
			rows, at = append(rows, row.String()), at[1:]
			row.Reset()
		}
		row.WriteString(sign)
		line, state, cell = line[n:], next, cell+width
	}
	return append(rows, row.String())
}

// Slice is the part of a line between two columns.
func (c Measure) Slice(s string, from, to int) string {
	if from <= 0 && c.Width(s) <= to {
		return s
	}
	if plain(s) {
		from, to = min(from, len(s)), min(to, len(s))
		return s[from:to]
	}
	if c.Width(s) > to {
		s = c.truncate(s, to, "")
	}
	// The library's Cut cuts the wrong end where emoji count the old way.
	return c.Method.TruncateLeft(s, from, "")
}

// WholeCharacters widens a part of a line, so that it divides no character.
func (c Measure) WholeCharacters(line string, from, to int) (int, int) {
	for at := 0; len(line) > 0; {
		first, w := ansi.FirstGraphemeCluster(line, c.Method)
		if line = line[len(first):]; at < from && from < at+w {
			from = at
		}
		if at < to && to < at+w {
			to = at + w
		}
		at += w
	}
	return from, to
}

const blanks = "                                                                                                                                                                                                        "

// Spaces are n of them, none for less than one.
func Spaces(n int) string {
	switch {
	case n <= 0:
		return ""
	case n <= len(blanks):
		return blanks[:n]
	}
	return strings.Repeat(" ", n)
}

// Rule is a line of n cells.
func Rule(n int) string { return strings.Repeat("─", max(0, n)) }

// Separate takes apart what some terminals draw as one sign, and some as several: joined
// emoji, skins, flags, signs with a variant. Every part has the width that it is measured
// with, so a row is aligned wherever it is drawn. A terminal that has said that it measures
// whole signs (mode 2027) is given them whole.
func Separate(frame string) string {
	if !slices.ContainsFunc(joiners[:], func(part string) bool { return strings.Contains(frame, part) }) {
		return frame
	}
	var b strings.Builder
	b.Grow(len(frame))
	for i, r := range frame {
		switch {
		case r == '\u200d' && joinsSigns(frame[i+len("\u200d"):]), r == '\ufe0f', r == '\u20e3': // joiner, variant, keycap
		case '\U0001f1e6' <= r && r <= '\U0001f1ff': // half a flag
			b.WriteByte(byte('A' + r - '\U0001f1e6'))
		case '\U0001f3fb' <= r && r <= '\U0001f3ff': // a skin
			b.WriteString("  ")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// joiners are what makes one sign of several, as far as the bytes are the same.
var joiners = [...]string{"\u200d", "\ufe0f", "\u20e3", "\U0001f1e6"[:3], "\U0001f3fb"[:3]}

// joinsSigns reports whether a joiner stands before a sign: letters need theirs, and are
// drawn alike with it.
func joinsSigns(rest string) bool {
	for _, r := range rest {
		return r >= '\u2190'
	}
	return false
}
