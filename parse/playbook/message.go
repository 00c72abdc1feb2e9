package playbook

import (
	"fmt"
	"strings"

	"playhead/parse/plan"
	"playhead/parse/source"
)

// message is the Prompt of a model call (spec §5, §7): the step's own text, perhaps after a text
// from elsewhere.
type message struct {
	Fetched  bool   // the step fetches the text in front
	Variable string // the variable that contains it, instead
	At       plan.Span
	Text     template
}

// Render implements plan.Prompt. Placeholders in fetched text are filled in. The value of a
// variable is data and inserted unchanged.
func (m message) Render(scope plan.Scope) (plan.Rendered, error) {
	own, err := m.Text.Render(scope)
	if err != nil || scope == nil {
		return own, err
	}
	before, err := m.before(scope)
	if err != nil {
		return plan.Rendered{}, err
	}
	out := plan.Rendered{Text: own.Text, Notes: append(before.Notes, own.Notes...)}
	if front := strings.TrimRight(before.Text, blanks); front != "" {
		out.Text = front
		if own.Text != "" {
			out.Text += "\n\n" + own.Text
		}
	}
	if source.IsBlank(out.Text) {
		return plan.Rendered{}, fmt.Errorf("the prompt is empty, so the model is not asked")
	}
	return out, nil
}

func (m message) before(scope plan.Scope) (plan.Rendered, error) {
	if m.Variable != "" {
		v, ok := scope.Var(m.Variable)
		if !ok {
			return plan.Rendered{}, fmt.Errorf("nothing defines %q, which @prompt({{%s}}) takes its text from", m.Variable, m.Variable)
		}
		return plan.Rendered{Text: plan.TextOf(v)}, nil
	}
	text, ok := plan.Fetched(scope)
	if !m.Fetched || !ok {
		return plan.Rendered{}, nil
	}
	return parseTemplate(text).Render(scope)
}

// Reference implements plan.Referring.
func (m message) Reference() (ref string, at plan.Span) {
	if m.Variable == "" {
		return "", m.At
	}
	return "{{" + m.Variable + "}}", m.At
}

// A person may edit a step's own text and the arguments of a tool.

// DocumentText implements plan.EditablePrompt.
func (m message) DocumentText() string { return plan.Source(m.Text) }

// WithText implements plan.EditablePrompt.
func (m message) WithText(text string) plan.Prompt {
	m.Text = parseTemplate(text)
	return m
}

// DocumentText implements plan.EditablePrompt.
func (a arguments) DocumentText() string { return plan.Source(a) }

// WithText implements plan.EditablePrompt.
func (a arguments) WithText(text string) plan.Prompt { return arguments(parseTemplate(text)) }

// systemPrompt is the Prompt for the system message of every call (spec §7): the system prompt, the
// output of each earlier step, and each named output and answer.
type systemPrompt struct {
	System template
	Values []string // the names of outputs and answers
}

// Render implements plan.Prompt. For a nil scope it returns the system prompt as written.
func (c systemPrompt) Render(scope plan.Scope) (plan.Rendered, error) {
	system, err := c.System.Render(scope)
	if err != nil || scope == nil {
		return system, err
	}
	var parts []string
	if system.Text != "" {
		parts = append(parts, system.Text)
	}
	past := outputs(plan.History(scope))
	if len(past) > 0 {
		parts = append(parts, "These are the results of the earlier steps.")
	}
	where := map[string]string{}
	for _, r := range past {
		parts = append(parts, fmt.Sprintf("<step %slabel=%q title=%s>\n%s\n</step>", numberAttribute(r.Step), r.Label, attribute(r.Step.Title), r.Outcome.Text))
		where[r.Outcome.Text] = r.Label
	}
	if values := c.values(scope, where); len(values) > 0 {
		parts = append(parts, "These are named values of this run.\n"+strings.Join(values, "\n"))
	}
	return plan.Rendered{Text: strings.Join(parts, "\n\n"), Notes: system.Notes}, nil
}

// outputs returns the records of steps with an output.
func outputs(all []plan.Record) []plan.Record {
	var out []plan.Record
	for _, r := range all {
		if r.Step != nil && r.Outcome.Result == plan.Passed && r.Outcome.Text != "" {
			out = append(out, r)
		}
	}
	return out
}

// values returns the existing named outputs and answers. A long one that is a step's whole output
// is not repeated.
func (c systemPrompt) values(scope plan.Scope, where map[string]string) []string {
	var out []string
	for _, name := range c.Values {
		v, ok := scope.Var(name)
		if !ok {
			continue
		}
		text := plan.TextOf(v)
		if label := where[text]; label != "" && len(text) > longValue {
			text = "(the result of step " + label + ")"
		}
		out = append(out, fmt.Sprintf("<value name=%q>%s</value>", name, text))
	}
	return out
}

// longValue is the length in bytes from which a reference is shorter than a copy.
const longValue = 200

func numberAttribute(s *plan.Step) string {
	if s.Number == nil {
		return ""
	}
	return fmt.Sprintf("number=\"%d\" ", *s.Number)
}

// attribute quotes a title. Quotes in it become single quotes.
func attribute(text string) string { return `"` + strings.ReplaceAll(text, `"`, "'") + `"` }
