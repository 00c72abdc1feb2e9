package report

import (
	"fmt"
	"slices"

	"playhead/engine/machine"
	"playhead/engine/track"
)

// change takes over what a person did instead of answering.
func (b *builder) change(e machine.Event) {
	what := ""
	switch body := e.Body.(type) {
	case *machine.StepFinished:
		if body.Forced {
			what = "set to " + string(body.Result)
		}
	case *machine.Decision:
		what = jumpText(e.Step, body)
	case *machine.ActionFinished:
		if body.Forced {
			what = "its reply was changed"
		}
	case *machine.Captured:
		what = fmt.Sprintf("%s set by hand", body.Variable)
	case *machine.Edited:
		what = "its text was edited"
		if body.Text == "" {
			what = "its text is the document's own again"
		}
	case *machine.Finished:
		if body.Forced {
			what = "the run was ended: " + string(body.Result)
		}
	}
	if what != "" {
		b.report.Changes = append(b.report.Changes, Change{Event: e.Seq, Time: e.Time, Step: e.Step, What: what, Reason: e.Reason})
	}
}

// jumpText says where a person sent the run, empty if nobody did.
func jumpText(step string, d *machine.Decision) string {
	if !d.Forced {
		return ""
	}
	return track.Moved(step, d)
}

// rewinds are no events of the branch that the run is on: what they left behind is not
// in the report, but for what cannot be undone.
func (b *builder) rewinds() {
	for i, e := range b.Events {
		r, back := e.Body.(*machine.Rewound)
		if !back {
			continue
		}
		b.report.Changes = append(b.report.Changes, Change{
			Event: e.Seq, Time: e.Time, What: fmt.Sprintf("gone back to event %d", r.To), Reason: e.Reason,
			Kept: executedOnlyOn(machine.Chain(b.Events[:i]), machine.Branch(b.Events, r.To)),
		})
	}
	slices.SortFunc(b.report.Changes, func(a, b Change) int { return a.Event - b.Event })
}

// executedOnlyOn are the commands that ran and the tools that were called on a branch, and not
// on another one that it is left for.
func executedOnlyOn(left, on []machine.Event) []string {
	stays := map[int]bool{}
	for _, e := range on {
		stays[e.Seq] = true
	}
	return track.SideEffects(on, slices.DeleteFunc(left, func(e machine.Event) bool { return stays[e.Seq] }))
}
