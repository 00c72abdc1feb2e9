package whatif

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/tui/dialog"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Ask asks what could have been different at the decision of the selected step. from is the row
// whose decision led to that step, nil if it is not known.
func Ask(run *runview.Run, from *track.Row, suppose func(seq int) engine.Supposed) []tea.Msg {
	r := decider(run, from)
	i := decidedAt(run, r.Label)
	e := run.ShownStatus().Next
	if i <= run.Index {
		e = &run.Events[i]
	}
	d := New(run, Moment{Row: r, Decision: e.Body.(*machine.Decision), Events: run.Events, At: i, Suppose: suppose})
	if d == nil { // an input has one value, and no other may be
		return []tea.Msg{request.Say{Text: "{what-if} does nothing: " + sameAnyway + "."}}
	}
	return []tea.Msg{dialog.Open{Dialog: d}}
}

const sameAnyway = "there is nothing that could be different"

// Unavailable returns why Ask has nothing to ask, empty if it has.
func Unavailable(run *runview.Run, from *track.Row) string {
	switch r := decider(run, from); {
	case !run.Begun:
		return "does nothing: the run has not started"
	case r == nil || decidedAt(run, r.Label) < 1:
		return "asks what if of a step that has decided, or is about to: select one"
	case len(run.Shown.Vars) == 0 && (!r.IsUnit() || len(r.Step.Actions) == 0):
		return "does nothing: " + sameAnyway
	}
	return ""
}

// decider is the row whose decision is looked at: the selected one's, or, while it has
// made none, the one that led there.
func decider(run *runview.Run, from *track.Row) *track.Row {
	if r := run.Selected; r == nil || from == nil || decidedAt(run, r.Label) >= 1 {
		return r
	}
	return from
}

// decidedAt is the place of a step's last decision among the events that show; behind the
// last one for a decision that is about to be made, -1 for none.
func decidedAt(run *runview.Run, label string) int {
	events := run.Events[:run.Index+1]
	if n := run.ShownStatus().Next; n != nil && n.Step == label && n.Body.Type() == "routed" {
		return len(events)
	}
	for i, e := range slices.Backward(events) {
		if d, ok := e.Body.(*machine.Decision); ok && e.Step == label && !d.Forced {
			return i
		}
	}
	return -1
}
