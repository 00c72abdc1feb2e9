package start

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/dialog/choose"
)

// Choices are what a person said before the run.
type Choices struct {
	Prompted bool              // nothing is executed, and a person decides
	Step     bool              // the run pauses before its next step
	Inputs   map[string]string // by name, without those that were left out; nil: they are as they were given
	Source   string            // of replies; empty: nobody was asked
}

// Begin is the request to begin the run. Checked says that what it needs has been checked.
type Begin struct {
	Choices Choices
	Checked bool
}

// Preparation asks what a run needs to know before it begins, one dialog after the other: where
// replies come from, then the inputs. The dialogs keep what was written when a person goes back.
type Preparation struct {
	source       *choose.Dialog
	inputs       *Inputs
	choices      Choices
	presetInputs []plan.Input // that have their values, where the inputs are not asked for
}

// NewPreparation returns the dialogs of a run; nil: what one asks is not asked. A person can change
// the inputs that are given.
func NewPreparation(source *choose.Dialog, inputs *Inputs, given []plan.Input) *Preparation {
	if inputs != nil {
		inputs.CanGoBack = source != nil
	}
	return &Preparation{source: source, inputs: inputs, presetInputs: slices.Clone(given)}
}

// CannotChange returns why there are no inputs to change, empty if there are.
func (p *Preparation) CannotChange() string {
	switch {
	case p.inputs != nil:
		return "You are asked for the inputs before the run starts."
	case len(p.presetInputs) == 0:
		return "This document has no inputs that can be changed here."
	}
	return ""
}

// PresetInputs returns the inputs that have their values and can be changed.
func (p *Preparation) PresetInputs() []plan.Input {
	if p.inputs != nil {
		return nil
	}
	return p.presetInputs
}

// Change opens the form of the inputs that have their values.
func (p *Preparation) Change() []tea.Msg {
	return []tea.Msg{dialog.Open{Dialog: ChangeInputs(p.presetInputs)}}
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
	case Changed:
		p.choices.Inputs = r.Values
		for i := range p.presetInputs {
			p.presetInputs[i].Default = r.Values[p.presetInputs[i].Name]
		}
		return nil
	case Filled:
		p.choices.Inputs = r.Values
	}
	return []tea.Msg{Begin{Choices: p.choices}}
}

func (p *Preparation) askInputs() []tea.Msg {
	if p.inputs == nil {
		return []tea.Msg{Begin{Choices: p.choices}}
	}
	return []tea.Msg{dialog.Open{Dialog: p.inputs}}
}
