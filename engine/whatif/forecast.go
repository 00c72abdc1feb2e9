package whatif

import (
	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/wording"
)

// Forecast is what a change leads to: the next decision and, if groups end with it, that of the last one.
type Forecast struct {
	StepLabel string // the label of the step that decides next
	Decision  *machine.Decision

	groupLabel string            // the label of the last group that ends with it, empty: none does
	last       *machine.Decision // the decision after which the run goes on
}

// ForecastOf returns the forecast of a change.
func ForecastOf(preview engine.DecisionPreview, change machine.Change) (Forecast, error) {
	e, err := preview(change)
	if err != nil {
		return Forecast{}, err
	}
	d := e.Body.(*machine.Decision)
	f := Forecast{StepLabel: e.Step, Decision: d, last: d}
	if d.Arrival.Kind == machine.ToGroupRoutes {
		change.ForLastGroup = true
		if e, err := preview(change); err == nil {
			f.groupLabel, f.last = e.Step, e.Body.(*machine.Decision)
		}
	}
	return f, nil
}

// Destination returns where the run goes on.
func (f *Forecast) Destination() string { return wording.DestinationText(f.last) }

// GroupText returns what the group comes to that ends with the decision, and where that leads, "" if none ends.
func (f *Forecast) GroupText() string {
	if f.groupLabel == "" {
		return ""
	}
	return "then " + wording.GroupDecisionText(f.groupLabel, f.last)
}

// ActualDestination returns where the run goes on after the decision, and those of the groups that end with it,
// if nothing is different. It returns "" if that is not decided.
func (m DecisionMoment) ActualDestination(suppose func(seq int) engine.DecisionPreview) string {
	d := m.Decision
	if d == nil {
		return ""
	}
	if d.Arrival.Kind == machine.ToGroupRoutes {
		seq := m.run.Events[m.eventCountBefore-1].Seq
		if e, err := suppose(seq)(machine.Change{ForLastGroup: true}); err == nil {
			d = e.Body.(*machine.Decision)
		}
	}
	return wording.DestinationText(d)
}
