package workflow

import (
	"regexp"
	"strconv"
	"strings"

	"playhead/parse/source"
)

// step is a step that is being read (§2).
type step struct {
	number  int
	line    int
	name    string
	section *section

	desc          *fence // its first fence
	lists         []*list
	seen          map[part]int // the lines of the first heading of each part
	hasTextBefore bool         // there is text before the fence
	last          int          // its last line that is not blank
	text          string       // the description
	hasToolItem   bool         // its tools have an item
	tools         []tool
	inputs        []input
	outputs       []output
	asserts       []*item
}

// builder builds steps from a document's lines.
type builder struct {
	*document
	step    *step // the current step, nil before the first
	list    *list // the current list
	section *section
	between bool // a section's heading came after the step
}

// build reads the lines once.
func (d *document) build() {
	b := builder{document: d}
	b.addSection("", -1)
	for i := 0; i < len(d.text); {
		i = b.line(i)
	}
}

// line reads a line or a block, and returns the next line.
func (b *builder) line(i int) int {
	switch b.outline.kinds[i] {
	case commented:
		b.hidden(i)
		return i + 1
	case fenced:
		return b.fence(b.outline.fences[i])
	case headingLined:
		b.heading(b.outline.headingAt[i])
	default:
		b.read(i)
	}
	if !source.IsBlank(b.text[i]) {
		b.extend(i)
	}
	return i + 1
}

// extend counts the lines up to this one as the step's.
func (b *builder) extend(line int) {
	if b.step != nil && !b.between {
		b.step.last = line
	}
}

// read reads a line outside blocks.
func (b *builder) read(i int) {
	text := b.text[i]
	level, title, isHeading := otherHeading(text)
	at, keyword := nearly(text)
	if keyword != "" {
		b.ignored(place{i, at}, keyword)
	} else if meant := misspelt(title); level >= 3 && meant != "" {
		b.add(place{Line: i}, b.step, finding{"heading-ignored", "this is almost a heading, so it is ignored", "did you mean `### " + meant + ":`?"})
	}
	switch {
	case source.IsBlank(text):
	case isHeading || keyword != "":
		b.list = nil
		b.titled(i, level, title)
	case isThematicBreak(text):
	case b.list != nil:
		b.listLine(b.step, b.list, i)
	case b.step != nil:
		b.step.hasTextBefore = b.step.hasTextBefore || b.step.desc == nil
	}
}

// titled reads a heading that is not in §3.1.
func (b *builder) titled(i, level int, title string) {
	b.between = b.between || level > 0 && level <= 2
	switch {
	case title == "":
	case level == 2:
		b.addSection(title, i)
	case level == 1 && b.title == "" && b.step == nil:
		b.title = title
	}
	if b.step != nil && b.step.desc == nil {
		b.step.hasTextBefore = true
	}
}

func (b *builder) addSection(title string, line int) {
	b.section = &section{title: title, line: line}
	b.sections = append(b.sections, b.section)
}

// ignored warns of a line that is nearly a heading.
func (b *builder) ignored(at place, keyword string) {
	b.add(at, b.step, finding{"heading-ignored", "this is almost a heading, so it is ignored", "write it like `" + partOf(keyword).canonical("") + "`, or without the word " + keyword})
}

// hidden warns of a heading inside a block.
func (b *builder) hidden(i int) {
	if b.step == nil {
		return
	}
	if h := readHeading(i, b.text[i]); h != nil {
		b.add(place{Line: i}, b.step, finding{"heading-in-fence", "this heading is in a block, so it is not read", "end the block before it, if it is meant as `" + h.part.canonical(h.rest) + "`"})
	}
}

// fence reads a fenced block. The first one of a step is its description.
func (b *builder) fence(f *fence) int {
	for i := f.line + 1; i < f.end; i++ {
		b.hidden(i)
	}
	if b.list != nil {
		b.list.open = false
	}
	s, at := b.step, place{f.line, f.indent}
	switch {
	case s == nil:
	case s.desc != nil:
		b.extend(f.end - 1)
		b.add(at, s, finding{"extra-fence", "a step has one block, so this one is ignored", "put all of the instruction into the block below the step heading"})
	default:
		s.desc, b.between = f, false
		b.extend(f.end - 1)
		if s.hasTextBefore || len(s.seen) > 0 {
			b.add(at, s, finding{"description-place", "the description does not follow the step heading", "put the block directly below the step heading"})
		}
		if !f.isCanonical {
			b.add(at, s, finding{"fence-form", "the description is not in a plain fence", "open it with three backticks at the start of the line, and nothing else"})
		}
	}
	return f.end
}

// heading reads a heading of §3.1.
func (b *builder) heading(h *heading) {
	if b.passes > 0 {
		if again := readHeading(h.line, b.text[h.line]); again != nil {
			h.rest, h.at = again.rest, again.at
		}
	}
	b.list = nil
	if h.part == stepPart {
		b.begin(h)
	}
	b.checkHeading(h)
	switch {
	case h.part == stepPart:
	case b.step == nil:
		b.add(place{Line: h.line}, nil, finding{"orphan-part", "this part is before the first step, so it is ignored", "move it below the heading of its step"})
	default:
		b.part(h)
	}
}

func (b *builder) begin(h *heading) {
	b.between = false
	b.step = &step{number: len(b.steps), line: h.line, name: h.rest, section: b.section, seen: map[part]int{}}
	b.steps = append(b.steps, b.step)
	b.section.steps = append(b.section.steps, b.step)
	if h.rest == "" {
		b.add(place{h.line, h.at}, b.step, finding{"empty-name", "the step has no name", "put a name after the colon"})
	}
}

// checkHeading warns of a heading that is not canonical.
func (b *builder) checkHeading(h *heading) {
	want := "`" + h.part.canonical(h.rest) + "`"
	if h.part == toolsPart && !h.single {
		want = "`" + h.part.canonical("") + "`"
	}
	at := place{h.line, strings.IndexByte(b.text[h.line], '#')}
	if !h.isCanonical {
		b.add(at, b.step, finding{"heading-form", "the heading is not in its usual form", "write " + want})
	}
	messages := map[string]string{"marker-missing": "the heading has no marker", "marker-other": "the heading has another marker", "marker-damaged": "the heading's marker is damaged"}
	if code := h.markerCode(); code != "" {
		b.add(at, b.step, finding{code, messages[code], "write " + want})
	}
}

// part begins the list of a part.
func (b *builder) part(h *heading) {
	s := b.step
	b.between = false
	if line, again := s.seen[h.part]; again {
		b.add(place{Line: h.line}, s, finding{"repeated-part", "the step already has this part on line " + strconv.Itoa(line+1) + "; this one is added to it", "merge the two"})
	} else {
		s.seen[h.part] = h.line
	}
	b.list = &list{part: h.part, open: true}
	s.lists = append(s.lists, b.list)
	switch {
	case h.rest == "":
	case note.MatchString(h.rest) || bareNote.MatchString(h.rest) && !h.single:
		b.add(place{h.line, h.at}, s, finding{"heading-note", h.rest + " has no effect", "remove it"})
	default:
		b.inline(h)
	}
}

var (
	note     = regexp.MustCompile(`^\([^()]*\)$`)
	bareNote = regexp.MustCompile(`^(?i:optional|required|ordered)$`)
)

// inline reads the text in a list heading as its first item. A TOOL heading has no other items.
func (b *builder) inline(h *heading) {
	it := &item{}
	it.add(b.text, h.line, h.at)
	it.pieces[0].end = h.at + len(h.rest)
	b.list.items, b.list.last = append(b.list.items, it), h.line
	if b.list.open = !h.single; b.list.open {
		b.add(place{h.line, h.at}, b.step, finding{"inline-item", "this text counts as an item", "put it on a line of its own that begins with `- `"})
	}
}

// finishStep reads a step when all its lines are known.
func (d *document) finishStep(s *step) {
	d.describe(s)
	inputs, outputs := map[string]int{}, map[string]bool{}
	for _, l := range s.lists {
		for _, it := range l.items {
			if it.join(d.text); it.text == "" {
				d.add(it.place(0), s, finding{"item-dropped", "this item is empty, so it is ignored", "write what it is, or remove it"})
				continue
			}
			switch l.part {
			case toolsPart:
				d.readTools(s, it)
			case inputsPart:
				d.readInput(s, it, inputs)
			case outputsPart:
				d.readOutput(s, it, outputs)
			case assertsPart:
				s.asserts = append(s.asserts, it)
			}
		}
	}
	if !s.hasToolItem {
		d.add(d.head(s), s, finding{"missing-tool-spec", "the step names no tool", "add a TOOL or TOOLS section: `" + toolsPart.canonical("x") + " name`"})
	}
}

// head returns the place of a step's heading.
func (d *document) head(s *step) place {
	return place{s.line, strings.IndexByte(d.text[s.line], '#')}
}

// describe sets a step's description from its first block (§3.2).
func (d *document) describe(s *step) {
	if f := s.desc; f != nil {
		lines := make([]string, 0, f.content-f.line)
		for i := f.line + 1; i < f.content; i++ {
			lines = append(lines, unindent(d.text[i], f.indent))
		}
		s.text = strings.TrimSpace(strings.Join(lines, "\n"))
	}
	if s.text == "" {
		d.add(d.head(s), s, finding{"missing-description", "the step has no description", "write its instruction into a fenced block below the heading"})
	}
}

// unindent removes at most n blanks.
func unindent(text string, n int) string {
	_, blanks := source.Indent(text)
	return text[min(n, blanks):]
}
