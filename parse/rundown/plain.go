package rundown

import (
	"bytes"
	"html"
	"sort"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// plain is the plain text of a line of inline content (spec §1), with the place in the source of
// each byte. Without marks, it is the source itself, and the slices are nil.
type plain struct {
	text     string
	start    int   // the offset in the source at which the line begins
	end      int   // the offset at which it ends
	from, to []int // the range in the source that each byte stands for
	top      []int // the outermost mark around each byte, 0 for none
	inSpan   bool  // it begins inside a code span, image or tag of an earlier line
}

// at returns the offset in the source of byte i.
func (p plain) at(i int) int {
	switch {
	case p.from == nil:
		return p.start + i
	case i < len(p.from):
		return p.from[i]
	}
	return p.after(i)
}

// after returns the offset in the source after byte i-1.
func (p plain) after(i int) int {
	switch {
	case p.to == nil:
		return p.start + i
	case i == 0:
		return p.start
	}
	return p.to[i-1]
}

// trimmed returns the text without surrounding blanks.
func (p plain) trimmed() plain {
	from := len(p.text) - len(strings.TrimLeft(p.text, blanks))
	to := max(from, len(strings.TrimRight(p.text, blanks)))
	out := plain{text: p.text[from:to], start: p.start, end: p.end}
	if from > 0 {
		out.start = p.after(from)
	}
	if p.from != nil {
		out.from, out.to, out.top = p.from[from:to], p.to[from:to], p.top[from:to]
	}
	return out
}

// joinLines joins lines with blanks.
func joinLines(lines []plain) plain {
	out := plain{start: lines[0].start, end: lines[len(lines)-1].end}
	var text strings.Builder
	for i, p := range lines {
		p = p.trimmed()
		if i > 0 {
			text.WriteByte(' ')
			out.from, out.to, out.top = append(out.from, p.start-1), append(out.to, p.start), append(out.top, 0)
		}
		text.WriteString(p.text)
		for j := range len(p.text) {
			out.from, out.to, out.top = append(out.from, p.at(j)), append(out.to, p.after(j+1)), append(out.top, p.mark(j))
		}
	}
	out.text = text.String()
	return out
}

// mark returns the outermost mark around byte i, 0 for none.
func (p plain) mark(i int) int {
	if i < len(p.top) {
		return p.top[i]
	}
	return 0
}

// splits reports whether a mark contains the text on both sides of byte i.
func (p plain) splits(i int) bool {
	return i > 0 && p.mark(i) != 0 && p.mark(i) == p.mark(i-1)
}

// plainText collects plain text from inline nodes.
type plainText struct {
	source        []byte
	text          []byte
	from, to, top []int
	tops          int
	literals      []reach // ranges that stay as written
}

// reach is a range of the source.
type reach struct{ from, to int }

// cut removes and returns the bytes of one line of the source, without the line's LF. Bytes are in
// source order, so they are at the front.
func (b *plainText) cut(from, to, shift int) plain {
	n := sort.SearchInts(b.from, to)
	p := plain{text: string(b.text[:n]), start: from + shift, end: to + shift, from: b.from[:n], to: b.to[:n], top: b.top[:n]}
	for len(b.literals) > 0 && b.literals[0].to <= from {
		b.literals = b.literals[1:]
	}
	p.inSpan = len(b.literals) > 0 && b.literals[0].from < from
	b.text, b.from, b.to, b.top = b.text[n:], b.from[n:], b.to[n:], b.top[n:]
	if strings.HasSuffix(p.text, "\n") {
		p.text = p.text[:n-1]
	}
	for i := range n {
		p.from[i] += shift
		p.to[i] += shift
	}
	return p
}

// children adds the content of a node. top is the outermost mark around it.
func (b *plainText) children(n ast.Node, top int) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		inner := top
		if top == 0 {
			b.tops++
			inner = b.tops
		}
		switch c := c.(type) {
		case *ast.Text:
			b.decoded(c.Segment.Start, c.Segment.Stop, top)
			if c.SoftLineBreak() || c.HardLineBreak() {
				b.add("\n", c.Segment.Stop, c.Segment.Stop, top)
			}
		case *ast.Emphasis, *ast.Link:
			b.children(c, inner)
		case *ast.AutoLink:
			b.add(string(c.Label(b.source)), c.Pos(), end(c), inner)
		default: // code spans, images and inline HTML stay as written
			b.raw(c.Pos(), end(c), top)
			b.literals = append(b.literals, reach{c.Pos(), end(c)})
		}
	}
}

func end(n ast.Node) int {
	if v, ok := n.Attribute(endName); ok {
		return v.(int)
	}
	return n.Pos()
}

// add appends text that stands for a range of the source.
func (b *plainText) add(s string, from, to, top int) {
	for i := range len(s) {
		b.text = append(b.text, s[i])
		b.from, b.to, b.top = append(b.from, from), append(b.to, to), append(b.top, top)
	}
}

// raw adds a range of the source unchanged.
func (b *plainText) raw(from, to, top int) {
	for i := from; i < to; i++ {
		b.add(string(b.source[i:i+1]), i, i+1, top)
	}
}

// decoded adds a range of the source with escapes and entities decoded.
func (b *plainText) decoded(from, to, top int) {
	for i := from; i < to; {
		n := 1
		switch c := b.source[i]; {
		case c == '\\' && i+1 < to && util.IsPunct(b.source[i+1]):
			b.add(string(b.source[i+1:i+2]), i, i+2, top)
			n = 2
		case c == '&' && entity(b.source[i:to]) > 0:
			n = entity(b.source[i:to])
			b.add(html.UnescapeString(string(b.source[i:i+n])), i, i+n, top)
		default:
			b.raw(i, i+1, top)
		}
		i += n
	}
}

// entity returns the length of the entity with which s begins, 0 if there is none.
func entity(s []byte) int {
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
