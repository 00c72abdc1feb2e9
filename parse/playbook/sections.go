package playbook

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	systemHeadingPattern   = regexp.MustCompile(`(?i)^##\s+SYSTEM(?:\s+PROMPT)?\s*$`)
	inputsHeadingPattern   = regexp.MustCompile(`(?i)^##\s+INPUTS\s*$`)
	artifactHeadingPattern = regexp.MustCompile(`(?i)^##\s+(?:ARTIFACTS|OUTPUT)\s*$`)
)

// parseStepHeading reads ## STEP N: Title. If the line is not such a heading, the title is empty.
func parseStepHeading(text string) (digits, title string) {
	c := cursor{text: text}
	if !c.skipText("##") || !c.skipBlanks() || !c.skipText("STEP") || !c.skipBlanks() {
		return "", ""
	}
	if digits = c.readDigits(); digits == "" || !c.skipText(":") || !c.skipBlanks() {
		return "", ""
	}
	return digits, c.remainingText()
}

// parseTitleHeading returns the title in a line that is a heading of level 1.
func parseTitleHeading(text string) (string, bool) {
	if !strings.HasPrefix(text, "# ") && !strings.HasPrefix(text, "#\t") {
		return "", false
	}
	title := strings.TrimSpace(text[2:])
	return title, title != ""
}

// isSectionHeading reports whether a line is a heading of level 2.
func isSectionHeading(text string) bool {
	return strings.HasPrefix(text, "## ") || strings.HasPrefix(text, "##\t")
}

// readSections divides the document at its headings and reads each section (spec §1). The title ends a
// section before it.
func (d *document) readSections() {
	d.titleLine = -1
	head := -1 // of the current section; the text after the title has none
	from := 0
	for i, text := range d.lines {
		if d.isCodeLine[i] || !strings.HasPrefix(text, "#") {
			continue
		}
		title, isTitle := parseTitleHeading(text)
		isTitle = isTitle && d.titleLine < 0
		if !isTitle && !isSectionHeading(text) {
			continue
		}
		d.readSection(head, from, i-1)
		head, from = i, i+1
		if isTitle {
			d.title, d.titleLine, head = title, i, -1
		}
	}
	d.readSection(head, from, len(d.lines)-1)
	d.checkTitleAndSteps()
}

// checkTitleAndSteps reports missing parts that every playbook must have.
func (d *document) checkTitleAndSteps() {
	if d.titleLine < 0 {
		d.add(place{}, finding{"no-title", "there is no title", d.titleSuggestion()})
	}
	if len(d.steps) > 0 {
		return
	}
	suggestion := "write at least one: ## STEP 1: Title"
	for i, text := range d.lines {
		if meant := intendedHeading(text); !d.isCodeLine[i] && strings.HasPrefix(meant, "## STEP") {
			suggestion = fmt.Sprintf("line %d is almost one; write it like: %s", i+1, meant)
			break
		}
	}
	d.add(place{}, finding{"no-steps", "there are no steps: a playbook needs at least one ## STEP heading", suggestion})
}

// readSection reads the lines from first to last below a heading.
func (d *document) readSection(head, first, last int) {
	if head >= 0 {
		if digits, title := parseStepHeading(d.lines[head]); title != "" {
			d.readStep(head, last, digits, title)
			return
		}
	}
	d.warnOutsideSteps(first, last)
	if head < 0 {
		if d.titleLine >= 0 {
			d.description = d.joinRanges(lineRanges{{first, last}}).text
		}
		return
	}
	switch text := d.lines[head]; {
	case systemHeadingPattern.MatchString(text):
		d.systemPromptText = d.joinRanges(lineRanges{{first, last}})
	case inputsHeadingPattern.MatchString(text):
		d.readInputs(first, last)
	case artifactHeadingPattern.MatchString(text):
		d.readArtifact(first, last)
	}
}
