package playbook

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"playhead/parse/plan"
	"playhead/parse/source"
)

// EditSteps returns the text of a playbook with a change of its steps. Steps and substeps get new
// numbers, and so do the variables in which answers are stored.
func EditSteps(p *plan.Plan, e plan.StepEdit) (string, error) {
	return source.EditSteps(p, e, headingNumbering{})
}

type headingNumbering struct{}

// Level implements source.HeadingNumbering.
func (headingNumbering) Level(line string) (int, bool) {
	if _, title := parseStepHeading(line); title != "" {
		return 1, true
	}
	if _, _, title := parseSubstepHeading(line); title != "" {
		return 2, true
	}
	return 0, false
}

var headingNumberPattern = regexp.MustCompile(`^(##+\s+STEP\s+)[0-9]+[a-z]?`)

// RenumberHeading implements source.HeadingNumbering.
func (headingNumbering) RenumberHeading(line, parent string, n int) (string, string) {
	id := strconv.Itoa(n)
	if parent != "" {
		id = parent + string(rune('a'+(n-1)%26))
	}
	return headingNumberPattern.ReplaceAllString(line, "${1}"+id), id
}

var answerVariablePattern = regexp.MustCompile(`__elicit_step_([0-9]+)\b`)

// UpdateReferences implements source.HeadingNumbering.
func (headingNumbering) UpdateReferences(line string, _ bool, ids map[string]string) string {
	if !strings.Contains(line, "__elicit_step_") {
		return line
	}
	return answerVariablePattern.ReplaceAllStringFunc(line, func(name string) string {
		if to := ids[answerVariablePattern.FindStringSubmatch(name)[1]]; to != "" {
			return "__elicit_step_" + to
		}
		return name
	})
}

// CopyHeading implements source.HeadingNumbering.
func (headingNumbering) CopyHeading(line string) string { return line + " (copy)" }

// NewStep implements source.HeadingNumbering.
func (headingNumbering) NewStep(title, body string, level int) string {
	body = cmp.Or(body, title)
	if level == 2 {
		return fmt.Sprintf("### STEP 1a: %s\n%s", title, body)
	}
	return fmt.Sprintf("## STEP 1: %s\n%s", title, body)
}
