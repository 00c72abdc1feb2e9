package question

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/wording"
	"playhead/tui/draw"
	"playhead/tui/runview"
)

// forecast is where the answers of a dialog lead.
type forecast struct {
	of    *Dialog
	leads map[string]*machine.Decision // by answer
}

// Forecast returns a command that finds out where the answers lead; nil: the question has none to
// choose from by key. suppose is the run after an event. What comes of it goes to all dialogs.
func (d *Dialog) Forecast(run *runview.Run, suppose func(seq int) engine.DecisionPreview) tea.Cmd {
	asks := []string{machine.KindDecide, machine.KindAsk, machine.KindAccept}
	if d.control != nil || !slices.Contains(asks, d.ask.Kind) || len(run.Events) == 0 {
		return nil
	}
	now := run.Events[len(run.Events)-1].Seq
	return func() tea.Msg {
		base, leads := suppose(now), map[string]*machine.Decision{}
		for _, answer := range d.ask.Options {
			if e, err := base(machine.Change{Answer: answer}); err == nil {
				leads[answer] = e.Body.(*machine.Decision)
			}
		}
		return forecast{d, leads}
	}
}

// takeForecast keeps where the answers lead, in words.
func (d *Dialog) takeForecast(run *runview.Run, f forecast) {
	d.leads = map[string]string{}
	for answer, decision := range f.leads {
		to, end := wording.Destination(decision), decision.Arrival
		switch r := run.Track.Row(decision.To); {
		case r != nil && end.Kind == machine.ToStep:
			to = draw.StepName(r)
		case d.reason() != "" && strings.Contains(end.Message, d.reason()): // the question says it
			to = wording.Result(end.Result)
		}
		d.leads[answer] = to
	}
}
