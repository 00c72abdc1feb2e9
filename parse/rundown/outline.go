package rundown

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// document is a runbook that is being read.
type document struct {
	reporter
	in     *inliner
	front  frontMatter
	title  string
	titled bool
	intro  int // the first line of the text before the first step
	before int // the line after it
	steps  []*section

	units    []section // all units, in document order
	elements []element // the elements of the units

	current *section // the unit whose content is being read; nil before the first step
}

// outline reads the top-level blocks. A heading opens a unit, and anything else is content of the
// current unit.
func (d *document) outline(root ast.Node) {
	d.before = len(d.src.lines)
	elements, headings := pieces(root)
	d.elements, d.units = make([]element, 0, elements), make([]section, 0, headings)
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		first := d.src.line(start(n))
		last := len(d.src.lines) - 1
		if next := n.NextSibling(); next != nil {
			last = d.src.line(start(next)) - 1
		}
		_, last = d.src.trim(first, max(first, last))
		if h, ok := n.(*ast.Heading); ok {
			d.heading(h, first, last)
			continue
		}
		d.content(n, first, last)
	}
	d.assignElements()
}

// pieces returns about how many elements and units the blocks contain at most.
func pieces(root ast.Node) (n, headings int) {
	for c := root.FirstChild(); c != nil; c = c.NextSibling() {
		switch c.Kind() {
		case ast.KindParagraph:
			n += c.Lines().Len()
		case ast.KindList:
			n += c.ChildCount()
		case ast.KindHeading:
			headings++
		default:
			n++
		}
	}
	return n, headings
}

// start returns the offset at which a block begins.
func start(n ast.Node) int {
	switch n.Kind() {
	case ast.KindParagraph, ast.KindLinkReferenceDefinition, ast.KindCodeBlock, ast.KindHTMLBlock:
		return n.Lines().At(0).Start
	}
	return n.Pos()
}

// heading reads an H1 to H6 at the top level (spec §3.2).
func (d *document) heading(n *ast.Heading, first, last int) {
	text := d.headingText(n)
	at := start(n)
	switch {
	case n.Level == 1:
		d.h1(text, at, first, last)
	case n.Level == 2:
		d.openStep(text, at, first)
	case n.Level == 3:
		d.openSubstep(text, at)
	default:
		d.add(at, finding{"heading-depth",
			fmt.Sprintf("%s: %q is a heading of level %d, but substeps (###) are the deepest level", d.current.name(), text.text, n.Level),
			"use ## for a step, ### for a substep, bold text for anything else"})
		d.keep(element{role: free, at: at, first: first, last: last, isShown: true})
	}
}

// headingText returns a heading's plain text, with its lines joined by a blank.
func (d *document) headingText(n *ast.Heading) plain {
	if n.Lines().Len() == 0 {
		return plain{start: start(n)}
	}
	if n.Lines().Len() == 1 && !d.in.marked(n.Lines()) {
		return d.in.asWritten(n.Lines().At(0)).trimmed()
	}
	if lines := d.in.lines(n.Lines()); len(lines) > 1 {
		return joinLines(lines)
	} else {
		return lines[0].trimmed()
	}
}

var lineBreak = regexp.MustCompile(`[ \t]*\n[ \t]*`)

// raw returns the source of a part of a heading. If the part begins or ends inside a mark, it
// returns the plain text.
func (d *document) raw(p plain, from, to int) string {
	if from >= to || p.splits(from) || p.splits(to) {
		return strings.Trim(p.text[min(from, to):to], blanks)
	}
	begin, end := p.after(from), p.at(to)
	if to == len(p.text) {
		end = max(p.after(to), p.end)
	}
	s := strings.Trim(d.src.str[begin:end], blanks)
	if strings.IndexByte(s, '\n') < 0 {
		return s
	}
	return lineBreak.ReplaceAllString(s, " ")
}

func (d *document) h1(text plain, at, first, last int) {
	switch {
	case looksNumbered(text.text):
		d.add(at, finding{"h1-step", fmt.Sprintf("%q is a heading of level 1, but reads as a step", text.text),
			"write it with two #: ## " + text.text})
	case d.titled || len(d.steps) > 0:
		d.add(at, finding{"h1-late", fmt.Sprintf("%s: the heading %q is ignored: a document has one title, before its first step", d.current.name(), text.text),
			"use ## for a step, or bold text"})
	default:
		d.titled = true
		d.title = d.raw(text, 0, len(text.text))
		d.intro = last + 1
		return
	}
	d.keep(element{role: free, at: at, first: first, last: last})
}

// openStep opens a step for each H2, even if it is not a step heading, because what follows belongs
// to no other step.
func (d *document) openStep(text plain, at, first int) {
	h := parseStep(text.text)
	if h.kind == broken && d.src.text[at] != '#' {
		h.findings[0].suggestion = "if the line below it is meant as a rule, put an empty line between them"
	}
	u := d.open(section{heading: h, at: at}, text)
	if len(d.steps) == 0 {
		d.before = first
	}
	d.steps = append(d.steps, u)
}

func (d *document) openSubstep(text plain, at int) {
	if d.current == nil {
		d.add(at, finding{"substep-heading", fmt.Sprintf("%q is a substep heading before the first step", text.text),
			"write the step first: ## 1. Title"})
		return
	}
	u := d.open(section{heading: parseSubstep(text.text), at: at, parent: d.current.step()}, text)
	u.parent.subs = append(u.parent.subs, u)
}

func (d *document) open(next section, text plain) *section {
	d.units = append(d.units, next)
	u := &d.units[len(d.units)-1]
	for _, f := range u.findings {
		d.add(u.at, f)
	}
	u.title = d.raw(text, u.from, u.to)
	u.plainTitle = text.text[min(u.from, u.to):u.to]
	if u.kind == broken {
		u.title, u.plainTitle = d.raw(text, 0, len(text.text)), text.text
	} else if u.title == "" && u.kind == named {
		u.title = u.id
	}
	u.begin = len(d.elements)
	d.current = u
	return u
}

// keep adds an element to the current unit.
func (d *document) keep(e element) {
	if d.current != nil {
		d.elements = append(d.elements, e)
	}
}

// assignElements assigns the elements to the units. Both are in document order.
func (d *document) assignElements() {
	end := len(d.elements)
	for i := len(d.units) - 1; i >= 0; i-- {
		u := &d.units[i]
		u.elements, end = d.elements[u.begin:end:end], u.begin
	}
}
