package stepflow

import "playhead/parse/plan"

// Own implements plan.Written.
func (p prompt) Own() string { return plan.Source(p) }

// With implements plan.Written.
func (p prompt) With(text string) plan.Prompt {
	p.Pieces, p.Problem = parseText(text), ""
	return p
}
