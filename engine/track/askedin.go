package track

import (
	"playhead/engine/machine"
	"playhead/parse/plan"
)

// AskedIn is where a model was asked by the row's newest execution, among events that end
// with it, and what it was asked; nil if none was, or if it was to report: what it did with
// tools before that cannot be supposed.
func (r *Row) AskedIn(events []machine.Event) (at int, work *plan.Model) {
	for at := len(events) - 1; at >= 0 && events[at].Step == r.Label; at-- {
		b, began := events[at].Body.(*machine.ActionStarted)
		if !began || b.Kind != "model" || b.Action >= len(r.Step.Actions) {
			continue
		}
		if work, is := r.Step.Actions[b.Action].Work.(plan.Model); is && work.Report == nil {
			return at, &work
		}
	}
	return 0, nil
}
