package playbook

import "playhead/parse/plan"

// What a person may write anew: a step's own text, and the arguments of a tool.

// Own implements plan.Written.
func (m message) Own() string { return plan.Source(m.Text) }

// With implements plan.Written.
func (m message) With(text string) plan.Prompt {
	m.Text = parseTemplate(text)
	return m
}

// Own implements plan.Written.
func (a arguments) Own() string { return plan.Source(a) }

// With implements plan.Written.
func (a arguments) With(text string) plan.Prompt { return arguments(parseTemplate(text)) }
