package rundown

import (
	"bytes"
	"html"
	"sort"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// mappedText is the plain text of a line of inline content (spec §1), with the place in the source of
// each byte. Without marks, it is the source itself, and the slices are nil.
type mappedText struct {
	text                 string
	lineStart            int   // the offset in the source at which the line begins
	lineEnd              int   // the offset at which it ends
	byteStarts, byteEnds []int // the range in the source that each byte stands for
	outermostMarkIDs     []int // the outermost mark (emphasis, link or autolink) around each byte, 0 for none
	beginsInSpan         bool  // it begins inside a code span, image or tag of an earlier line
}

// sourceOffset returns the offset in the source of byte i.
func (m mappedText) sourceOffset(i int) int {
	switch {
	case m.byteStarts == nil:
		return m.lineStart + i
	case i < len(m.byteStarts):
		return m.byteStarts[i]
	}
	return m.sourceEnd(i)
}

// sourceEnd returns the offset in the source at which the first i bytes end.
func (m mappedText) sourceEnd(i int) int {
	switch {
	case m.byteEnds == nil:
		return m.lineStart + i
	case i == 0:
		return m.lineStart
	}
	return m.byteEnds[i-1]
}

// trimmed returns the text without surrounding blanks.
func (m mappedText) trimmed() mappedText {
	from := len(m.text) - len(strings.TrimLeft(m.text, blankCharacters))
	to := max(from, len(strings.TrimRight(m.text, blankCharacters)))
	out := mappedText{text: m.text[from:to], lineStart: m.lineStart, lineEnd: m.lineEnd}
	if from > 0 {
		out.lineStart = m.sourceEnd(from)
	}
	if m.byteStarts != nil {
		out.byteStarts, out.byteEnds, out.outermostMarkIDs = m.byteStarts[from:to], m.byteEnds[from:to], m.outermostMarkIDs[from:to]
	}
	return out
}

// joinLines joins lines with single spaces, without the blanks around them.
func joinLines(lines []mappedText) mappedText {
	out := mappedText{lineStart: lines[0].lineStart, lineEnd: lines[len(lines)-1].lineEnd}
	var text strings.Builder
	for i, p := range lines {
		p = p.trimmed()
		if i > 0 {
			text.WriteByte(' ')
			out.byteStarts, out.byteEnds, out.outermostMarkIDs = append(out.byteStarts, p.lineStart-1), append(out.byteEnds, p.lineStart), append(out.outermostMarkIDs, 0)
		}
		text.WriteString(p.text)
		for j := range len(p.text) {
			out.byteStarts, out.byteEnds, out.outermostMarkIDs = append(out.byteStarts, p.sourceOffset(j)), append(out.byteEnds, p.sourceEnd(j+1)), append(out.outermostMarkIDs, p.outermostMarkID(j))
		}
	}
	out.text = text.String()
	return out
}

// outermostMarkID returns the ID of the outermost mark around byte i, 0 for none.
func (m mappedText) outermostMarkID(i int) int {
	if i < len(m.outermostMarkIDs) {
		return m.outermostMarkIDs[i]
	}
	return 0
}

// isInsideMark reports whether bytes i-1 and i are inside the same outermost mark.
func (m mappedText) isInsideMark(i int) bool {
	return i > 0 && m.outermostMarkID(i) != 0 && m.outermostMarkID(i) == m.outermostMarkID(i-1)
}

// plainTextCollector collects plain text from inline nodes.
type plainTextCollector struct {
	source                                 []byte
	text                                   []byte
	byteStarts, byteEnds, outermostMarkIDs []int
	markCount                              int
	literalRanges                          []sourceRange // ranges that stay as written
}

// sourceRange is a range of the source.
type sourceRange struct{ from, to int }

// takeLine removes and returns the bytes of one line of the source, without the line's LF. The
// collected bytes are in source order, so those of the next line come first. shift is added to all offsets.
func (ptc *plainTextCollector) takeLine(from, to, shift int) mappedText {
	n := sort.SearchInts(ptc.byteStarts, to)
	p := mappedText{text: string(ptc.text[:n]), lineStart: from + shift, lineEnd: to + shift, byteStarts: ptc.byteStarts[:n], byteEnds: ptc.byteEnds[:n], outermostMarkIDs: ptc.outermostMarkIDs[:n]}
	for len(ptc.literalRanges) > 0 && ptc.literalRanges[0].to <= from {
		ptc.literalRanges = ptc.literalRanges[1:]
	}
	p.beginsInSpan = len(ptc.literalRanges) > 0 && ptc.literalRanges[0].from < from
	ptc.text, ptc.byteStarts, ptc.byteEnds, ptc.outermostMarkIDs = ptc.text[n:], ptc.byteStarts[n:], ptc.byteEnds[n:], ptc.outermostMarkIDs[n:]
	if strings.HasSuffix(p.text, "\n") {
		p.text = p.text[:n-1]
	}
	for i := range n {
		p.byteStarts[i] += shift
		p.byteEnds[i] += shift
	}
	return p
}

// addChildren adds the content of a node. top is the ID of the outermost mark around it, 0 for none.
func (ptc *plainTextCollector) addChildren(n ast.Node, top int) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		inner := top
		if top == 0 {
			ptc.markCount++
			inner = ptc.markCount
		}
		switch c := c.(type) {
		case *ast.Text:
			ptc.addDecoded(c.Segment.Start, c.Segment.Stop, top)
			if c.SoftLineBreak() || c.HardLineBreak() {
				ptc.addText("\n", c.Segment.Stop, c.Segment.Stop, top)
			}
		case *ast.Emphasis, *ast.Link:
			ptc.addChildren(c, inner)
		case *ast.AutoLink:
			ptc.addText(string(c.Label(ptc.source)), c.Pos(), nodeEnd(c), inner)
		default: // code spans, images and inline HTML stay as written
			ptc.addUnchanged(c.Pos(), nodeEnd(c), top)
			ptc.literalRanges = append(ptc.literalRanges, sourceRange{c.Pos(), nodeEnd(c)})
		}
	}
}

func nodeEnd(n ast.Node) int {
	if v, ok := n.Attribute(nodeEndAttribute); ok {
		return v.(int)
	}
	return n.Pos()
}

// addText appends text that stands for a range of the source.
func (ptc *plainTextCollector) addText(s string, from, to, top int) {
	for i := range len(s) {
		ptc.text = append(ptc.text, s[i])
		ptc.byteStarts, ptc.byteEnds, ptc.outermostMarkIDs = append(ptc.byteStarts, from), append(ptc.byteEnds, to), append(ptc.outermostMarkIDs, top)
	}
}

// addUnchanged adds a range of the source unchanged.
func (ptc *plainTextCollector) addUnchanged(from, to, top int) {
	for i := from; i < to; i++ {
		ptc.addText(string(ptc.source[i:i+1]), i, i+1, top)
	}
}

// addDecoded adds a range of the source with escapes and entities decoded.
func (ptc *plainTextCollector) addDecoded(from, to, top int) {
	for i := from; i < to; {
		n := 1
		switch c := ptc.source[i]; {
		case c == '\\' && i+1 < to && util.IsPunct(ptc.source[i+1]):
			ptc.addText(string(ptc.source[i+1:i+2]), i, i+2, top)
			n = 2
		case c == '&' && entityLength(ptc.source[i:to]) > 0:
			n = entityLength(ptc.source[i:to])
			ptc.addText(html.UnescapeString(string(ptc.source[i:i+n])), i, i+n, top)
		default:
			ptc.addUnchanged(i, i+1, top)
		}
		i += n
	}
}

const (
	maxEntityLength      = 40 // longer than any entity of HTML
	maxNumericNameLength = 8  // of # with 7 digits, or #x with 6
)

// entityLength returns the length of the entity with which s begins, 0 if there is none.
func entityLength(s []byte) int {
	n := bytes.IndexByte(s[:min(len(s), maxEntityLength)], ';')
	if n < 2 {
		return 0
	}
	name := string(s[1:n])
	if name[0] != '#' {
		if _, ok := util.LookUpHTML5EntityByName(name); !ok {
			return 0
		}
		return n + 1
	}
	nonDigits := strings.Trim(name[1:], "0123456789")
	if len(name) > 2 && (name[1] == 'x' || name[1] == 'X') {
		nonDigits = strings.Trim(name[2:], "0123456789abcdefABCDEF")
	}
	if nonDigits != "" || len(name) < 2 || len(name) > maxNumericNameLength {
		return 0
	}
	return n + 1
}
