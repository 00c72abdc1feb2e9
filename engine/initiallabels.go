package engine

import (
	"maps"

	"playhead/engine/machine"
)

// initialLabels maps the labels of steps in the version in force to those in the version with which the
// session began. Prepared replies, results and answers name these. Labels that no reload changed are not
// in it.
type initialLabels map[string]string

// insertedStepLabel is the initial label of a step that a reload inserted at the label of another step.
const insertedStepLabel = "(new)"

// initialLabel returns the label with which the session began, for a label in the version in force.
func (l initialLabels) initialLabel(label string) string {
	if first, changed := l[label]; changed {
		return first
	}
	return label
}

// afterReload returns the labels after a reload.
func (l initialLabels) afterReload(b *machine.DocumentReloaded) initialLabels {
	out := initialLabels{}
	maps.Copy(out, l)
	for _, s := range b.MatchedSteps {
		if s.Document == "" && s.OldID != s.NewID {
			out[s.OldID] = insertedStepLabel
		}
	}
	for _, s := range b.MatchedSteps {
		if s.Document == "" && s.OldID != s.NewID && s.NewID != "" {
			out[s.NewID] = l.initialLabel(s.OldID)
		}
	}
	return out
}
