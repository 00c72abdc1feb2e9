package playbook

import (
	"fmt"
	"strings"

	"playhead/parse/plan"
	"playhead/parse/source"
)

// message is what a model is asked (spec §5, §7): the step's own text, with text
// from elsewhere in front of it. It is a Prompt.
type message struct {
	Fetched  bool   // the step fetches the text in front
	Variable string // or a variable holds it
	At       plan.Span
	Text     template
}

// Render implements plan.Prompt. Placeholders in fetched text are filled in; what a
// variable holds is data, and put in as it is.
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

// What a person may write anew: a step's own text, and the arguments of a tool.

// Own implements plan.EditablePrompt.
func (m message) Own() string { return plan.Source(m.Text) }

// With implements plan.EditablePrompt.
func (m message) With(text string) plan.Prompt {
	m.Text = parseTemplate(text)
	return m
}

// Own implements plan.EditablePrompt.
func (a arguments) Own() string { return plan.Source(a) }

// With implements plan.EditablePrompt.
func (a arguments) With(text string) plan.Prompt { return arguments(parseTemplate(text)) }
