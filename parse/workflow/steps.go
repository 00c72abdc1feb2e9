package workflow

import (
	"cmp"

	"playhead/parse/plan"
	"playhead/parse/source"
)

// EditSteps returns the text of a workflow with a change of its steps. Steps of workflows have no
// numbers in the document.
func EditSteps(p *plan.Plan, e plan.StepEdit) (string, error) {
	return source.EditSteps(p, e, stepHeadings{})
}

type stepHeadings struct{}

// Level implements source.Numbering.
func (stepHeadings) Level(line string) (int, bool) {
	if h := readHeading(0, line); h != nil && h.part == stepPart {
		return 1, false
	}
	return 0, false
}

// Number implements source.Numbering.
func (stepHeadings) Number(line, _ string, _ int) (string, string) { return line, "" }

// Refer implements source.Numbering.
func (stepHeadings) Refer(line string, _ bool, _ map[string]string) string { return line }

// Copy implements source.Numbering.
func (stepHeadings) Copy(line string) string { return line + " (copy)" }

// New implements source.Numbering.
func (stepHeadings) New(title, body string, _ int) string {
	body = cmp.Or(body, "```\n"+title+"\n```")
	return stepPart.canonical("") + " " + title + "\n" + body
}
