package plan

// Failure is what a run says that the failure of a step ended: a Prompt.
type Failure struct{ Label string }

// Render implements Prompt. Without a scope there is no failure to speak of.
func (f Failure) Render(scope Scope) (Rendered, error) {
	if scope == nil {
		return Rendered{}, nil
	}
	text := "step " + f.Label + " failed"
	if why := scope.Outcome().Reason; why != "" {
		text += ": " + why
	}
	return Rendered{Text: text}, nil
}
