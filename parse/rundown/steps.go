package rundown

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"playhead/parse/plan"
	"playhead/parse/source"
)

// EditSteps returns the text of a runbook with a change of its steps. Numbered steps and substeps
// get new numbers, and their GOTOs are updated.
func EditSteps(p *plan.Plan, e plan.StepEdit) (string, error) {
	return source.EditSteps(p, e, headingNumbering{})
}

type headingNumbering struct{}

// splitHeading splits a heading line into its marks (with the blanks around them) and its text. The level is 1 for ##, 2
// for ###, and 0 for any other line.
func splitHeading(line string) (marks, text string, level int) {
	unindented := strings.TrimLeft(line, " ")
	afterMarks := strings.TrimLeft(unindented, "#")
	level = len(unindented) - len(afterMarks) - 1
	text = strings.TrimLeft(afterMarks, blankCharacters)
	if len(line)-len(unindented) > maxHeadingIndent || level < 1 || level > 2 || text == afterMarks {
		return "", "", 0
	}
	return line[:len(line)-len(text)], strings.TrimRight(text, blankCharacters), level
}

// maxHeadingIndent is how many spaces a heading may be indented in CommonMark.
const maxHeadingIndent = 3

// Level implements source.HeadingNumbering.
func (headingNumbering) Level(line string) (int, bool) {
	_, text, level := splitHeading(line)
	var h heading
	switch level {
	case 1:
		h = parseStepHeading(text)
	case 2:
		h = parseSubstepHeading(text)
	}
	if h.kind == brokenKind {
		return 0, false
	}
	return level, h.kind == staticKind
}

// RenumberHeading implements source.HeadingNumbering.
func (headingNumbering) RenumberHeading(line, parent string, n int) (string, string) {
	marks, text, level := splitHeading(line)
	if level == 1 {
		id := strconv.Itoa(n)
		return marks + id + text[leadingDigitCount(text):], id
	}
	word := firstWord(text)
	_, child, _ := strings.Cut(word, ".")
	if n > 0 {
		child = strconv.Itoa(n)
	}
	id := parent + "." + child
	return marks + id + text[len(word):], id
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
	marks, text, level := splitHeading(line)
	if h := parseStepHeading(text); level == 1 && h.kind == namedKind {
		return marks + h.localID + "Copy" + text[len(h.localID):]
	}
	return line + " copy"
}

// NewStep implements source.HeadingNumbering.
func (headingNumbering) NewStep(title, body string, level int) string {
	if level == 2 {
		return fmt.Sprintf("### 1.1 %s\n%s", title, body)
	}
	return fmt.Sprintf("## 1. %s\n%s", title, body)
}
