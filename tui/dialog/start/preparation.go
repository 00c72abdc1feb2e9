package start

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/dialog/choose"
)

// Choices are a person's answers before the run.
type Choices struct {
	Prompted bool              // nothing is executed; a person decides instead
	Step     bool              // the run pauses before its next step
	Inputs   map[string]string // values by name, without omitted inputs; nil: the given values
	Source   string            // the reply source; "": nobody was asked
}

// Begin is the request to begin the run. Checked says that the run's needs have been checked.
type Begin struct {
	Choices Choices
	Checked bool
}

// Preparation asks what a run needs before it begins, in one dialog after the other: the reply source, then
// the inputs. When a person goes back, the dialogs keep what was entered.
type Preparation struct {
	source       *choose.Dialog
	inputs       *Inputs
	choices      Choices
	presetInputs []plan.Input // the inputs with their values, if the person is not asked for inputs
}

// NewPreparation returns the dialogs before a run. source and inputs may be nil, which skips that question.
// given are the inputs that have values and can be changed.
func NewPreparation(source *choose.Dialog, inputs *Inputs, given []plan.Input) *Preparation {
	if inputs != nil {
		inputs.CanGoBack = source != nil
	}
	return &Preparation{source: source, inputs: inputs, presetInputs: slices.Clone(given)}
}

// CannotChange returns why no inputs can be changed, "" if some can.
func (p *Preparation) CannotChange() string {
	switch {
	case p.inputs != nil:
		return "You are asked for the inputs before the run starts."
	case len(p.presetInputs) == 0:
		return "This document has no inputs that can be changed here."
	}
	return ""
}

// PresetInputs returns the inputs that have values and can be changed.
func (p *Preparation) PresetInputs() []plan.Input {
	if p.inputs != nil {
		return nil
	}
	return p.presetInputs
}

// Change opens the form to change these inputs.
func (p *Preparation) Change() []tea.Msg {
	return []tea.Msg{dialog.Open{Dialog: ChangeInputs(p.presetInputs)}}
}

// Start takes the first choices and opens the first dialog. Without a dialog it begins the run.
func (p *Preparation) Start(c Choices) []tea.Msg {
	p.choices.Prompted, p.choices.Step = c.Prompted, c.Step
	if p.source == nil {
		return p.askInputs()
	}
	return []tea.Msg{dialog.Open{Dialog: p.source}}
}

// Take takes the answer of a dialog, and opens the next dialog or begins the run.
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
