package whatif

import (
	"strings"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/engine/wording"
)

// Forecast is what a change leads to: the next decision and, if groups or included documents end with it,
// that of the outermost.
type Forecast struct {
	StepLabel string // the label of the step that decides next
	Decision  *machine.Decision

	groupLabel   string            // the label of the outermost step around it that ends with it, empty: none does
	lastDecision *machine.Decision // the decision after which the run goes on
}

// Forecast returns what an option leads to.
func (d *Difference) Forecast(o Option) (Forecast, error) {
	decisions, err := d.preview(d.ChangeTo(o))
	if err != nil {
		return Forecast{}, err
	}
	first, last := decisions[0], decisions[len(decisions)-1]
	f := Forecast{StepLabel: first.Step, Decision: first.Body.(*machine.Decision), lastDecision: last.Body.(*machine.Decision)}
	if len(decisions) > 1 {
		f.groupLabel = last.Step
	}
	return f, nil
}

// Destination returns where the run goes on.
func (f *Forecast) Destination() string { return wording.DestinationText(f.lastDecision) }

// ShortDestination returns where the run goes on, without a message that repeats the reason of the outcome.
func (f *Forecast) ShortDestination() string {
	if o := f.Decision.Outcome; o != nil && o.Reason != "" && strings.Contains(f.lastDecision.Arrival.Message, o.Reason) {
		return wording.EndText(f.lastDecision.Arrival.Result, "")
	}
	return f.Destination()
}

// DestinationRow returns the row of the step where the run goes on, nil if it does not go on to a step.
func (f *Forecast) DestinationRow(t *track.Track) *track.Row {
	if f.lastDecision.Arrival.Kind != machine.ToStep {
		return nil
	}
	return t.RowByLabel(f.lastDecision.To)
}

// GroupText returns the outcome of the outermost step that ends with the decision, and where that leads, ""
// if none ends.
func (f *Forecast) GroupText() string {
	if f.groupLabel == "" {
		return ""
	}
	return "then " + wording.GroupDecisionText(f.groupLabel, f.lastDecision)
}

// ActualDestination returns where the run goes on after the decision, and those of the groups and included
// documents that end with it, if nothing is different. It returns "" if that is not decided.
func (m DecisionMoment) ActualDestination(suppose func(seq int) engine.DecisionPreview) string {
	d := m.Decision
	if d == nil {
		return ""
	}
	if d.Arrival.Kind != machine.ToStep {
		seq := m.run.Events[m.eventCountBefore-1].Seq
		if decisions, err := suppose(seq)(machine.WhatIfChange{}); err == nil {
			d = decisions[len(decisions)-1].Body.(*machine.Decision)
		}
	}
	return wording.DestinationText(d)
}
