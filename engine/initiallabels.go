package engine

import (
	"maps"

	"playhead/engine/machine"
)

// InitialLabels maps the labels of steps in the version in force to those in the version for which answers, replies or
// results were prepared.
type InitialLabels struct {
	since   int               // the number of events that were recorded when they were prepared
	byLabel map[string]string // without the labels that no reload changed
}

// insertedStepLabel is the initial label of a step that a reload inserted at the label of another step.
const insertedStepLabel = "(new)"

// InitialLabelsAfter returns the labels after the events of a run's current branch. since is the number of events
// that were recorded when something was prepared for the labels.
func InitialLabelsAfter(branch []machine.Event, since int) InitialLabels {
	labels := InitialLabels{since: since}
	for _, e := range branch {
		labels.fold(e)
	}
	return labels
}

// Of returns the initial label of the step that has the given label in the version in force.
func (l InitialLabels) Of(label string) string {
	if first, changed := l.byLabel[label]; changed {
		return first
	}
	return label
}

// fold takes in the next event of the current branch.
func (l *InitialLabels) fold(e machine.Event) {
	b, reloads := e.Body.(*machine.DocumentReloaded)
	if !reloads || e.Seq <= l.since {
		return
	}
	out := map[string]string{}
	maps.Copy(out, l.byLabel)
	for _, s := range b.MatchedSteps {
		if s.Document == "" && s.OldID != s.NewID {
			out[s.OldID] = insertedStepLabel
		}
	}
	for _, s := range b.MatchedSteps {
		if s.Document == "" && s.OldID != s.NewID && s.NewID != "" {
			out[s.NewID] = l.Of(s.OldID)
		}
	}
	l.byLabel = out
}
