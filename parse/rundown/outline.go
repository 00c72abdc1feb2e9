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
	plainTextParser *plainTextParser
	frontMatter     frontMatter
	title           string
	hasTitle        bool
	introStart      int // the first line of the text before the first step, counted from 0
	introEnd        int // the line after that text
	steps           []*parsedStep

	parsedSteps []parsedStep // all steps and substeps, in document order
	elements    []element    // the elements of the steps

	currentStep *parsedStep // the step whose content is being read; nil before the first step
}

// readOutline reads the top-level blocks. A heading opens a step, and anything else is content of the
// current step.
func (d *document) readOutline(root ast.Node) {
	d.introEnd = len(d.sourceLines.lineStarts)
	elements, steps := countElementsAndSteps(root)
	d.elements, d.parsedSteps = make([]element, 0, elements), make([]parsedStep, 0, steps)
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		first := d.sourceLines.lineAt(blockStart(n))
		last := len(d.sourceLines.lineStarts) - 1
		if next := n.NextSibling(); next != nil {
			last = d.sourceLines.lineAt(blockStart(next)) - 1
		}
		_, last = d.sourceLines.trimBlankLines(first, max(first, last))
		if h, ok := n.(*ast.Heading); ok {
			d.readHeading(h, first, last)
			continue
		}
		d.readContent(n, first, last)
	}
	d.assignElements()
}

// countElementsAndSteps estimates how many elements and steps the blocks contain, so that they are allocated at once.
func countElementsAndSteps(root ast.Node) (elements, steps int) {
	for c := root.FirstChild(); c != nil; c = c.NextSibling() {
		switch c.Kind() {
		case ast.KindParagraph:
			elements += c.Lines().Len()
		case ast.KindList:
			elements += c.ChildCount()
		case ast.KindHeading:
			steps++
		default:
			elements++
		}
	}
	return elements, steps
}

// blockStart returns the offset at which a block begins.
func blockStart(n ast.Node) int {
	switch n.Kind() {
	case ast.KindParagraph, ast.KindLinkReferenceDefinition, ast.KindCodeBlock, ast.KindHTMLBlock:
		return n.Lines().At(0).Start
	}
	return n.Pos()
}

// readHeading reads an H1 to H6 at the top level (spec §3.2).
func (d *document) readHeading(n *ast.Heading, first, last int) {
	text := d.headingText(n)
	at := blockStart(n)
	switch {
	case n.Level == 1:
		d.readH1(text, at, first, last)
	case n.Level == 2:
		d.openStep(text, at, first)
	case n.Level == 3:
		d.openSubstep(text, at)
	default:
		d.add(at, finding{"heading-depth",
			fmt.Sprintf("%s: %q is a heading of level %d, but substeps (###) are the deepest level", d.currentStep.nameForMessages(), text.text, n.Level),
			"use ## for a step, ### for a substep, bold text for anything else"})
		d.addElement(element{role: anyPlaceRole, offset: at, firstLine: first, lastLine: last, isShown: true})
	}
}

// headingText returns a heading's plain text, with its lines joined by a blank.
func (d *document) headingText(n *ast.Heading) mappedText {
	if n.Lines().Len() == 0 {
		return mappedText{lineStart: blockStart(n)}
	}
	if n.Lines().Len() == 1 && !d.plainTextParser.hasInlineMarks(n.Lines()) {
		return d.plainTextParser.writtenText(n.Lines().At(0)).trimmed()
	}
	lines := d.plainTextParser.plainTextOfLines(n.Lines())
	if len(lines) == 1 {
		return lines[0].trimmed()
	}
	return joinLines(lines)
}

var lineBreakPattern = regexp.MustCompile(`[ \t]*\n[ \t]*`)

// sourceOfHeadingPart returns the source of a part of a heading. If the part begins or ends inside a mark, it
// returns the plain text.
func (d *document) sourceOfHeadingPart(p mappedText, from, to int) string {
	if from >= to || p.isInsideMark(from) || p.isInsideMark(to) {
		return strings.Trim(p.text[min(from, to):to], blankCharacters)
	}
	begin, end := p.sourceEnd(from), p.sourceOffset(to)
	if to == len(p.text) {
		end = max(p.sourceEnd(to), p.lineEnd)
	}
	s := strings.Trim(d.sourceLines.textString[begin:end], blankCharacters)
	if strings.IndexByte(s, '\n') < 0 {
		return s
	}
	return lineBreakPattern.ReplaceAllString(s, " ")
}

func (d *document) readH1(text mappedText, at, first, last int) {
	switch {
	case looksLikeStepHeading(text.text):
		d.add(at, finding{"h1-step", fmt.Sprintf("%q is a heading of level 1, but looks like a step", text.text),
			"write it with two #: ## " + text.text})
	case d.hasTitle || len(d.steps) > 0:
		d.add(at, finding{"h1-late", fmt.Sprintf("%s: the heading %q is ignored: a document can have only one title, and it must come before the first step", d.currentStep.nameForMessages(), text.text),
			"use ## for a step, and bold text for anything else"})
	default:
		d.hasTitle = true
		d.title = d.sourceOfHeadingPart(text, 0, len(text.text))
		d.introStart = last + 1
		return
	}
	d.addElement(element{role: anyPlaceRole, offset: at, firstLine: first, lastLine: last})
}

// openStep opens a step for each H2, even if it is not a step heading, because what follows belongs
// to no other step.
func (d *document) openStep(text mappedText, at, first int) {
	h := parseStepHeading(text.text)
	if h.kind == brokenKind && d.sourceLines.text[at] != '#' {
		h.findings[0].suggestion = "if the line below is a horizontal rule (---), put an empty line before it"
	}
	step := d.beginStep(parsedStep{heading: h, offset: at}, text)
	if len(d.steps) == 0 {
		d.introEnd = first
	}
	d.steps = append(d.steps, step)
}

func (d *document) openSubstep(text mappedText, at int) {
	if d.currentStep == nil {
		d.add(at, finding{"substep-heading", fmt.Sprintf("%q is a substep heading before the first step", text.text),
			"write the step first: ## 1. Title"})
		return
	}
	step := d.beginStep(parsedStep{heading: parseSubstepHeading(text.text), offset: at, parent: d.currentStep.topStep()}, text)
	step.parent.substeps = append(step.parent.substeps, step)
}

func (d *document) beginStep(next parsedStep, text mappedText) *parsedStep {
	d.parsedSteps = append(d.parsedSteps, next)
	step := &d.parsedSteps[len(d.parsedSteps)-1]
	for _, f := range step.findings {
		d.add(step.offset, f)
	}
	step.title = d.sourceOfHeadingPart(text, step.titleStart, step.titleEnd)
	step.plainTitle = text.text[min(step.titleStart, step.titleEnd):step.titleEnd]
	if step.kind == brokenKind {
		step.title, step.plainTitle = d.sourceOfHeadingPart(text, 0, len(text.text)), text.text
	} else if step.title == "" && step.kind == namedKind {
		step.title = step.localID
	}
	step.firstElementIndex = len(d.elements)
	d.currentStep = step
	return step
}

// addElement adds an element to the current step.
func (d *document) addElement(e element) {
	if d.currentStep != nil {
		d.elements = append(d.elements, e)
	}
}

// assignElements assigns the elements to the steps. Both are in document order.
func (d *document) assignElements() {
	end := len(d.elements)
	for i := len(d.parsedSteps) - 1; i >= 0; i-- {
		step := &d.parsedSteps[i]
		step.elements, end = d.elements[step.firstElementIndex:end:end], step.firstElementIndex
	}
}
