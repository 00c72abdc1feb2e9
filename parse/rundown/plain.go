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
	outermostMarkIDs     []int // the outermost mark around each byte, 0 for none
	beginsInSpan         bool  // it begins inside a code span, image or tag of an earlier line
}

// sourceOffset returns the offset in the source of byte i.
func (p mappedText) sourceOffset(i int) int {
	switch {
	case p.byteStarts == nil:
		return p.lineStart + i
	case i < len(p.byteStarts):
		return p.byteStarts[i]
	}
	return p.sourceEnd(i)
}

// sourceEnd returns the offset in the source after byte i-1.
func (p mappedText) sourceEnd(i int) int {
	switch {
	case p.byteEnds == nil:
		return p.lineStart + i
	case i == 0:
		return p.lineStart
	}
	return p.byteEnds[i-1]
}

// trimmed returns the text without surrounding blanks.
func (p mappedText) trimmed() mappedText {
	from := len(p.text) - len(strings.TrimLeft(p.text, blankCharacters))
	to := max(from, len(strings.TrimRight(p.text, blankCharacters)))
	out := mappedText{text: p.text[from:to], lineStart: p.lineStart, lineEnd: p.lineEnd}
	if from > 0 {
		out.lineStart = p.sourceEnd(from)
	}
	if p.byteStarts != nil {
		out.byteStarts, out.byteEnds, out.outermostMarkIDs = p.byteStarts[from:to], p.byteEnds[from:to], p.outermostMarkIDs[from:to]
	}
	return out
}

// joinLines joins lines with blanks.
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

// outermostMarkID returns the outermost mark around byte i, 0 for none.
func (p mappedText) outermostMarkID(i int) int {
	if i < len(p.outermostMarkIDs) {
		return p.outermostMarkIDs[i]
	}
	return 0
}

// isInsideMark reports whether a mark contains the text on both sides of byte i.
func (p mappedText) isInsideMark(i int) bool {
	return i > 0 && p.outermostMarkID(i) != 0 && p.outermostMarkID(i) == p.outermostMarkID(i-1)
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

// takeLine removes and returns the bytes of one line of the source, without the line's LF. Bytes are in
// source order, so they are at the front.
func (b *plainTextCollector) takeLine(from, to, shift int) mappedText {
	n := sort.SearchInts(b.byteStarts, to)
	p := mappedText{text: string(b.text[:n]), lineStart: from + shift, lineEnd: to + shift, byteStarts: b.byteStarts[:n], byteEnds: b.byteEnds[:n], outermostMarkIDs: b.outermostMarkIDs[:n]}
	for len(b.literalRanges) > 0 && b.literalRanges[0].to <= from {
		b.literalRanges = b.literalRanges[1:]
	}
	p.beginsInSpan = len(b.literalRanges) > 0 && b.literalRanges[0].from < from
	b.text, b.byteStarts, b.byteEnds, b.outermostMarkIDs = b.text[n:], b.byteStarts[n:], b.byteEnds[n:], b.outermostMarkIDs[n:]
	if strings.HasSuffix(p.text, "\n") {
		p.text = p.text[:n-1]
	}
	for i := range n {
		p.byteStarts[i] += shift
		p.byteEnds[i] += shift
	}
	return p
}

// addChildren adds the content of a node. top is the outermost mark around it.
func (b *plainTextCollector) addChildren(n ast.Node, top int) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		inner := top
		if top == 0 {
			b.markCount++
			inner = b.markCount
		}
		switch c := c.(type) {
		case *ast.Text:
			b.addDecoded(c.Segment.Start, c.Segment.Stop, top)
			if c.SoftLineBreak() || c.HardLineBreak() {
				b.addText("\n", c.Segment.Stop, c.Segment.Stop, top)
			}
		case *ast.Emphasis, *ast.Link:
			b.addChildren(c, inner)
		case *ast.AutoLink:
			b.addText(string(c.Label(b.source)), c.Pos(), nodeEnd(c), inner)
		default: // code spans, images and inline HTML stay as written
			b.addUnchanged(c.Pos(), nodeEnd(c), top)
			b.literalRanges = append(b.literalRanges, sourceRange{c.Pos(), nodeEnd(c)})
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
func (b *plainTextCollector) addText(s string, from, to, top int) {
	for i := range len(s) {
		b.text = append(b.text, s[i])
		b.byteStarts, b.byteEnds, b.outermostMarkIDs = append(b.byteStarts, from), append(b.byteEnds, to), append(b.outermostMarkIDs, top)
	}
}

// addUnchanged adds a range of the source unchanged.
func (b *plainTextCollector) addUnchanged(from, to, top int) {
	for i := from; i < to; i++ {
		b.addText(string(b.source[i:i+1]), i, i+1, top)
	}
}

// addDecoded adds a range of the source with escapes and entities decoded.
func (b *plainTextCollector) addDecoded(from, to, top int) {
	for i := from; i < to; {
		n := 1
		switch c := b.source[i]; {
		case c == '\\' && i+1 < to && util.IsPunct(b.source[i+1]):
			b.addText(string(b.source[i+1:i+2]), i, i+2, top)
			n = 2
		case c == '&' && entityLength(b.source[i:to]) > 0:
			n = entityLength(b.source[i:to])
			b.addText(html.UnescapeString(string(b.source[i:i+n])), i, i+n, top)
		default:
			b.addUnchanged(i, i+1, top)
		}
		i += n
	}
}

// entityLength returns the length of the entity with which s begins, 0 if there is none.
func entityLength(s []byte) int {
	n := bytes.IndexByte(s[:min(len(s), 40)], ';')
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
	digits, most := strings.Trim(name[1:], "0123456789"), 8
	if len(name) > 2 && (name[1] == 'x' || name[1] == 'X') {
		digits, most = strings.Trim(name[2:], "0123456789abcdefABCDEF"), 8
	}
	if digits != "" || len(name) < 2 || len(name) > most {
		return 0
	}
	return n + 1
}
