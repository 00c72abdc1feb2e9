package rundown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// marks are the characters that can make a text differ from its plain text.
const marks = "\\`*_[]!<&"

// inliner makes plain text. The rules of inlines are not linear, so it has a
// budget: a document that used it up has its remaining text taken as written.
type inliner struct {
	src    *textLines
	refs   parser.Context
	budget int
}

// newInliner allows a hundred steps for each byte of the largest document.
func newInliner(src *textLines, refs parser.Context) *inliner {
	return &inliner{src: src, refs: refs, budget: 100 * MaxSize}
}

// affordable takes the cost of a text, in the worst case its length for each of
// its marks, out of the budget.
func (in *inliner) affordable(snippet []byte) bool {
	n := 0
	for _, c := range snippet {
		if strings.IndexByte(marks, c) >= 0 {
			n++
		}
	}
	cost := n * len(snippet)
	if cost > in.budget {
		return false
	}
	in.budget -= cost
	return true
}

// marked reports whether the plain text of any of the segments can differ from
// what is written.
func (in *inliner) marked(segments *text.Segments) bool {
	for i := range segments.Len() {
		s := segments.At(i)
		if strings.ContainsAny(in.src.str[s.Start:s.Stop], marks) {
			return true
		}
	}
	return false
}

// lines is the plain text of each of the segments, which are one inline content.
func (in *inliner) lines(segments *text.Segments) []plain {
	out := make([]plain, segments.Len())
	if !in.marked(segments) {
		for i := range out {
			out[i] = in.asWritten(segments.At(i))
		}
		return out
	}
	snippet, starts := in.join(segments)
	if !in.affordable(snippet) {
		for i := range out { // each line by itself, if there are several
			one := text.NewSegments()
			if one.Append(segments.At(i)); len(out) > 1 {
				out[i] = in.lines(one)[0]
			} else {
				out[i] = in.asWritten(segments.At(i))
			}
		}
		return out
	}
	b := builder{source: snippet}
	b.children(in.parse(snippet), 0)
	for i, at := range starts {
		next := len(snippet)
		if i+1 < len(starts) {
			next = starts[i+1]
		}
		out[i] = b.cut(at, next, segments.At(i).Start-at)
	}
	return out
}

func (in *inliner) asWritten(s text.Segment) plain {
	return plain{text: strings.TrimRight(in.src.str[s.Start:s.Stop], "\n"), start: s.Start, end: s.Stop}
}

// join puts the segments one behind the other; starts says where each begins.
func (in *inliner) join(segments *text.Segments) (snippet []byte, starts []int) {
	if segments.Len() == 1 {
		s := segments.At(0)
		return s.Value(in.src.text), []int{0}
	}
	for i := range segments.Len() {
		s := segments.At(i)
		starts = append(starts, len(snippet))
		snippet = append(snippet, s.Value(in.src.text)...)
	}
	return snippet, starts
}

// inlineParser reads its whole input as one paragraph.
var inlineParser = parser.NewParser(
	parser.WithBlockParsers(util.Prioritized(whole{}, 1)),
	parser.WithInlineParsers(
		util.Prioritized(ending{parser.NewCodeSpanParser()}, 100),
		util.Prioritized(closing{ending{parser.NewLinkParser()}}, 200),
		util.Prioritized(ending{parser.NewAutoLinkParser()}, 300),
		util.Prioritized(ending{parser.NewRawHTMLParser()}, 400),
		util.Prioritized(parser.NewEmphasisParser(), 500),
	),
)

func (in *inliner) parse(snippet []byte) ast.Node {
	return inlineParser.Parse(text.NewReader(snippet), parser.WithContext(in.refs)).FirstChild()
}

// whole is the block parser of inlineParser.
type whole struct{ parser.BlockParser }

func (whole) Trigger() []byte             { return nil }
func (whole) CanInterruptParagraph() bool { return false }
func (whole) CanAcceptIndentedLine() bool { return true }

func (whole) Open(_ ast.Node, reader text.Reader, _ parser.Context) (ast.Node, parser.State) {
	node := ast.NewParagraph()
	for {
		line, segment := reader.PeekLine()
		if line == nil {
			return node, parser.NoChildren
		}
		node.Lines().Append(segment)
		reader.AdvanceLine()
	}
}

func (whole) Close(ast.Node, text.Reader, parser.Context) {}

// ending notes where a node ends, which goldmark does not keep.
type ending struct{ parser.InlineParser }

var endName = []byte("end")

func (e ending) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	_, before := block.Position()
	node := e.InlineParser.Parse(parent, block, pc)
	if node != nil {
		if node.Pos() < 0 {
			node.(interface{ SetPos(int) }).SetPos(before.Start)
		}
		_, after := block.Position()
		node.SetAttribute(endName, after.Start)
	}
	return node
}

// closing keeps the link parser's second method.
type closing struct{ ending }

func (c closing) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	c.InlineParser.(parser.CloseBlocker).CloseBlock(parent, block, pc)
}
