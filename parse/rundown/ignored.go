package rundown

import (
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// ignore warns of what would mean something at the top level of a step, but
// stands where it is mere text (spec §1): in a quote, a nested list, a list item,
// or before the first step.
func (d *document) ignore(n ast.Node) {
	if n.Kind() == ast.KindParagraph {
		d.ignoreLines(n.Lines(), 0)
		return
	}
	switch n := n.(type) {
	case *ast.Heading:
		d.ignored(start(n), "heading", d.headingText(n).text)
	case *ast.ListItem:
		d.ignoreItem(n)
	case *ast.FencedCodeBlock:
		if f := d.fence(n); f.shell && !f.prompt {
			d.ignored(n.Pos(), "command block", f.language)
		}
	default:
		d.ignoreBelow(n.FirstChild())
	}
}

// ignoreBelow looks through a node and those behind it.
func (d *document) ignoreBelow(n ast.Node) {
	for ; n != nil; n = n.NextSibling() {
		d.ignore(n)
	}
}

func (d *document) ignoreItem(n *ast.ListItem) {
	lead := n.FirstChild()
	if lead != nil && lead.Kind() == ast.KindParagraph && lead.Lines().Len() == 1 && lead.NextSibling() == nil {
		s := lead.Lines().At(0)
		if path, ok := runbookPath(strings.TrimSpace(d.src.str[s.Start:s.Stop])); ok {
			d.ignored(s.Start, "runbook", path)
			return
		}
	}
	d.ignoreBelow(lead)
}

// ignoreLines warns of transitions among the lines from an index on.
func (d *document) ignoreLines(lines *text.Segments, from int) {
	if from >= lines.Len() {
		return
	}
	c := d.candidates(lines)
	for i := from; i < lines.Len(); i++ {
		p, ok := c.line(i)
		if !ok {
			return
		}
		if _, what, _ := parseTransition(p.text); what == valid || what == malformed {
			d.ignored(p.start, "transition", p.text)
		}
	}
}

func (d *document) ignored(at int, what, text string) {
	where := "here"
	if d.current == nil {
		where = "before the first step"
	}
	d.add(at, finding{"ignored-construct",
		fmt.Sprintf("%s: the %s %q is read as plain text %s", d.current.name(), what, text, where),
		"write it in a step, outside quotes, nested lists and list items"})
}
