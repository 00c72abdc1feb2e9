package playbook

import (
	"strings"

	"playhead/parse/source"
)

// lineRange is a range of the document's lines.
type lineRange struct{ first, last int }

// lineRanges are the lines of a text, in order, without directives and branches.
type lineRanges []lineRange

// add adds a line.
func (l *lineRanges) add(i int) {
	if n := len(*l); n > 0 && (*l)[n-1].last == i-1 {
		(*l)[n-1].last = i
		return
	}
	*l = append(*l, lineRange{i, i})
}

// content is a text of the document, trimmed (spec §3), with the places of its lines.
type content struct {
	text          string
	documentLines []int // the document's line of each line of the text, -1 for the blank line between ranges
	trimmedBytes  int   // the number of bytes trimmed from the first line
}

// joinRanges returns the text of ranges, with a blank line between two of them.
func (d *document) joinRanges(from lineRanges) content {
	var c content
	var b strings.Builder
	b.Grow(d.textSizeBound(from))
	for _, s := range from {
		s = d.trimBlankLines(s)
		for i := s.first; i <= s.last; i++ {
			if i == s.first && b.Len() > 0 {
				b.WriteString("\n")
				c.documentLines = append(c.documentLines, -1)
			}
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(d.contentLine(i))
			c.documentLines = append(c.documentLines, i)
		}
	}
	text := strings.TrimRight(b.String(), blankCharacters)
	c.text = strings.TrimLeft(text, blankCharacters)
	c.trimmedBytes = len(text) - len(c.text)
	return c
}

// contentLine returns a line of content, without trailing blanks unless it is fenced code (spec §3).
func (d *document) contentLine(i int) string {
	if d.isCodeLine[i] {
		return d.lines[i]
	}
	return strings.TrimRight(d.lines[i], blankCharacters)
}

// textSizeBound returns a size in bytes that the text of ranges does not exceed.
func (d *document) textSizeBound(from lineRanges) int {
	n := 0
	for _, s := range from {
		for _, text := range d.lines[s.first : s.last+1] {
			n += len(text) + 2
		}
	}
	return n
}

const blankCharacters = " \t\n\v\f\r"

// trimBlankLines removes blank lines at both ends of a range. If all are blank, last is before first.
func (d *document) trimBlankLines(s lineRange) lineRange {
	for s.first <= s.last && source.IsBlank(d.lines[s.last]) {
		s.last--
	}
	for s.first <= s.last && source.IsBlank(d.lines[s.first]) {
		s.first++
	}
	return s
}

// firstLinePlace returns the place at which the text begins.
func (c content) firstLinePlace() place { return place{c.documentLines[0], c.trimmedBytes} }

// variableUses returns the placeholders of the text with their places.
func (c content) variableUses() []variableUse {
	var out []variableUse
	at, row, begin := 0, 0, -c.trimmedBytes // begin is where the row begins in the text, before the trimming
	for p, ok := nextPlaceholder(c.text, 0); ok; p, ok = nextPlaceholder(c.text, p.to) {
		before := c.text[at:p.from]
		if n := strings.LastIndexByte(before, '\n'); n >= 0 {
			row, begin = row+strings.Count(before, "\n"), at+n+1
		}
		at = p.from
		out = append(out, variableUse{p.name, place{c.documentLines[row], p.from - begin}, p.hasDefaultText})
	}
	return out
}

// variableUse is a place where a variable is read.
type variableUse struct {
	name       string
	place      place
	hasDefault bool // it has a default of its own
}

// variableUsesIn returns the placeholders in a part of one line.
func variableUsesIn(text string, at place) []variableUse {
	var out []variableUse
	for p, ok := nextPlaceholder(text, 0); ok; p, ok = nextPlaceholder(text, p.to) {
		out = append(out, variableUse{p.name, place{at.Line, at.Offset + p.from}, p.hasDefaultText})
	}
	return out
}

// place is a line, counted from 0, and a byte in it.
type place struct{ Line, Offset int }

// findCodeLines finds the lines of fenced code, including the fences (spec §1). A branch marker is a
// fence of one line and not code. If it is written on two lines, the backticks at its end do not
// open a fence. open is the line of a fence that is never closed, or -1.
func findCodeLines(lines []string) (code []bool, open int) {
	code = make([]bool, len(lines))
	open = -1
	var opener source.Fence
	isSplit := false // a marker is written on two lines: its closing backticks are on the next one
	for i, text := range lines {
		fence, isFence := readFence(text)
		switch {
		case open >= 0:
			code[i] = true
			if isFence && fence.Closes(opener) {
				open = -1
			}
		case isSectionHeading(text):
			isSplit = false
		case isBranchMarkerLike(text):
			isSplit = !strings.Contains(strings.TrimLeft(trimMarkerIndent(text), "`"), "```")
		case isSplit && isBareFence(text):
			isSplit = false
		case isFence && opensCodeBlock(fence, text):
			code[i] = true
			opener, open, isSplit = fence, i, false
		}
	}
	return code, open
}

// readFence reads a line as a fence with an indentation of at most three columns.
func readFence(text string) (source.Fence, bool) {
	f, ok := source.ReadFence(text)
	return f, ok && f.IndentColumns <= source.MaxFenceIndent
}

// opensCodeBlock reports whether a fence opens a block of code. Markers do not.
func opensCodeBlock(f source.Fence, text string) bool {
	return f.CanOpen() && (f.Char == '~' || !isBranchMarkerLike(text))
}

// isBareFence reports whether a line consists of three backticks.
func isBareFence(text string) bool {
	return strings.TrimRight(trimMarkerIndent(text), blankCharacters) == "```"
}

// trimMarkerIndent removes up to three spaces, the allowed indentation of a fence.
func trimMarkerIndent(text string) string {
	n := 0
	for n < len(text) && n < 3 && text[n] == ' ' {
		n++
	}
	return text[n:]
}
