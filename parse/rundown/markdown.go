package rundown

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// maxDepth limits the nesting of blocks (spec §1).
const maxDepth = 100

// tooDeepBlockKey is the context key of the first block that is nested too deep.
var tooDeepBlockKey = parser.NewContextKey()

// blockParser parses only the block structure. Inline content is parsed later, and only for the few
// lines that need it (spec §1).
var blockParser = parser.NewParser(
	parser.WithBlockParsers(
		util.Prioritized(parser.NewSetextHeadingParser(), 100),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(emptyItemParser{listParser{depthLimiter{parser.NewListParser()}}}, 300),
		util.Prioritized(tabIndentParser{listItemParser{parser.NewListItemParser()}}, 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(depthLimiter{parser.NewBlockquoteParser()}, 800),
		util.Prioritized(htmlBlockParser{parser.NewHTMLBlockParser()}, 900),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	),
	parser.WithParagraphTransformers(util.Prioritized(linkDefinitionFinder{}, 100)),
)

// parseBlocks parses the block structure of a text. deep is the offset of the first block that is
// nested too deep, or -1. The content of such a block is text.
func parseBlocks(src *textLines) (root ast.Node, refs parser.Context, deep int) {
	refs = parser.NewContext()
	root = blockParser.Parse(text.NewReader(mergeBlankLines(src)), parser.WithContext(refs))
	deep = -1
	if at, ok := refs.Get(tooDeepBlockKey).(int); ok {
		deep = at
	}
	return root, refs, deep
}

// mergeBlankLines replaces the LFs between blank lines by blanks, which keeps all offsets. Otherwise,
// goldmark would check and store all open blocks for each blank line.
func mergeBlankLines(src *textLines) []byte {
	text, blank := src.text, false
	for i := range src.lineStarts {
		before := blank
		if blank = src.isBlankLine(i); !blank || !before {
			continue
		}
		if &text[0] == &src.text[0] {
			text = bytes.Clone(text)
		}
		text[src.lineStarts[i]-1] = ' '
	}
	return text
}

// depthLimiter refuses to open a list or quote below maxDepth others. So the depth is counted exactly
// as in Markdown, and goldmark never goes any deeper.
type depthLimiter struct{ parser.BlockParser }

// Open implements parser.BlockParser.
func (d depthLimiter) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	opened := pc.OpenedBlocks()
	if len(opened) < maxDepth || openContainerCount(opened) < maxDepth {
		return d.BlockParser.Open(parent, reader, pc)
	}
	line, at := reader.Position()
	node, _ := d.BlockParser.Open(parent, reader, pc)
	reader.SetPosition(line, at)
	if node != nil && pc.Get(tooDeepBlockKey) == nil {
		pc.Set(tooDeepBlockKey, at.Start)
	}
	return nil, parser.NoChildren
}

// listParser does not compute whether a closed list is tight, because that has no meaning here.
type listParser struct{ depthLimiter }

// Close implements parser.BlockParser.
func (listParser) Close(ast.Node, text.Reader, parser.Context) {}

// Continue implements parser.BlockParser. A line that is indented enough for the last item belongs
// to it. The rest of its indentation is not measured, because that would happen at each open list.
func (l listParser) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	item, ok := node.LastChild().(*ast.ListItem)
	if ok && item.ChildCount() > 0 && isIndentedBy(reader, item.Offset) {
		return parser.Continue | parser.HasChildren
	}
	return l.BlockParser.Continue(node, reader, pc)
}

// listItemParser is the parser of list items. It examines no more than an item's own indentation.
type listItemParser struct{ parser.BlockParser }

// Continue implements parser.BlockParser.
func (l listItemParser) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	item, ok := node.Parent().LastChild().(*ast.ListItem)
	line, _ := reader.PeekLine()
	if !ok || node.ChildCount() == 0 || util.IsBlank(line) || !isIndentedBy(reader, item.Offset) {
		return l.BlockParser.Continue(node, reader, pc)
	}
	pos, padding := util.IndentPosition(line, reader.LineOffset(), item.Offset)
	reader.AdvanceAndSetPadding(pos, padding)
	return parser.Continue | parser.HasChildren
}

// isIndentedBy reports whether the rest of a line begins with that many columns of blanks.
func isIndentedBy(reader text.Reader, columns int) bool {
	line, _ := reader.PeekLine()
	at := reader.LineOffset()
	width := 0
	for i := 0; width < columns; i++ {
		switch {
		case i < len(line) && line[i] == ' ':
			width++
		case i < len(line) && line[i] == '\t':
			width += util.TabWidth(at + width)
		default:
			return false
		}
	}
	return true
}

// emptyItemParser is a parser of lists that gives the line after an empty item to the item if it is indented enough.
// goldmark ends the list if the line begins another list, which then has the level of the first.
type emptyItemParser struct{ parser.BlockParser }

// endedItemKey is the context key of the last empty item that a blank line ended.
var endedItemKey = parser.NewContextKey()

// Continue implements parser.BlockParser.
func (e emptyItemParser) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	if item, ok := node.LastChild().(*ast.ListItem); ok && item.ChildCount() == 0 {
		line, _ := reader.PeekLine()
		switch {
		case util.IsBlank(line):
			pc.Set(endedItemKey, item)
		case pc.Get(endedItemKey) != item && isIndentedBy(reader, item.Offset):
			return parser.Continue | parser.HasChildren
		}
	}
	return e.BlockParser.Continue(node, reader, pc)
}

// tabIndentParser is a parser of list items that lets goldmark find a nested list whose marker follows a tab, after
// spaces that are already indented enough for the item.
type tabIndentParser struct{ parser.BlockParser }

// Continue implements parser.BlockParser. The blanks before what may be a marker become spaces.
func (t tabIndentParser) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	state := t.BlockParser.Continue(node, reader, pc)
	line, _ := reader.PeekLine()
	width, n := util.IndentWidth(line[:min(len(line), maxMarkerIndent+1)], reader.LineOffset())
	mayBeMarker := n < len(line) && strings.IndexByte("-+*0123456789", line[n]) >= 0
	if state&parser.Continue != 0 && width <= maxMarkerIndent && mayBeMarker && bytes.IndexByte(line[:n], '\t') >= 0 {
		reader.AdvanceAndSetPadding(n, width)
	}
	return state
}

// maxMarkerIndent is the number of columns that a list marker can be indented.
const maxMarkerIndent = 3

// htmlBlockParser is the parser of HTML blocks. It also finds those that goldmark misses: with a tab after a tag name,
// with a declaration in lower case, or with only a closing tag of pre, script or style.
type htmlBlockParser struct{ parser.BlockParser }

// Open implements parser.BlockParser.
func (h htmlBlockParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	return h.BlockParser.Open(parent, htmlStartReader{reader}, pc)
}

// htmlStartReader shows the start of an HTML block in a form that goldmark finds. The segments remain those of the
// source.
type htmlStartReader struct{ text.Reader }

var rawTextClosingTagPattern = regexp.MustCompile(`(?i)^</(?:pre|script|style)[ \t>]`)

// PeekLine implements text.Reader.
func (r htmlStartReader) PeekLine() ([]byte, text.Segment) {
	line, segment := r.Reader.PeekLine()
	at := max(0, bytes.IndexByte(line, '<'))
	isDeclaration := bytes.HasPrefix(line[at:], []byte("<!")) && len(line) > at+2 && isLetter(line[at+2])
	isClosingTag := bytes.HasPrefix(line[at:], []byte("</")) && rawTextClosingTagPattern.Match(line[at:])
	if !isDeclaration && !isClosingTag && bytes.IndexByte(line[at:], '\t') < 0 {
		return line, segment
	}
	line = slices.Concat(line[:at], bytes.ReplaceAll(line[at:], []byte("\t"), []byte(" ")))
	if isDeclaration {
		line[at+2] &^= 0x20
	}
	if isClosingTag {
		line[at+2] = 'x' // begins no name that goldmark knows
	}
	return line, segment
}

func openContainerCount(opened []parser.Block) int {
	n := 0
	for _, b := range opened {
		if k := b.Node.Kind(); k == ast.KindListItem || k == ast.KindBlockquote {
			n++
		}
	}
	return n
}

// linesPerDefinitionSearch is the number of lines of a paragraph that are searched for link definitions at a time,
// because goldmark's search takes quadratic time.
const linesPerDefinitionSearch = 256

// linkDefinitionFinder finds link definitions at the start of a paragraph, a limited number of lines at
// a time.
type linkDefinitionFinder struct{}

// Transform implements parser.ParagraphTransformer.
func (linkDefinitionFinder) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	search := parser.LinkReferenceParagraphTransformer
	for node.Lines().Len() > linesPerDefinitionSearch {
		if !mayDefineLink(node, reader) {
			return
		}
		head := ast.NewParagraph()
		head.Lines().AppendAll(node.Lines().Sliced(0, linesPerDefinitionSearch))
		rest := text.NewSegments()
		rest.AppendAll(node.Lines().Sliced(linesPerDefinitionSearch, node.Lines().Len()))
		node.Parent().InsertBefore(node.Parent(), node, head)
		search.Transform(head, reader, pc)
		if parent := head.Parent(); parent != nil { // the paragraph has text after the definitions
			parent.RemoveChild(parent, head)
			head.Lines().AppendAll(rest.Sliced(0, rest.Len()))
			node.SetLines(head.Lines())
			return
		}
		node.SetLines(rest)
	}
	if mayDefineLink(node, reader) {
		search.Transform(node, reader, pc)
	}
}

// mayDefineLink reports whether a paragraph may begin with a link definition.
func mayDefineLink(node *ast.Paragraph, reader text.Reader) bool {
	first := node.Lines().At(0)
	return bytes.HasPrefix(bytes.TrimLeft(first.Value(reader.Source()), " "), []byte("["))
}
