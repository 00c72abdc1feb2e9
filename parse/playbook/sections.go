package playbook

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	systemHeading   = regexp.MustCompile(`(?i)^##\s+SYSTEM(?:\s+PROMPT)?\s*$`)
	inputsHeading   = regexp.MustCompile(`(?i)^##\s+INPUTS\s*$`)
	artifactHeading = regexp.MustCompile(`(?i)^##\s+(?:ARTIFACTS|OUTPUT)\s*$`)
)

// stepHeading reads ## STEP N: Title. If the line is not such a heading, the title is empty.
func stepHeading(text string) (digits, title string) {
	c := cursor{text: text}
	if !c.take("##") || !c.spaces() || !c.take("STEP") || !c.spaces() {
		return "", ""
	}
	if digits = c.digits(); digits == "" || !c.take(":") || !c.spaces() {
		return "", ""
	}
	return digits, c.rest()
}

// titleOf returns the title in a line that is a heading of level 1.
func titleOf(text string) (string, bool) {
	if !strings.HasPrefix(text, "# ") && !strings.HasPrefix(text, "#\t") {
		return "", false
	}
	title := strings.TrimSpace(text[2:])
	return title, title != ""
}

// isHeading reports whether a line is a heading of level 2.
func isHeading(text string) bool {
	return strings.HasPrefix(text, "## ") || strings.HasPrefix(text, "##\t")
}

// sections divides the document at its headings and reads each section (spec §1). The title ends a
// section before it.
func (d *document) sections() {
	d.titleLine = -1
	head := -1 // of the current section; the text after the title has none
	from := 0
	for i, text := range d.text {
		if d.code[i] || !strings.HasPrefix(text, "#") {
			continue
		}
		title, isTitle := titleOf(text)
		isTitle = isTitle && d.titleLine < 0
		if !isTitle && !isHeading(text) {
			continue
		}
		d.section(head, from, i-1)
		head, from = i, i+1
		if isTitle {
			d.title, d.titleLine, head = title, i, -1
		}
	}
	d.section(head, from, len(d.text)-1)
	d.required()
}

// required reports missing parts that every playbook must have.
func (d *document) required() {
	if d.titleLine < 0 {
		d.add(place{}, finding{"no-title", "there is no title", d.nearTitle()})
	}
	if len(d.steps) > 0 {
		return
	}
	suggestion := "write at least one: ## STEP 1: Title"
	for i, text := range d.text {
		if meant := meantHeading(text); !d.code[i] && strings.HasPrefix(meant, "## STEP") {
			suggestion = fmt.Sprintf("line %d is almost one; write it like: %s", i+1, meant)
			break
		}
	}
	d.add(place{}, finding{"no-steps", "there are no steps: a playbook needs at least one ## STEP heading", suggestion})
}

// section reads the lines from first to last below a heading.
func (d *document) section(head, first, last int) {
	if head >= 0 {
		if digits, title := stepHeading(d.text[head]); title != "" {
			d.step(head, last, digits, title)
			return
		}
	}
	d.warnOutsideSteps(first, last)
	if head < 0 {
		if d.titleLine >= 0 {
			d.description = d.content(ranges{{first, last}}).text
		}
		return
	}
	switch text := d.text[head]; {
	case systemHeading.MatchString(text):
		d.system = d.content(ranges{{first, last}})
	case inputsHeading.MatchString(text):
		d.readInputs(first, last)
	case artifactHeading.MatchString(text):
		d.readArtifact(first, last)
	}
}
