package engine

import "playhead/engine/machine"

// firstLabels maps the labels of steps in the version in force to those in the version with which the
// session began. Prepared replies, results and answers name these. Labels that no reload changed are not
// in it.
type firstLabels map[string]string

// insertedStepLabel is the first label of a step that a reload inserted at the label of another step.
const insertedStepLabel = "(new)"

// of returns the first label of a step.
func (l firstLabels) of(label string) string {
	if first, changed := l[label]; changed {
		return first
	}
	return label
}

// afterReload returns the labels after a reload.
func (l firstLabels) afterReload(b *machine.DocumentReloaded) firstLabels {
	out := firstLabels{}
	for label, first := range l {
		out[label] = first
	}
	for _, s := range b.MatchedSteps {
		if s.Document == "" && s.OldID != s.NewID {
			out[s.OldID] = insertedStepLabel
		}
	}
	for _, s := range b.MatchedSteps {
		if s.Document == "" && s.OldID != s.NewID && s.NewID != "" {
			out[s.NewID] = l.of(s.OldID)
		}
	}
	return out
}
