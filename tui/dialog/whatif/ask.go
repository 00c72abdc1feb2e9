package whatif

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/whatif"
	"playhead/tui/dialog"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Ask asks what could have been different at a decision. suppose is the run after an event.
func Ask(run *runview.Run, d *machine.Decision, suppose func(seq int) engine.DecisionPreview) []tea.Msg {
	m, ok := momentOf(run, d)
	if !ok {
		return nil
	}
	q := New(run, m, suppose)
	if q == nil { // an input has one value, and no other may be
		return []tea.Msg{request.Say{Text: noOther}}
	}
	return []tea.Msg{dialog.Open{Dialog: q}}
}

const noOther = "No other outcome is possible at this decision."

// momentOf is the moment of a decision; of one that a person made, that of the last one before it that
// the step made itself.
func momentOf(run *runview.Run, d *machine.Decision) (whatif.Moment, bool) {
	m, ok := whatif.Find(&run.Run, d)
	if ok && d.ByPerson {
		return whatif.Last(&run.Run, m.Step)
	}
	return m, ok
}

// Unavailable returns why Ask has nothing to ask of a decision, empty if it has.
func Unavailable(run *runview.Run, d *machine.Decision) string {
	if !run.Begun {
		return "The run has not started."
	}
	m, ok := momentOf(run, d)
	switch {
	case !ok:
		return "Select a step that has made a decision or is about to."
	case len(m.Differences()) == 0:
		return noOther
	}
	return ""
}
