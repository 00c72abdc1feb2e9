package workflow

import (
	"cmp"
	"strings"

	"playhead/parse/plan"
	"playhead/parse/source"
)

// EditSteps returns the text of a workflow with a change of its steps. Steps of workflows have no
// numbers in the document.
func EditSteps(p *plan.Plan, e plan.StepEdit) (string, error) {
	return source.EditSteps(p, e, headingNumbering{})
}

type headingNumbering struct{}

// Level implements source.HeadingNumbering.
func (headingNumbering) Level(line string) (int, bool) {
	if h := readHeading(0, line); h != nil && h.documentPart == stepPart {
		return 1, false
	}
	return 0, false
}

// RenumberHeading implements source.HeadingNumbering.
func (headingNumbering) RenumberHeading(line, _ string, _ int) (string, string) { return line, "" }

// UpdateReferences implements source.HeadingNumbering.
func (headingNumbering) UpdateReferences(line string, _ bool, _ map[string]string) string {
	return line
}

// CopyHeading implements source.HeadingNumbering.
func (headingNumbering) CopyHeading(line string) string { return line + " (copy)" }

// NewStep implements source.HeadingNumbering. The body becomes the fenced block of the step. The parts of
// the step may be written without marks, as in TOOL: notify.
func (headingNumbering) NewStep(title, body string, _ int) string {
	var text, parts []string
	for _, line := range strings.Split(body, "\n") {
		switch heading := asPartHeading(line); {
		case heading != "":
			parts = append(parts, "", heading)
		case len(parts) > 0:
			parts = append(parts, line)
		default:
			text = append(text, line)
		}
	}
	does := cmp.Or(strings.Trim(strings.Join(text, "\n"), "\n"), title)
	if !strings.Contains(does, "```") {
		does = "```\n" + does + "\n```"
	}
	return strings.Join(append([]string{stepPart.canonicalHeading("") + " " + title, does}, parts...), "\n")
}

// asPartHeading returns the heading for a line that begins a part of a step, "" for any other line.
func asPartHeading(line string) string {
	if h := readHeading(0, line); h != nil {
		return line
	}
	h := readHeading(0, "### "+line)
	if keyword, _, _ := strings.Cut(line, ":"); h == nil || h.documentPart == stepPart || keyword != strings.ToUpper(keyword) {
		return ""
	}
	return strings.TrimRight(h.documentPart.canonicalHeading(h.inlineText)+" "+h.inlineText, " ")
}
