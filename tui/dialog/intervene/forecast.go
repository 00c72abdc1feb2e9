package intervene

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/parse/plan"
	"playhead/tui/decision"
	"playhead/tui/runview"
)

// OverrideForecast has where a paused run goes if a person overrides an outcome: that of the next step, or of the
// step before the pause.
type OverrideForecast struct {
	seq          int // of the last event before the pause; 0: none
	lastEvents   map[machine.WhatIfChange]machine.Event
	destinations map[machine.WhatIfChange]string
}

// ForecastMade is the message with a forecast.
type ForecastMade struct{ forecast OverrideForecast }

// Request returns a command that makes the forecast for a pause, nil if there is no pause or the forecast is made.
func (f *OverrideForecast) Request(run *runview.Run, suppose Previewer) tea.Cmd {
	if run.Status.State != engine.Paused || len(run.Events) == 0 || run.IsReplay || run.WatchOnlyReason != "" {
		return nil
	}
	now := run.Events[len(run.Events)-1].Seq
	if now == f.seq {
		return nil
	}
	*f = OverrideForecast{seq: now}
	return func() tea.Msg { // it folds the whole run
		preview, lastEvents := suppose(now), map[machine.WhatIfChange]machine.Event{}
		for _, result := range []plan.Result{plan.Passed, plan.Failed} {
			for _, enters := range []bool{false, true} {
				change := machine.WhatIfChange{Result: result, IsOfNextStep: enters}
				if events, err := preview(change); err == nil {
					lastEvents[change] = events[len(events)-1]
				}
			}
		}
		return ForecastMade{OverrideForecast{seq: now, lastEvents: lastEvents}}
	}
}

// Store keeps a forecast, unless the run has gone on since it was requested.
func (f *OverrideForecast) Store(run *runview.Run, msg ForecastMade) {
	if msg.forecast.seq != f.seq {
		return
	}
	f.destinations = map[machine.WhatIfChange]string{}
	for change, last := range msg.forecast.lastEvents {
		_, f.destinations[change] = decision.Destination(run.Track, last)
	}
}

// Destination returns where an outcome of the step on which the keys act leads, "" if that is unknown.
func (f *OverrideForecast) Destination(run *runview.Run, result plan.Result) string {
	if len(run.Events) == 0 || run.Events[len(run.Events)-1].Seq != f.seq || run.Status.State != engine.Paused {
		return ""
	}
	return f.destinations[machine.WhatIfChange{Result: result, IsOfNextStep: run.IsPausedBeforeStep() && !run.IsStepBeforePauseSelected()}]
}
