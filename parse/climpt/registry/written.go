package registry

import "playhead/parse/plan"

// Own implements plan.Written.
func (p *prompt) Own() string { return p.Text.String() }

// With implements plan.Written.
func (p *prompt) With(text string) plan.Prompt {
	other := *p
	other.Text, other.Problem = parseText(text, inSteps), ""
	return &other
}
