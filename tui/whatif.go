package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/tui/dialog/whatif"
)

// askWhatIf asks what could have been different at the decision of the selected step.
func (m *Model) askWhatIf() tea.Cmd {
	run, r := m.view(), m.decider()
	i := m.decidedAt(r.Label)
	e := m.view().ShownStatus().Next
	if i < len(m.timeline.Until()) {
		e = &m.timeline.Events[i]
	}
	d := whatif.New(run, whatif.Moment{
		Row: r, Decision: e.Body.(*machine.Decision), Events: m.timeline.Events, At: i, Suppose: m.session.Suppose, Value: run.ValueText,
	})
	if d == nil { // an input has one value, and no other may be
		m.say("{what-if} does nothing: " + sameAnyway + ".")
		return nil
	}
	m.open(d)
	return nil
}

// decider is the row whose decision is looked at: the selected one's, or, while it has
// made none, the one that led there.
func (m *Model) decider() *track.Row {
	r := m.steps.Selected()
	if r != nil && m.decidedAt(r.Label) < 1 && m.why.From() != nil {
		return m.why.From()
	}
	return r
}

// decidedAt is the place of a step's last decision among the events that show; behind the
// last one for a decision that is about to be made, -1 for none.
func (m *Model) decidedAt(label string) int {
	events := m.timeline.Until()
	if n := m.view().ShownStatus().Next; n != nil && n.Step == label && n.Body.Type() == "routed" {
		return len(events)
	}
	for i, e := range slices.Backward(events) {
		if d, ok := e.Body.(*machine.Decision); ok && e.Step == label && !d.Forced {
			return i
		}
	}
	return -1
}

const sameAnyway = "there is nothing that could be different"

func notForked(m *Model) string {
	switch r := m.decider(); {
	case m.session == nil:
		return "does nothing: the run has not started"
	case r == nil || m.decidedAt(r.Label) < 1:
		return "asks what if of a step that has decided, or is about to: select one"
	case len(m.timeline.Shown.Vars) == 0 && (!r.Unit() || len(r.Step.Actions) == 0):
		return "does nothing: " + sameAnyway
	}
	return ""
}
