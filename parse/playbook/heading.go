package playbook

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"playhead/parse/plan"
	"playhead/parse/source"
)

var (
	// malformedStepHeadingPattern matches a heading of a step or substep with a common mistake: in another case,
	// with other marks around the number, indented, or of another level.
	malformedStepHeadingPattern = compileOnFirstUse(`^[\x{feff}\x{200b}]* {0,3}(#{1,6})[^\pL\pN#]*((?i)STEP)[\s*_#.-]*(\d+)(?:[.-]?((?i)[a-z])\b)?[\s*_:：.)–—-]*(.*?)[\s*_#]*$`)

	// numberlessStepHeadingPattern matches a step heading whose number is missing or invalid.
	numberlessStepHeadingPattern = compileOnFirstUse(`(?i)^[\x{feff}\x{200b}]* {0,3}##[^\pL\pN#]*STEP(?:[\s*_]+[\pL\pN]+)?[\s*_]*[:：][\s*_]*(.*?)[\s*_#]*$`)

	// malformedSectionHeadingPattern matches a heading that is nearly that of a known section.
	malformedSectionHeadingPattern = compileOnFirstUse(`(?i)^[\x{feff}\x{200b}]* {0,3}##[^\pL\pN#]*(SYSTEM(?:\s+(?:PROMPT|MESSAGE))?|INPUTS?|ARTIFACTS?|OUTPUTS?)[\s*_:：#]*$`)
)

// compileOnFirstUse compiles a pattern when it is first used, because one with classes of letters takes up to a
// millisecond.
func compileOnFirstUse(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// warnMalformedHeadings warns of lines that are nearly headings of the format, and of a title that is not the first
// heading.
func (d *document) warnMalformedHeadings() {
	for i, text := range d.lines {
		if d.isCodeLine[i] || i == d.titleLine || !strings.Contains(text, "#") || isFormatHeading(text) {
			continue
		}
		if meant := intendedHeading(text); meant != "" {
			d.add(place{Line: i}, finding{"heading-like", d.unknownHeadingMessage(i, text), "write it like: " + meant})
		}
	}
	if first := d.firstSectionLine(); first >= 0 && first < d.titleLine {
		d.add(place{Line: d.titleLine}, finding{"title-late", fmt.Sprintf("the title comes after the section that starts on line %d", first+1), "put the line # " + d.title + " at the top of the document"})
	}
}

// isFormatHeading reports whether a line is a heading that the format reads.
func isFormatHeading(text string) bool {
	_, title := parseStepHeading(text)
	_, _, substepTitle := parseSubstepHeading(text)
	return title != "" || substepTitle != "" || systemHeadingPattern.MatchString(text) || inputsHeadingPattern.MatchString(text) || artifactHeadingPattern.MatchString(text)
}

// intendedHeading returns the heading that a line was probably meant to be, "" if none. A heading of
// another level with "Step" not in capitals is ordinary text of a prompt.
func intendedHeading(text string) string {
	if m := malformedStepHeadingPattern().FindStringSubmatch(text); m != nil {
		marks, word, digits, letter, title := m[1], m[2], m[3], strings.ToLower(m[4]), cmp.Or(m[5], "Title")
		switch {
		case letter != "":
			return fmt.Sprintf("### STEP %s%s: %s", digits, letter, title)
		case marks == "##" || word == "STEP":
			return fmt.Sprintf("## STEP %s: %s", digits, title)
		}
	}
	if m := numberlessStepHeadingPattern().FindStringSubmatch(text); m != nil {
		return "## STEP 1: " + cmp.Or(m[1], "Title")
	}
	if m := malformedSectionHeadingPattern().FindStringSubmatch(text); m != nil {
		return sectionHeadings[strings.ToUpper(m[1][:2])]
	}
	return ""
}

// sectionHeadings are the headings of sections, by the first two letters of their words.
var sectionHeadings = map[string]string{"SY": "## SYSTEM", "IN": "## INPUTS", "AR": "## ARTIFACTS", "OU": "## OUTPUT"}

// unknownHeadingMessage says what happens to a heading that the format does not know.
func (d *document) unknownHeadingMessage(i int, text string) string {
	if isSectionHeading(text) {
		return "this is not a valid playbook heading: its section is ignored"
	}
	if s := d.stepBefore(i); s != nil && i <= s.lastLine {
		return "this is not a valid heading: it is read as text of step " + s.label
	}
	return "this is not a valid playbook heading: it does not begin a step or section"
}

// stepBefore returns the last step that begins before a line, nil if there is none.
func (d *document) stepBefore(line int) *step {
	n, _ := slices.BinarySearchFunc(d.steps, line, func(s *step, line int) int { return cmp.Compare(s.firstLine, line) })
	if n == 0 {
		return nil
	}
	return d.steps[n-1]
}

// firstSectionLine returns the line of the first heading of level 2, or -1.
func (d *document) firstSectionLine() int {
	for i, text := range d.lines {
		if !d.isCodeLine[i] && isSectionHeading(text) {
			return i
		}
	}
	return -1
}

// titleSuggestion returns the suggestion for a missing title, with the line that was probably meant to be
// one.
func (d *document) titleSuggestion() string {
	for i, text := range d.lines {
		if d.isCodeLine[i] || source.IsBlank(text) {
			continue
		}
		title := strings.Trim(text, blankCharacters+"#\ufeff")
		underlined := i+1 < len(d.lines) && strings.HasPrefix(d.lines[i+1], "===")
		if title != "" && !isFormatHeading(text) && intendedHeading(text) == "" && (underlined || strings.HasPrefix(text, "#")) {
			return fmt.Sprintf("line %d is almost one; write it like: # %s", i+1, title)
		}
		break
	}
	return "begin the document with a line like: # Title"
}

// atoi parses the number in a step's heading. A number that is too large becomes the largest int.
func atoi(digits string) int {
	n, _ := strconv.Atoi(digits) // digits only, so the only error is the range
	return n
}

// trimLeadingZeros returns a number without leading zeros.
func trimLeadingZeros(digits string) string {
	if short := strings.TrimLeft(digits, "0"); short != "" {
		return short
	}
	return "0"
}

// numberAfter returns the decimal number after digits, as digits, because a step's number may be too large for an int.
func numberAfter(digits string) string {
	out := []byte(digits)
	for i := len(out) - 1; i >= 0; i-- {
		if out[i] < '9' {
			out[i]++
			return string(out)
		}
		out[i] = '0'
	}
	return "1" + string(out)
}

// checkStepNumbers warns of steps whose number does not follow the one that was read before (spec §1).
func (d *document) checkStepNumbers() {
	labels := plan.UniqueNames{} // of the steps in a run
	last := "0"
	for i, s := range d.steps {
		wanted, label := numberAfter(last), labels.Take(s.label)
		if last = s.label; last == wanted {
			continue
		}
		found := "step " + s.label
		if label != s.label {
			found = fmt.Sprintf("another step %s, which is called %s in a run", s.label, label)
		}
		d.add(place{Line: s.firstLine}, finding{"step-sequence", fmt.Sprintf("expected step %s here, but found %s", wanted, found), d.stepNumberSuggestion(i, wanted)})
	}
}

// stepNumberSuggestion returns how to correct the number of step i, counted from 0. Whoever follows all suggestions has steps
// 1, 2, 3 …, so a suggestion also says if later numbers, which continue from the wrong one, must change.
func (d *document) stepNumberSuggestion(i int, wanted string) string {
	var parts []string
	number, right := d.steps[i].label, strconv.Itoa(i+1)
	if wanted != right {
		parts = append(parts, "correct the numbers of the steps before this one")
	}
	if number != right {
		parts = append(parts, fmt.Sprintf("write ## STEP %s: %s", right, d.steps[i].title))
		if i+1 < len(d.steps) && d.steps[i+1].label == numberAfter(number) {
			parts = append(parts, "renumber the steps after it")
		}
	}
	return strings.Join(parts, ", and ")
}
