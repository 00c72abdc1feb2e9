package question

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/runview"
)

// forecast is where the answers of a dialog lead.
type forecast struct {
	of    *Dialog
	leads map[plan.Result]*machine.Decision
}

// resultOf is what the answers that decide a step make of it.
var resultOf = map[string]plan.Result{"yes": plan.Passed, "pass": plan.Passed, "no": plan.Failed, "fail": plan.Failed}

// Forecast returns a command that finds out where the answers lead; nil: the question is not about a
// step's outcome. suppose is the run after an event. What comes of it goes to all dialogs.
func (d *Dialog) Forecast(run *runview.Run, suppose func(seq int) engine.DecisionPreview) tea.Cmd {
	if d.ask.Kind != machine.KindDecide || len(run.Events) == 0 {
		return nil
	}
	now := run.Events[len(run.Events)-1].Seq
	return func() tea.Msg {
		base, leads := suppose(now), map[plan.Result]*machine.Decision{}
		for _, r := range []plan.Result{plan.Passed, plan.Failed} {
			if e, err := base(machine.Change{Result: r}); err == nil {
				leads[r] = e.Body.(*machine.Decision)
			}
		}
		return forecast{d, leads}
	}
}

// takeForecast keeps where the answers lead, in words.
func (d *Dialog) takeForecast(run *runview.Run, f forecast) {
	d.leads = map[plan.Result]string{}
	for result, decision := range f.leads {
		to := wording.Destination(decision)
		if r := run.Track.Row(decision.To); r != nil && decision.Arrival.Kind == machine.ToStep {
			to = draw.StepName(r)
		}
		d.leads[result] = to
	}
}
