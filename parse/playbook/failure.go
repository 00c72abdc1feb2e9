package playbook

import "playhead/parse/plan"

// failure is what a run says that a step's failure ended: a Prompt.
type failure struct{ Label string }

// Render implements plan.Prompt. Without a scope there is no failure to speak of.
func (f failure) Render(scope plan.Scope) (plan.Rendered, error) {
	if scope == nil {
		return plan.Rendered{}, nil
	}
	text := "step " + f.Label + " failed"
	if why := scope.Outcome().Reason; why != "" {
		text += ": " + why
	}
	return plan.Rendered{Text: text}, nil
}
