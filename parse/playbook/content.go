package playbook

import (
	"strings"

	"playhead/parse/source"
)

// slice is a range of the document's lines.
type slice struct{ first, last int }

// ranges are the lines of a text, in order, without directives and branches.
type ranges []slice

// add adds a line.
func (s *ranges) add(i int) {
	if n := len(*s); n > 0 && (*s)[n-1].last == i-1 {
		(*s)[n-1].last = i
		return
	}
	*s = append(*s, slice{i, i})
}

// content is text, trimmed as the spec says, with its places.
type content struct {
	text   string
	lines  []int // the document's line of each line of the text, -1 for the blank line between ranges
	indent int   // the number of bytes trimmed from the first line
}

// content joins ranges with blank lines.
func (d *document) content(from ranges) content {
	var c content
	var b strings.Builder
	b.Grow(d.size(from))
	for _, s := range from {
		s = d.trim(s)
		for i := s.first; i <= s.last; i++ {
			if i == s.first && b.Len() > 0 {
				b.WriteString("\n")
				c.lines = append(c.lines, -1)
			}
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(d.prose(i))
			c.lines = append(c.lines, i)
		}
	}
	text := strings.TrimRight(b.String(), blanks)
	c.text = strings.TrimLeft(text, blanks)
	c.indent = len(text) - len(c.text)
	return c
}

// prose returns a line of content. Outside fenced code it has no trailing blanks (spec §3).
func (d *document) prose(i int) string {
	if d.code[i] {
		return d.text[i]
	}
	return strings.TrimRight(d.text[i], blanks)
}

// size returns the maximum size of the text in ranges.
func (d *document) size(from ranges) int {
	n := 0
	for _, s := range from {
		for _, text := range d.text[s.first : s.last+1] {
			n += len(text) + 2
		}
	}
	return n
}

const blanks = " \t\n\v\f\r"

// trim removes blank lines at both ends of a slice.
func (d *document) trim(s slice) slice {
	for s.first <= s.last && source.IsBlank(d.text[s.last]) {
		s.last--
	}
	for s.first <= s.last && source.IsBlank(d.text[s.first]) {
		s.first++
	}
	return s
}

// start returns the place at which the text begins.
func (c content) start() place { return place{c.lines[0], c.indent} }

// reads returns the placeholders of the text with their places.
func (c content) reads() []variableUse {
	var out []variableUse
	at, row, begin := 0, 0, -c.indent // of the current row
	for p, ok := nextPlaceholder(c.text, 0); ok; p, ok = nextPlaceholder(c.text, p.to) {
		for n := 0; n >= 0; {
			if n = strings.IndexByte(c.text[at:p.from], '\n'); n >= 0 {
				at += n + 1
				row, begin = row+1, at
			}
		}
		at = p.from
		out = append(out, variableUse{p.name, place{c.lines[row], p.from - begin}, p.defaulted})
	}
	return out
}

// variableUse is a place where a variable is read.
type variableUse struct {
	name     string
	at       place
	fallback bool // it has a default of its own
}

// readsIn returns the placeholders in a part of one line.
func readsIn(text string, at place) []variableUse {
	var out []variableUse
	for p, ok := nextPlaceholder(text, 0); ok; p, ok = nextPlaceholder(text, p.to) {
		out = append(out, variableUse{p.name, place{at.Line, at.At + p.from}, p.defaulted})
	}
	return out
}

// place is a line, counted from 0, and a byte in it.
type place struct{ Line, At int }

// findCode finds the lines of fenced code, including the fences (spec §1). A branch marker is a
// fence of one line and not code. If it is written on two lines, the backticks at its end do not
// open a fence. open is the line of a fence that is never closed, or -1.
func findCode(lines []string) (code []bool, open int) {
	code = make([]bool, len(lines))
	open = -1
	var opener source.Fence
	split := false // a marker continues, with its backticks on the next line
	for i, text := range lines {
		fence, isFence := fenceOf(text)
		switch {
		case open >= 0:
			code[i] = true
			if isFence && fence.Closes(opener) {
				open = -1
			}
		case isHeading(text):
			split = false
		case markerLike(text):
			split = !strings.HasSuffix(strings.TrimRight(text, blanks), "```")
		case split && isBareFence(text):
			split = false
		case isFence && opens(fence, text):
			code[i] = true
			opener, open = fence, i
		}
	}
	return code, open
}

// fenceOf reads a line as a fence with an indentation of at most three columns.
func fenceOf(text string) (source.Fence, bool) {
	f, ok := source.ReadFence(text)
	return f, ok && f.Columns <= source.MaxFenceIndent
}

// opens reports whether a fence opens a block of code. Markers do not.
func opens(f source.Fence, text string) bool {
	return f.CanOpen() && (f.Char == '~' || !markerLike(text))
}

// isBareFence reports whether a line consists of three backticks.
func isBareFence(text string) bool { return strings.TrimRight(unindent(text), blanks) == "```" }

// unindent removes up to three spaces, the allowed indentation of a fence.
func unindent(text string) string {
	n := 0
	for n < len(text) && n < 3 && text[n] == ' ' {
		n++
	}
	return text[n:]
}
