package rundown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// chunk is how many lines of a paragraph are searched for link definitions at a
// time: goldmark's search is quadratic in them.
const chunk = 256

// linkDefinitions finds link definitions at the start of a paragraph, a bounded
// number of lines at a time.
type linkDefinitions struct{}

// Transform implements parser.ParagraphTransformer.
func (linkDefinitions) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	search := parser.LinkReferenceParagraphTransformer
	for node.Lines().Len() > chunk {
		if !defines(node, reader) {
			return
		}
		head := ast.NewParagraph()
		head.Lines().AppendAll(node.Lines().Sliced(0, chunk))
		rest := text.NewSegments()
		rest.AppendAll(node.Lines().Sliced(chunk, node.Lines().Len()))
		node.Parent().InsertBefore(node.Parent(), node, head)
		search.Transform(head, reader, pc)
		if parent := head.Parent(); parent != nil { // not all of it was definitions
			parent.RemoveChild(parent, head)
			head.Lines().AppendAll(rest.Sliced(0, rest.Len()))
			node.SetLines(head.Lines())
			return
		}
		node.SetLines(rest)
	}
	if defines(node, reader) {
		search.Transform(node, reader, pc)
	}
}

// defines reports whether a paragraph may begin with a link definition.
func defines(node *ast.Paragraph, reader text.Reader) bool {
	first := node.Lines().At(0)
	return bytes.HasPrefix(bytes.TrimLeft(first.Value(reader.Source()), " "), []byte("["))
}
