package lines

import (
	"slices"

	"playhead/engine/sanitize"
	"playhead/parse/plan"
)

// printReported prints the reported values that are taken when the person passes the step.
func (t *questions) printReported() {
	for _, a := range t.status.PendingValues {
		i := slices.IndexFunc(t.instead, func(have plan.Assignment) bool { return have.Name == a.Name })
		if i >= 0 {
			a = t.instead[i]
		}
		t.line("  pass takes %s = %s", sanitize.Plain(a.Name), sanitize.Plain(plan.TextOf(a.Value)))
	}
	if len(t.status.PendingValues) > 0 {
		t.line("  :set NAME=VALUE changes it")
	}
}

// isReported reports whether passing the step takes a value of that name.
func (t *questions) isReported(name string) bool {
	return slices.ContainsFunc(t.status.PendingValues, func(a plan.Assignment) bool { return a.Name == name })
}

// changeReported replaces a reported value that passing the step will take.
func (t *questions) changeReported(name, text string) error {
	written, err := valueOf(plan.Field{Type: "value"}, text)
	if err != nil {
		return err
	}
	value, err := plan.FromJSON(written)
	if err != nil {
		return err
	}
	t.instead = slices.DeleteFunc(t.instead, func(a plan.Assignment) bool { return a.Name == name })
	t.instead = append(t.instead, plan.Assignment{Name: name, Value: value})
	return nil
}
