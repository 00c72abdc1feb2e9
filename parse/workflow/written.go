package workflow

import "playhead/parse/plan"

// Own implements plan.Written: of what a model is asked, a person may write the
// description anew.
func (m message) Own() string { return m.Description }

// With implements plan.Written.
func (m message) With(text string) plan.Prompt {
	m.Description = text
	return m
}
