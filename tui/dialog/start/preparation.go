package start

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog"
	"playhead/tui/dialog/choose"
)

// Choices are what a person said before the run.
type Choices struct {
	Prompted bool              // nothing is executed, and a person decides
	Step     bool              // the run pauses before its next step
	Inputs   map[string]string // by name
	Source   string            // of replies; empty: nobody was asked
}

// Begin is the request to begin the run.
type Begin struct{ Choices Choices }

// Preparation asks what a run needs to know before it begins, one dialog after the other: where
// replies come from, then the inputs. The dialogs keep what was written when a person goes back.
type Preparation struct {
	source  *choose.Dialog
	inputs  *Inputs
	choices Choices
}

// NewPreparation returns the dialogs of a run; nil: what one asks is not asked.
func NewPreparation(source *choose.Dialog, inputs *Inputs) *Preparation {
	if inputs != nil {
		inputs.CanGoBack = source != nil
	}
	return &Preparation{source: source, inputs: inputs}
}

// Start opens the first dialog, given how the run is to be executed. With none the run begins.
func (p *Preparation) Start(c Choices) []tea.Msg {
	p.choices.Prompted, p.choices.Step = c.Prompted, c.Step
	if p.source == nil {
		return p.askInputs()
	}
	return []tea.Msg{dialog.Open{Dialog: p.source}}
}

// Take takes what one of its dialogs requests, and opens the next one or begins the run.
func (p *Preparation) Take(r tea.Msg) []tea.Msg {
	switch r := r.(type) {
	case choose.FirstSource:
		p.choices.Source = r.Name
		return p.askInputs()
	case Back:
		return []tea.Msg{dialog.Open{Dialog: p.source}}
	case Filled:
		p.choices.Inputs = r.Values
	}
	return []tea.Msg{Begin{p.choices}}
}

func (p *Preparation) askInputs() []tea.Msg {
	if p.inputs == nil {
		return []tea.Msg{Begin{p.choices}}
	}
	return []tea.Msg{dialog.Open{Dialog: p.inputs}}
}
