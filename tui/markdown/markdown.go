// Package markdown draws Markdown and code as lines for a terminal, in the colours of a theme.
//
// Goldmark parses, glamour draws paragraphs, headings and tables, and chroma highlights code. This package lays
// out lists and quotes itself, because glamour joins the paragraphs of an item, does not indent wrapped items and
// breaks long lines of code.
package markdown

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"playhead/themes"
)

// minWidth is the minimum width at which text is laid out.
const minWidth = 8

// Render returns the source as lines of at most width cells. Only lines of code may be longer. The source
// must not have control characters. The only control sequences in the lines are styles.
func Render(source string, width int, s *themes.Styles) []string {
	src := []byte(source)
	context := parser.NewContext()
	root := parsed().Parse(text.NewReader(src), parser.WithContext(context))
	d := document{src: src, styles: s, references: references(context)}
	return d.blocks(root, max(width, minWidth), true)
}

var parsed = goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser

// document is a text that is drawn.
type document struct {
	src        []byte
	styles     *themes.Styles
	references string // the link definitions for all paragraphs
}

// maxReferences limits the link definitions that are added to each paragraph with links.
const maxReferences = 50

func references(c parser.Context) string {
	var b strings.Builder
	for i, r := range c.References() {
		if i == maxReferences {
			break
		}
		b.WriteString("\n[" + string(r.Label()) + "]: <" + string(r.Destination()) + ">")
	}
	return b.String()
}

// blocks draws the children of a block, with blank lines between them if it is loose.
func (d *document) blocks(parent ast.Node, width int, loose bool) []string {
	var lines []string
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		block := d.block(n, width)
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

func (d *document) block(n ast.Node, width int) []string {
	switch n := n.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		return d.prose(d.inlines(n), width)
	case *ast.Heading:
		return d.prose(strings.Repeat("#", n.Level)+" "+d.inlines(n), width)
	case *extast.Table:
		return d.table(n, width)
	case *ast.List:
		return d.list(n, width)
	case *ast.Blockquote:
		return prefixed(d.blocks(n, width-2, true), d.styles.Muted.Paint("│")+" ")
	case *ast.FencedCodeBlock:
		language := string(n.Language(d.src))
		return Block(d.raw(n.Lines()), language, "", language, width, d.styles)
	case *ast.CodeBlock:
		return Block(d.raw(n.Lines()), "", "", "", width, d.styles)
	case *ast.HTMLBlock:
		return paintLines(strings.Split(d.raw(n.Lines()), "\n"), d.styles.Muted)
	case *ast.ThematicBreak:
		return []string{d.styles.Border.Paint(strings.Repeat("─", min(width, 24)))}
	}
	return d.blocks(n, width, true)
}

// list draws each item after its marker.
func (d *document) list(l *ast.List, width int) []string {
	var lines []string
	number := l.Start
	for item := l.FirstChild(); item != nil; item = item.NextSibling() {
		marker := "• "
		if l.IsOrdered() {
			marker = strconv.Itoa(number) + ". "
			number++
		}
		indent := strings.Repeat(" ", len([]rune(marker)))
		body := d.blocks(item, max(width-len(indent), minWidth), !l.IsTight)
		if len(body) == 0 {
			body = []string{""}
		}
		if !l.IsTight && len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, strings.TrimRight(d.styles.Muted.Paint(strings.TrimSpace(marker))+" "+body[0], " "))
		lines = append(lines, prefixed(body[1:], indent)...)
	}
	return lines
}

// prefixed returns the lines with a prefix before each.
func prefixed(lines []string, prefix string) []string {
	for i, line := range lines {
		lines[i] = strings.TrimRight(prefix+line, " ")
	}
	return lines
}

// raw returns the source of a block, without the last line end.
func (d *document) raw(segments *text.Segments) string {
	return strings.TrimSuffix(string(segments.Value(d.src)), "\n")
}
