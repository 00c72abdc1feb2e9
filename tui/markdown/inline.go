package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"

	"playhead/engine/sanitize"
)

// inline is the styled text of a block's inlines. Hard breaks are line ends.
func (r *renderer) inline(parent ast.Node) string {
	var b strings.Builder
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		r.span(&b, n)
	}
	return b.String()
}

func (r *renderer) span(b *strings.Builder, n ast.Node) {
	s := r.styles
	switch n := n.(type) {
	case *ast.Text:
		b.WriteString(decode(n.Value(r.src)))
		switch {
		case n.HardLineBreak():
			b.WriteByte('\n')
		case n.SoftLineBreak():
			b.WriteByte(' ')
		}
	case *ast.String:
		b.WriteString(decode(n.Value))
	case *ast.CodeSpan:
		b.WriteString(s.Code(r.literal(n)))
	case *ast.Emphasis:
		paint := s.Emphasis
		if n.Level > 1 {
			paint = s.Strong
		}
		b.WriteString(paint(r.inline(n)))
	case *extast.Strikethrough:
		b.WriteString(s.Struck(r.inline(n)))
	case *extast.TaskCheckBox:
		b.WriteString(map[bool]string{true: "[x] ", false: "[ ] "}[n.IsChecked])
	case *ast.Link:
		r.link(b, r.inline(n), string(n.Destination))
	case *ast.Image:
		r.link(b, "image: "+r.inline(n), string(n.Destination))
	case *ast.AutoLink:
		b.WriteString(s.Link(string(n.URL(r.src))))
	case *ast.RawHTML:
		for i := range n.Segments.Len() {
			segment := n.Segments.At(i)
			b.WriteString(s.Address(sanitize.Plain(segment.Value(r.src))))
		}
	}
}

// link shows where a link leads, unless its text does.
func (r *renderer) link(b *strings.Builder, text, address string) {
	b.WriteString(r.styles.Link(text))
	address = sanitize.Plain(address)
	if address != "" && address != text {
		b.WriteString(" " + r.styles.Address("("+address+")"))
	}
}

// literal is the source of a code span, on one line.
func (r *renderer) literal(n ast.Node) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Value(r.src))
		}
	}
	return sanitize.Plain(b.String())
}

// decode resolves escapes and entities. An entity can stand for a control, so
// what comes out is made safe again.
func decode(source []byte) string {
	out := util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(source)))
	return sanitize.Plain(out)
}
