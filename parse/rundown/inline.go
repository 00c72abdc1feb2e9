package rundown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// inlineMarks are the characters that can make the plain text differ from what is written.
const inlineMarks = "\\`*_[]!<&"

// plainTextParser converts inline content to plain text. Parsing inline content does not take linear time,
// so there is a budget. When it is used up, the remaining text is taken as written.
type plainTextParser struct {
	sourceLines *textLines
	linkContext parser.Context
	budget      int
}

// newPlainTextParser returns a parser with a budget of a hundred steps for each byte of the largest
// document.
func newPlainTextParser(src *textLines, refs parser.Context) *plainTextParser {
	return &plainTextParser{sourceLines: src, linkContext: refs, budget: 100 * MaxSize}
}

// spendBudget subtracts the cost of parsing a text from the budget: its length times the number of marks, which is the
// worst case. It returns false, and subtracts nothing, if the budget does not suffice.
func (p *plainTextParser) spendBudget(snippet []byte) bool {
	n := 0
	for _, c := range snippet {
		if strings.IndexByte(inlineMarks, c) >= 0 {
			n++
		}
	}
	cost := n * len(snippet)
	if cost > p.budget {
		return false
	}
	p.budget -= cost
	return true
}

// hasInlineMarks reports whether the plain text of the segments can differ from what is written.
func (p *plainTextParser) hasInlineMarks(segments *text.Segments) bool {
	for i := range segments.Len() {
		s := segments.At(i)
		if strings.ContainsAny(p.sourceLines.textString[s.Start:s.Stop], inlineMarks) {
			return true
		}
	}
	return false
}

// plainTextOfLines returns the plain text of each of the segments, which together are one inline content.
func (p *plainTextParser) plainTextOfLines(segments *text.Segments) []mappedText {
	out := make([]mappedText, segments.Len())
	if !p.hasInlineMarks(segments) {
		for i := range out {
			out[i] = p.writtenText(segments.At(i))
		}
		return out
	}
	snippet, starts := p.joinSegments(segments)
	if !p.spendBudget(snippet) {
		for i := range out { // several lines are parsed one by one, as long as the budget lasts
			one := text.NewSegments()
			if one.Append(segments.At(i)); len(out) > 1 {
				out[i] = p.plainTextOfLines(one)[0]
			} else {
				out[i] = p.writtenText(segments.At(i))
			}
		}
		return out
	}
	b := plainTextCollector{source: snippet}
	b.addChildren(p.parse(snippet), 0)
	for i, at := range starts {
		next := len(snippet)
		if i+1 < len(starts) {
			next = starts[i+1]
		}
		out[i] = b.takeLine(at, next, segments.At(i).Start-at)
	}
	return out
}

// writtenText returns a segment as it is written, without its LF.
func (p *plainTextParser) writtenText(s text.Segment) mappedText {
	return mappedText{text: strings.TrimRight(p.sourceLines.textString[s.Start:s.Stop], "\n"), lineStart: s.Start, lineEnd: s.Stop}
}

// joinSegments concatenates the segments. starts are their offsets.
func (p *plainTextParser) joinSegments(segments *text.Segments) (snippet []byte, starts []int) {
	if segments.Len() == 1 {
		s := segments.At(0)
		return s.Value(p.sourceLines.text), []int{0}
	}
	for i := range segments.Len() {
		s := segments.At(i)
		starts = append(starts, len(snippet))
		snippet = append(snippet, s.Value(p.sourceLines.text)...)
	}
	return snippet, starts
}

// inlineParser reads its whole input as one paragraph.
var inlineParser = parser.NewParser(
	parser.WithBlockParsers(util.Prioritized(paragraphParser{}, 1)),
	parser.WithInlineParsers(
		util.Prioritized(nodeEndRecorder{parser.NewCodeSpanParser()}, 100),
		util.Prioritized(linkParser{nodeEndRecorder{parser.NewLinkParser()}}, 200),
		util.Prioritized(nodeEndRecorder{parser.NewAutoLinkParser()}, 300),
		util.Prioritized(nodeEndRecorder{parser.NewRawHTMLParser()}, 400),
		util.Prioritized(parser.NewEmphasisParser(), 500),
	),
)

func (p *plainTextParser) parse(snippet []byte) ast.Node {
	return inlineParser.Parse(text.NewReader(snippet), parser.WithContext(p.linkContext)).FirstChild()
}

// paragraphParser is the block parser of inlineParser.
type paragraphParser struct{ parser.BlockParser }

func (paragraphParser) Trigger() []byte             { return nil }
func (paragraphParser) CanInterruptParagraph() bool { return false }
func (paragraphParser) CanAcceptIndentedLine() bool { return true }

func (paragraphParser) Open(_ ast.Node, reader text.Reader, _ parser.Context) (ast.Node, parser.State) {
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

func (paragraphParser) Close(ast.Node, text.Reader, parser.Context) {}

// nodeEndRecorder records where a node ends, because goldmark does not.
type nodeEndRecorder struct{ parser.InlineParser }

var nodeEndAttribute = []byte("end")

func (e nodeEndRecorder) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	_, before := block.Position()
	node := e.InlineParser.Parse(parent, block, pc)
	if node != nil {
		if node.Pos() < 0 {
			node.(interface{ SetPos(int) }).SetPos(before.Start)
		}
		_, after := block.Position()
		node.SetAttribute(nodeEndAttribute, after.Start)
	}
	return node
}

// linkParser is a nodeEndRecorder of the link parser, which has a second method.
type linkParser struct{ nodeEndRecorder }

func (l linkParser) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	l.InlineParser.(parser.CloseBlocker).CloseBlock(parent, block, pc)
}
