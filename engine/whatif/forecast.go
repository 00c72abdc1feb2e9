package whatif

import (
	"strings"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/engine/wording"
)

// Forecast is what a change leads to: the next decision and, if groups or included documents end with it,
// that of the outermost. Both call arms as the document writes them.
type Forecast struct {
	StepLabel string // the label of the step that decides next
	Decision  *machine.Decision

	groupLabel   string            // the label of the outermost step around it that ends with it, empty: none does
	lastDecision *machine.Decision // the decision of that step, else Decision
	lastEvent    machine.Event     // the one after which the run goes on
}

// Forecast returns what an option leads to.
func (p *PossibleChange) Forecast(o Option) (Forecast, error) {
	if f, known := p.forecasts[o]; known {
		return f, nil
	}
	events, err := p.preview(p.ChangeTo(o))
	if err != nil {
		return Forecast{}, err
	}
	t := p.trackBefore()
	f := Forecast{StepLabel: events[0].Step, Decision: decisionWithArmNames(t, events[0]), lastEvent: events[len(events)-1]}
	f.lastDecision = f.Decision
	for _, e := range events[1:] {
		if d := decisionWithArmNames(t, e); d != nil {
			f.groupLabel, f.lastDecision = t.DisplayLabel(e.Step), d
		}
	}
	return f, nil
}

// decisionWithArmNames returns the decision of an event with arms as the document writes them, nil if it is none.
func decisionWithArmNames(t *track.Track, e machine.Event) *machine.Decision {
	d, _ := e.Body.(*machine.Decision)
	return wording.WithArmNames(t.RowOfEvent(e), d)
}

// Destination returns where the run goes on.
func (f *Forecast) Destination() string {
	if _, decides := f.lastEvent.Body.(*machine.Decision); decides {
		return wording.DestinationText(f.lastDecision)
	}
	return wording.PreviewDestinationText(f.lastEvent)
}

// DestinationWithoutReason returns where the run goes on, without a message that repeats the reason of the outcome.
func (f *Forecast) DestinationWithoutReason() string {
	d, decides := f.lastEvent.Body.(*machine.Decision)
	if o := f.Decision.Outcome; decides && o != nil && o.Reason != "" && strings.Contains(d.Destination.Message, o.Reason) {
		return f.DestinationWithoutEndMessage()
	}
	return f.Destination()
}

// DestinationWithoutEndMessage returns where the run goes on, or how it ends, without the
// message that it ends with.
func (f *Forecast) DestinationWithoutEndMessage() string {
	if result := wording.PreviewEndResult(f.lastEvent); result != "" {
		return wording.EndText(result, "")
	}
	return f.Destination()
}

// DestinationRow returns the row of the step where the run goes on, nil if it does not go on to a step.
func (f *Forecast) DestinationRow(t *track.Track) *track.Row { return t.DestinationRow(f.lastEvent) }

// FollowUpTexts returns what follows from the decision, in sentences: the outcome of the outermost step that ends with
// it, and where that leads; that the limit of entries ends the run.
func (f *Forecast) FollowUpTexts() (out []string) {
	if f.groupLabel != "" {
		out = append(out, "then "+wording.GroupDecisionText(f.groupLabel, f.lastDecision))
	}
	if limit := wording.PreviewLimitText(f.lastEvent); limit != "" {
		out = append(out, limit)
	}
	return out
}

// UnchangedDestination returns where the run goes on if nothing is changed: after the decision, and after those of
// the groups and documents that end with it. It returns "" if that is not decided.
func (m DecisionMoment) UnchangedDestination(previewAfter func(seq int) engine.DecisionPreview) string {
	if m.Decision == nil {
		return ""
	}
	last := machine.Event{Step: m.StepLabel, Body: m.Decision}
	seq := m.run.Events[m.eventCountBefore-1].Seq
	if events, err := previewAfter(seq)(machine.WhatIfChange{}); err == nil {
		end := events[len(events)-1]
		// A watcher's preview lacks secrets, so a step is known better from the decision itself.
		if wording.PreviewLimitText(end) != "" || m.Decision.Destination.Kind != machine.ToStep {
			last = end
		}
	}
	if d := decisionWithArmNames(m.trackBefore(), last); d != nil {
		last.Body = d
	}
	return wording.PreviewDestinationText(last)
}
