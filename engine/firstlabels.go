package engine

import "playhead/engine/machine"

// firstLabels maps the labels of steps in the version in force to those in the version with which the
// session began. Prepared replies, results and answers name these. Labels that no reload changed are not
// in it.
type firstLabels map[string]string

// newStep is the first label of a step that a reload inserted at the label of another step.
const newStep = "(new)"

// of returns the first label of a step.
func (l firstLabels) of(label string) string {
	if first, changed := l[label]; changed {
		return first
	}
	return label
}

// after returns the labels after a reload.
func (l firstLabels) after(b *machine.Reloaded) firstLabels {
	out := firstLabels{}
	for label, first := range l {
		out[label] = first
	}
	for _, s := range b.Steps {
		if s.Document == "" && s.From != s.To {
			out[s.From] = newStep
		}
	}
	for _, s := range b.Steps {
		if s.Document == "" && s.From != s.To && s.To != "" {
			out[s.To] = l.of(s.From)
		}
	}
	return out
}
