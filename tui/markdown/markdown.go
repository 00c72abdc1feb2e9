// Package markdown renders Markdown as lines for a terminal.
//
// It is our own because of its start: the renderer that Bubble Tea programs use
// brings a highlighter whose tables take 40 ms of every start, and Playhead
// starts itself again for each command (engine/shell). What it draws is what
// documents and replies are made of: CommonMark with tables, tasks and
// strikethrough. The text's own Markdown is parsed by goldmark.
package markdown

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// Paint gives a text its colours. It is called with text free of line ends.
type Paint func(string) string

// Styles are the paints of the parts that look different from plain text.
type Styles struct {
	Heading, Strong, Emphasis, Struck Paint
	Code, Block                       Paint // code in a line, code blocks
	Quote, Marker, Rule               Paint // bars, bullets, lines
	Link, Address                     Paint
}

// parser is made when the first text is.
var parser = goldmark.New(goldmark.WithExtensions(extension.Table, extension.TaskList, extension.Strikethrough)).Parser

// Render draws a text as lines of at most width cells. Only code is left as long
// as it is. The source must be free of controls.
func Render(source string, width int, s *Styles) []string {
	src := []byte(source)
	r := renderer{src: src, styles: s}
	return r.blocks(parser().Parse(text.NewReader(src)), max(width, 8), true)
}

// renderer draws one text.
type renderer struct {
	src    []byte
	styles *Styles
}

// blocks draws the children of a block, with blank lines between if it is loose.
func (r *renderer) blocks(parent ast.Node, width int, loose bool) []string {
	var lines []string
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		drawn := r.block(n, width)
		if len(drawn) == 0 {
			continue
		}
		if loose && len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, drawn...)
	}
	return lines
}

// block draws one block.
func (r *renderer) block(n ast.Node, width int) []string {
	switch n := n.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		return wrap(r.inline(n), width)
	case *ast.Heading:
		return each(wrap(r.inline(n), width), r.styles.Heading)
	case *ast.List:
		return r.list(n, width)
	case *ast.Blockquote:
		return prefixed(r.blocks(n, width-2, true), r.styles.Quote("│")+" ")
	case *ast.FencedCodeBlock:
		return r.code(n.Lines())
	case *ast.CodeBlock:
		return r.code(n.Lines())
	case *ast.HTMLBlock:
		return each(r.raw(n.Lines()), r.styles.Address)
	case *ast.ThematicBreak:
		return []string{r.styles.Rule(strings.Repeat("─", min(width, 24)))}
	default:
		return r.other(n, width)
	}
}

// wrap breaks styled text at words.
func wrap(s string, width int) []string {
	if s == "" {
		return nil
	}
	lines := strings.Split(lipgloss.Wrap(s, max(width, 8), ""), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

func each(lines []string, paint Paint) []string {
	for i, l := range lines {
		lines[i] = paint(l)
	}
	return lines
}

// prefixed puts the same mark in front of every line.
func prefixed(lines []string, mark string) []string {
	for i, l := range lines {
		lines[i] = strings.TrimRight(mark+l, " ")
	}
	return lines
}

// raw is a block's source, line by line.
func (r *renderer) raw(segments *text.Segments) []string {
	var lines []string
	for i := range segments.Len() {
		s := segments.At(i)
		lines = append(lines, strings.TrimRight(string(s.Value(r.src)), "\n"))
	}
	return lines
}

// code draws a code block: indented, never wrapped.
func (r *renderer) code(segments *text.Segments) []string {
	lines := r.raw(segments)
	for i, l := range lines {
		if l != "" {
			lines[i] = "  " + r.styles.Block(l)
		}
	}
	return lines
}
