package start

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/dialog/choose"
)

// Choices are a person's answers before the run.
type Choices struct {
	ExecutesNothing bool              // nothing is executed; a person decides instead
	PauseFirst      bool              // the run pauses before its next step
	InputValues     map[string]string // values by name, without omitted inputs; nil: the given values
	ReplySourceName string            // the reply source; "": nobody was asked
	Breakpoints     []engine.Breakpoint
}

// BeginRun is the request to begin the run. NeedsChecked is true if the run's needs have been checked.
type BeginRun struct {
	Choices         Choices
	AreNeedsChecked bool
}

// Preparation asks what a run needs before it begins, in one dialog after the other: the reply source, then
// the inputs. When a person goes back, the dialogs keep what was entered.
type Preparation struct {
	replySourceDialog *choose.Dialog
	inputsDialog      *InputsDialog
	choices           Choices
	presetInputs      []plan.Input // the inputs with their values, if the person is not asked for inputs
}

// NewPreparation returns the dialogs before a run. source and inputs may be nil, which skips that question.
// presetInputs are the inputs that have values and can be changed.
func NewPreparation(source *choose.Dialog, inputs *InputsDialog, presetInputs []plan.Input) *Preparation {
	if inputs != nil {
		inputs.CanGoBack = source != nil
	}
	return &Preparation{replySourceDialog: source, inputsDialog: inputs, presetInputs: slices.Clone(presetInputs)}
}

// NoInputsReason says why the inputs of a document cannot be changed.
const NoInputsReason = "This document has no inputs that can be changed here."

// InputsUnavailableReason returns why no inputs can be changed, "" if some can.
func (p *Preparation) InputsUnavailableReason() string {
	switch {
	case p.inputsDialog != nil:
		return "You will be asked for the inputs before the run starts."
	case len(p.presetInputs) == 0:
		return NoInputsReason
	}
	return ""
}

// PresetInputs returns the inputs that have values and can be changed.
func (p *Preparation) PresetInputs() []plan.Input {
	if p.inputsDialog != nil {
		return nil
	}
	return p.presetInputs
}

// OpenChangeInputsDialog opens the form to change these inputs.
func (p *Preparation) OpenChangeInputsDialog() []tea.Msg {
	return []tea.Msg{dialog.Open{Dialog: newChangeInputsDialog(p.presetInputs)}}
}

// Start stores the choices that were made before, and opens the first dialog. Without a dialog it begins
// the run.
func (p *Preparation) Start(c Choices) []tea.Msg {
	p.choices.ExecutesNothing, p.choices.PauseFirst = c.ExecutesNothing, c.PauseFirst
	if p.replySourceDialog == nil {
		return p.askInputs()
	}
	return []tea.Msg{dialog.Open{Dialog: p.replySourceDialog}}
}

// HandleAnswer takes the answer of a dialog, and opens the next dialog or begins the run.
func (p *Preparation) HandleAnswer(r tea.Msg) []tea.Msg {
	switch r := r.(type) {
	case choose.FirstReplySourceChosen:
		p.choices.ReplySourceName = r.Name
		return p.askInputs()
	case BackToReplySource:
		return []tea.Msg{dialog.Open{Dialog: p.replySourceDialog}}
	case InputsChanged:
		p.choices.InputValues = r.Values
		for i := range p.presetInputs {
			p.presetInputs[i].Default = r.Values[p.presetInputs[i].Name]
		}
		return nil
	case InputsGiven:
		p.choices.InputValues = r.Values
	}
	return []tea.Msg{BeginRun{Choices: p.choices}}
}

func (p *Preparation) askInputs() []tea.Msg {
	if p.inputsDialog == nil {
		return []tea.Msg{BeginRun{Choices: p.choices}}
	}
	return []tea.Msg{dialog.Open{Dialog: p.inputsDialog}}
}
