// Package markdown draws Markdown and code as lines for a terminal, in the colours of a theme.
//
// Goldmark parses, glamour draws paragraphs, headings and tables, and chroma highlights code. This package
// lays out lists and quotes itself, because glamour joins the paragraphs of an item, does not indent
// wrapped items and breaks long lines of code.
package markdown

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"playhead/engine/sanitize"
	"playhead/engine/tools"
	"playhead/themes"
	"playhead/tui/cells"
)

// minWidth is the minimum width at which text is laid out.
const minWidth = 8

// Render returns the source as lines of at most width cells. Only lines of code may be longer. The source
// must not have control characters. The only control sequences in the lines are styles.
func Render(source string, width int, s *themes.Styles, m cells.Measure) []string {
	d := document{source: []byte(source), styles: s, measure: m}
	return d.draw(width)
}

// RenderReply returns the reply of a model as Render does, and indents the JSON in its fences.
func RenderReply(source string, width int, s *themes.Styles, m cells.Measure) []string {
	d := document{source: []byte(source), styles: s, measure: m, indentsJSON: true}
	return d.draw(width)
}

var sharedParser = goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser

// document is a text that is drawn.
type document struct {
	source          []byte
	styles          *themes.Styles
	measure         cells.Measure
	linkDefinitions string // those of the document; glamour draws each paragraph alone, so each gets them
	indentsJSON     bool   // JSON in fences is indented, not shown as it is written
}

func (d *document) draw(width int) []string {
	context := parser.NewContext()
	root := sharedParser().Parse(text.NewReader(d.source), parser.WithContext(context))
	d.linkDefinitions = linkDefinitionsOf(context)
	return d.fitRows(d.drawChildren(root, max(width, minWidth), true), max(width, minWidth))
}

// fitRows wraps the rows that are too wide as the terminal measures them, because glamour measures in another way.
func (d *document) fitRows(rows []string, width int) []string {
	var out []string
	for _, row := range rows {
		if d.measure.Width(row) > width {
			out = append(out, wrapCodeLine(row, width, d.measure)...)
			continue
		}
		out = append(out, row)
	}
	return out
}

// maxLinkDefinitions limits the link definitions that are added to each paragraph with links.
const maxLinkDefinitions = 50

func linkDefinitionsOf(c parser.Context) string {
	var b strings.Builder
	for i, r := range c.References() {
		if i == maxLinkDefinitions {
			break
		}
		b.WriteString("\n[" + string(r.Label()) + "]: <" + string(r.Destination()) + ">")
	}
	return b.String()
}

// drawChildren draws the children of a block, with blank lines between them if it is loose.
func (d *document) drawChildren(parent ast.Node, width int, loose bool) []string {
	var lines []string
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		block := d.drawBlock(n, width)
		if len(block) == 0 {
			continue
		}
		if loose && len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, block...)
	}
	return lines
}

func (d *document) drawBlock(n ast.Node, width int) []string {
	switch n := n.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		return d.drawProse(d.inlineSource(n), width)
	case *ast.Heading:
		return d.drawProse(strings.Repeat("#", n.Level)+" "+d.inlineSource(n), width)
	case *extast.Table:
		return d.drawTable(n, width)
	case *ast.List:
		return d.drawList(n, width)
	case *ast.Blockquote:
		return prefixLines(d.drawChildren(n, width-2, true), d.styles.Muted.Paint("│")+" ")
	case *ast.FencedCodeBlock:
		language := string(n.Language(d.source))
		return CodeBlock(d.fencedCode(n, language), language, "", language, width, d.styles, d.measure)
	case *ast.CodeBlock:
		return CodeBlock(d.blockSource(n.Lines()), "", "", "", width, d.styles, d.measure)
	case *ast.HTMLBlock:
		return paintLines(strings.Split(d.blockSource(n.Lines()), "\n"), d.styles.Muted)
	case *ast.ThematicBreak:
		return []string{d.styles.Border.Paint(strings.Repeat("─", min(width, 24)))}
	}
	return d.drawChildren(n, width, true)
}

// drawList draws each item after its marker.
func (d *document) drawList(l *ast.List, width int) []string {
	var lines []string
	number := l.Start
	for item := l.FirstChild(); item != nil; item = item.NextSibling() {
		marker := "• "
		if l.IsOrdered() {
			marker = strconv.Itoa(number) + ". "
			number++
		}
		indent := strings.Repeat(" ", len([]rune(marker)))
		body := d.drawChildren(item, max(width-len(indent), minWidth), !l.IsTight)
		if len(body) == 0 {
			body = []string{""}
		}
		if !l.IsTight && len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, strings.TrimRight(d.styles.Muted.Paint(strings.TrimSpace(marker))+" "+body[0], " "))
		lines = append(lines, prefixLines(body[1:], indent)...)
	}
	return lines
}

// prefixLines puts a prefix before each line, in place, and returns the lines.
func prefixLines(lines []string, prefix string) []string {
	for i, line := range lines {
		lines[i] = strings.TrimRight(prefix+line, " ")
	}
	return lines
}

// fencedCode returns the code in a fence. JSON is indented only after the fence is closed, so that the lines of a
// reply that is still coming stay where they are.
func (d *document) fencedCode(n *ast.FencedCodeBlock, language string) string {
	code, lines := d.blockSource(n.Lines()), n.Lines()
	if !d.indentsJSON || !strings.EqualFold(language, "json") || lines.Len() == 0 {
		return code
	}
	if after := d.source[lines.At(lines.Len()-1).Stop:]; len(bytes.TrimSpace(after)) == 0 {
		return code
	}
	return sanitize.PlainLines(tools.PrettyJSON(code))
}

// blockSource returns the source of a block, without the last line end.
func (d *document) blockSource(segments *text.Segments) string {
	return strings.TrimSuffix(string(segments.Value(d.source)), "\n")
}
