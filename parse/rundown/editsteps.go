package rundown

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"

	"playhead/parse/plan"
	"playhead/parse/source"
)

// EditSteps returns the text of a runbook with a change of its steps. Numbered steps and substeps
// get new numbers, and their GOTOs are updated.
func EditSteps(p *plan.Plan, e plan.StepEdit) (string, error) {
	if line := unreadableHeadingLine(p); line > 0 {
		return "", fmt.Errorf("the heading on line %d cannot be renumbered: edit the file yourself", line)
	}
	return source.EditSteps(p, e, headingNumbering{})
}

// unreadableHeadingLine returns the line of the first step whose ID cannot be changed by its line alone: the heading
// continues below, needs a link definition, or has marks inside the ID. It returns 0 if there is none. The ID of a
// named step without substeps does not change.
func unreadableHeadingLine(p *plan.Plan) (line int) {
	lines := strings.Split(source.Normalize(p.Source), "\n")
	p.Walk(func(step, _ *plan.Step) bool {
		mayChangeID := !step.IsTargetOnly || len(step.Children) > 0
		if at := step.Span.Line; mayChangeID && readStepHeading(lines[at-1]).level == 0 {
			line = at
		}
		return line == 0
	})
	return line
}

type headingNumbering struct{}

// stepHeading is the first line of a step's heading, read as the parser of documents reads it.
type stepHeading struct {
	heading
	level int        // 1 for a step, 2 for a substep, 0 if the line is no heading of a step, or marks split the ID
	text  mappedText // the plain text, with places in the line
}

// readStepHeading reads the first line of a heading. A heading whose first line does not begin with # is an underlined
// one.
func readStepHeading(line string) (h stepHeading) {
	withUnderline := line
	if !strings.HasPrefix(strings.TrimLeft(line, " "), "#") {
		withUnderline += "\n---"
	}
	lines := &textLines{text: []byte(withUnderline), textString: withUnderline, lineStarts: lineStarts([]byte(withUnderline))}
	root, refs, _ := parseBlocks(lines)
	n, ok := root.FirstChild().(*ast.Heading)
	if !ok {
		return h
	}
	h.text = (&document{reporter: reporter{sourceLines: lines}, plainTextParser: newPlainTextParser(lines, refs)}).headingText(n)
	switch n.Level {
	case 2:
		h.heading = parseStepHeading(h.text.text)
	case 3:
		h.heading = parseSubstepHeading(h.text.text)
	}
	if h.kind != brokenKind && strings.HasPrefix(line[h.text.sourceOffset(0):], h.id()) {
		h.level = n.Level - 1
	}
	return h
}

// id returns the ID as the heading has it.
func (h stepHeading) id() string {
	if h.parentID != "" {
		return h.parentID + "." + h.localID
	}
	return h.localID
}

// Level implements source.HeadingNumbering.
func (headingNumbering) Level(line string) (int, bool) {
	h := readStepHeading(line)
	return h.level, h.level > 0 && h.kind == staticKind
}

// RenumberHeading implements source.HeadingNumbering.
func (headingNumbering) RenumberHeading(line, parent string, n int) (string, string) {
	h := readStepHeading(line)
	id := h.localID
	if n > 0 {
		id = strconv.Itoa(n)
	}
	if h.level == 2 {
		id = parent + "." + id
	}
	at := h.text.sourceOffset(0)
	return line[:at] + id + line[at+len(h.id()):], id
}

var gotoPattern = regexp.MustCompile(`\b(GOTO[ \t]+(?:NEXT[ \t]+)?)([^\s"]+)`)

// UpdateReferences implements source.HeadingNumbering.
func (headingNumbering) UpdateReferences(line string, route bool, ids map[string]string) string {
	if !route {
		return line
	}
	return gotoPattern.ReplaceAllStringFunc(line, func(found string) string {
		m := gotoPattern.FindStringSubmatch(found)
		if to := ids[m[2]]; to != "" {
			return m[1] + to
		}
		return found
	})
}

// CopyHeading implements source.HeadingNumbering.
func (headingNumbering) CopyHeading(line string) string {
	h := readStepHeading(line)
	at, added := h.text.sourceEnd(h.titleEnd), " copy"
	switch {
	case h.level == 1 && h.kind == namedKind:
		at, added = h.text.sourceEnd(len(h.localID)), "Copy"
	case h.titleStart == h.titleEnd: // an agent may follow the ID
		at = h.text.sourceEnd(len(h.id()))
	}
	return line[:at] + added + line[at:]
}

// NewStep implements source.HeadingNumbering.
func (headingNumbering) NewStep(title, body string, level int) string {
	if level == 2 {
		return fmt.Sprintf("### 1.1 %s\n%s", title, body)
	}
	return fmt.Sprintf("## 1. %s\n%s", title, body)
}
