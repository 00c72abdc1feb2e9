package workflow

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"playhead/parse/source"
)

// step is a step that is being read (§2).
type step struct {
	number  int // counted from 0
	line    int // of its heading, counted from 0
	name    string
	section *section

	descriptionFence         *fence // its first fence
	lists                    []*list
	firstLineOfPart          map[documentPart]int // the line of the first heading of each part
	hasTextBeforeDescription bool                 // there is text before the fence
	lastLine                 int                  // its last line that is not blank
	description              string
	hasToolItem              bool // its tools have an item
	tools                    []tool
	inputs                   []placedInput
	outputs                  []placedOutput
	assertions               []*item
}

// stepBuilder builds steps from a document's lines.
type stepBuilder struct {
	*document
	currentStep    *step // nil before the first step
	currentList    *list // nil outside lists
	currentSection *section
	isPastStep     bool // a section's heading came after the step
}

// readSteps builds the sections and steps from the lines, first to last.
func (d *document) readSteps() {
	b := stepBuilder{document: d}
	b.addSection("", -1)
	for i := 0; i < len(d.lines); {
		i = b.readLineOrBlock(i)
	}
}

// readLineOrBlock reads a line or a block, and returns the next line.
func (b *stepBuilder) readLineOrBlock(i int) int {
	switch b.outline.lineKinds[i] {
	case commentLine:
		b.warnHiddenHeading(i)
		return i + 1
	case fencedLine:
		return b.readFence(b.outline.fenceByFirstLine[i])
	case partHeadingLine:
		b.readPartHeading(b.outline.headingByLine[i])
	default:
		b.readTextLine(i)
	}
	if !source.IsBlank(b.lines[i]) {
		b.extendStepTo(i)
	}
	return i + 1
}

// extendStepTo records that the current step reaches to this line.
func (b *stepBuilder) extendStepTo(line int) {
	if b.currentStep != nil && !b.isPastStep {
		b.currentStep.lastLine = line
	}
}

// readTextLine reads a line outside blocks.
func (b *stepBuilder) readTextLine(i int) {
	text := b.lines[i]
	level, title, isHeading := readMarkdownHeading(text)
	at, keyword := findMalformedHeading(text)
	_, isItem := readListMark(text)
	if keyword != "" {
		b.warnIgnoredHeading(place{i, at},
			"write it like `"+partOfKeyword(keyword).canonicalHeading("")+"`; if it is meant as ordinary text, leave out "+keyword)
	} else if meant := intendedMarkerAndKeyword(title); level >= 3 && meant != "" {
		b.warnIgnoredHeading(b.headingPlace(i), "did you mean `### "+meant+":`?")
	}
	switch {
	case source.IsBlank(text):
	case isHeading || keyword != "" && !isItem:
		b.currentList = nil
		b.readOtherHeading(i, level, title)
	case isThematicBreak(text):
	case b.currentList != nil:
		b.readListLine(b.currentStep, b.currentList, i)
	case b.currentStep != nil:
		b.currentStep.hasTextBeforeDescription = b.currentStep.hasTextBeforeDescription || b.currentStep.descriptionFence == nil
	}
}

// readOtherHeading reads a heading that begins neither a step nor a part of one.
func (b *stepBuilder) readOtherHeading(i, level int, title string) {
	b.isPastStep = b.isPastStep || level > 0 && level <= 2
	switch {
	case title == "":
	case level == 2:
		b.addSection(title, i)
	case level == 1 && b.title == "" && b.currentStep == nil:
		b.title = title
	}
	if b.currentStep != nil && b.currentStep.descriptionFence == nil {
		b.currentStep.hasTextBeforeDescription = true
	}
}

func (b *stepBuilder) addSection(title string, line int) {
	b.currentSection = &section{title: title, line: line}
	b.sections = append(b.sections, b.currentSection)
}

// warnIgnoredHeading warns of a line that is nearly a heading of §3.1.
func (b *stepBuilder) warnIgnoredHeading(at place, suggestion string) {
	b.add(at, b.currentStep, finding{
		"heading-ignored", "this looks like a Workflow heading but is not one, so it is ignored", suggestion,
	})
}

// warnHiddenHeading warns of a heading inside a block.
func (b *stepBuilder) warnHiddenHeading(i int) {
	if b.currentStep == nil {
		return
	}
	if h := readHeading(i, b.lines[i]); h != nil {
		b.add(b.headingPlace(i), b.currentStep, finding{"heading-in-fence", "this heading is in a fenced block or a comment, so it is not read", "if it is meant as `" + h.documentPart.canonicalHeading(h.inlineText) + "`, end the block or comment before this line"})
	}
}

// readFence reads a fenced block, and returns the line after it. The first block of a step is its description.
func (b *stepBuilder) readFence(f *fence) int {
	for i := f.firstLine + 1; i < f.lineAfter; i++ {
		b.warnHiddenHeading(i)
	}
	if b.currentList != nil {
		b.currentList.isOpen = false
	}
	s, at := b.currentStep, place{f.firstLine, f.indent}
	switch {
	case s == nil:
	case s.descriptionFence != nil:
		b.extendStepTo(f.lineAfter - 1)
		b.add(at, s, finding{"extra-fence", "a step can have only one block (its description), so this one is ignored", "merge the two blocks"})
	default:
		s.descriptionFence, b.isPastStep = f, false
		b.extendStepTo(f.lineAfter - 1)
		if s.hasTextBeforeDescription || len(s.firstLineOfPart) > 0 {
			b.add(at, s, finding{"description-place", "the description is not directly below the step heading", "move the block there"})
		}
		if !f.isCanonical {
			b.add(at, s, finding{"fence-form", "the description is not in a plain fenced block", "open it with three backticks at the start of the line, and nothing else"})
		}
	}
	return f.lineAfter
}

// readPartHeading reads a heading of §3.1.
func (b *stepBuilder) readPartHeading(h *heading) {
	if b.repairPassCount > 0 {
		if again := readHeading(h.line, b.lines[h.line]); again != nil {
			h.inlineText, h.inlineTextOffset = again.inlineText, again.inlineTextOffset
		}
	}
	b.currentList = nil
	if h.documentPart == stepPart {
		b.beginStep(h)
	}
	b.checkHeading(h)
	switch {
	case h.documentPart == stepPart:
	case b.currentStep == nil:
		b.add(b.headingPlace(h.line), nil, finding{"orphan-part", "this part is before the first step, so it is ignored", "move it below the heading of its step"})
	default:
		b.beginPart(h)
	}
}

func (b *stepBuilder) beginStep(h *heading) {
	b.isPastStep = false
	b.currentStep = &step{number: len(b.steps), line: h.line, name: h.inlineText, section: b.currentSection, firstLineOfPart: map[documentPart]int{}}
	b.steps = append(b.steps, b.currentStep)
	b.currentSection.steps = append(b.currentSection.steps, b.currentStep)
	if h.inlineText == "" {
		b.add(place{h.line, h.inlineTextOffset}, b.currentStep, finding{"empty-name", "the step has no name", "put a name after the colon"})
	}
}

// checkHeading warns of a heading that is not canonical.
func (b *stepBuilder) checkHeading(h *heading) {
	want := "`" + h.documentPart.canonicalHeading(h.inlineText) + "`"
	if h.documentPart == toolsPart && !h.isSingularTool {
		want = "`" + h.documentPart.canonicalHeading("") + "`"
	}
	at := b.headingPlace(h.line)
	if !h.isCanonical {
		b.add(at, b.currentStep, finding{"heading-form", "the heading is not in its usual form", "write " + want})
	}
	if code := h.markerProblemCode(); code != "" {
		b.add(at, b.currentStep, finding{code, markerProblemMessages[code], "write " + want})
	}
}

// markerProblemMessages are the messages for the codes of heading.markerProblemCode.
var markerProblemMessages = map[string]string{
	"marker-missing": "the heading has no marker",
	"marker-other":   "the heading has the wrong marker",
	"marker-damaged": "the heading's marker is damaged",
}

// beginPart begins the list of a part.
func (b *stepBuilder) beginPart(h *heading) {
	s := b.currentStep
	b.isPastStep = false
	if line, again := s.firstLineOfPart[h.documentPart]; again {
		b.add(b.headingPlace(h.line), s, finding{"repeated-part", "the step already has this part on line " + strconv.Itoa(line+1) + "; this one is added to it", "merge the two"})
	} else {
		s.firstLineOfPart[h.documentPart] = h.line
	}
	b.currentList = &list{documentPart: h.documentPart, isOpen: true}
	s.lists = append(s.lists, b.currentList)
	switch {
	case h.inlineText == "":
	case parenthesizedNotePattern.MatchString(h.inlineText) || bareNotePattern.MatchString(h.inlineText) && !h.isSingularTool:
		b.add(place{h.line, h.inlineTextOffset}, s, finding{"heading-note", fmt.Sprintf("%q in this heading has no effect", h.inlineText), "remove it"})
	default:
		b.readInlineItem(h)
	}
}

var (
	parenthesizedNotePattern = regexp.MustCompile(`^\([^()]*\)$`)
	bareNotePattern          = regexp.MustCompile(`^(?i:optional|required|ordered)$`)
)

// readInlineItem reads the text in a list heading as its first item. A TOOL heading has no other items.
func (b *stepBuilder) readInlineItem(h *heading) {
	it := &item{}
	it.add(b.lines, h.line, h.inlineTextOffset)
	it.parts[0].end = h.inlineTextOffset + len(h.inlineText)
	b.currentList.items, b.currentList.lastLine = append(b.currentList.items, it), h.line
	if b.currentList.isOpen = !h.isSingularTool; b.currentList.isOpen {
		b.add(place{h.line, h.inlineTextOffset}, b.currentStep, finding{"inline-item", "the text in this heading is read as the first item of its list", "put it on a line of its own that begins with `- `"})
	}
}

// finishStep reads the description and the items of a step when all its lines are known.
func (d *document) finishStep(s *step) {
	d.setDescription(s)
	inputs, outputs := map[string]int{}, map[string]bool{}
	for _, l := range s.lists {
		for _, it := range l.items {
			if it.joinParts(d.lines); it.text == "" {
				d.add(it.placeAt(0), s, finding{"item-dropped", "this item is empty, so it is ignored", "write text in the item, or remove it"})
				continue
			}
			switch l.documentPart {
			case toolsPart:
				d.readToolItem(s, it)
			case inputsPart:
				d.readInput(s, it, inputs)
			case outputsPart:
				d.readOutput(s, it, outputs)
			case assertsPart:
				s.assertions = append(s.assertions, it)
			}
		}
	}
	if !s.hasToolItem {
		d.add(d.headingPlace(s.line), s, finding{"missing-tool-spec", "the step names no tool", "add a TOOL or TOOLS part: `" + toolsPart.canonicalHeading("x") + " name`"})
	}
}

// headingPlace returns the place of the heading on a line.
func (d *document) headingPlace(line int) place {
	return place{line, strings.IndexByte(d.lines[line], '#')}
}

// setDescription sets a step's description from its first block (§3.2).
func (d *document) setDescription(s *step) {
	if f := s.descriptionFence; f != nil {
		lines := make([]string, 0, f.contentEnd-f.firstLine)
		for i := f.firstLine + 1; i < f.contentEnd; i++ {
			lines = append(lines, unindent(d.lines[i], f.indent))
		}
		s.description = strings.TrimSpace(strings.Join(lines, "\n"))
	}
	if s.description == "" {
		d.add(d.headingPlace(s.line), s, finding{"missing-description", "the step has no description", "write it in a fenced block below the heading"})
	}
}

// unindent removes at most n blanks.
func unindent(text string, n int) string {
	_, blanks := source.IndentOf(text)
	return text[min(n, blanks):]
}
