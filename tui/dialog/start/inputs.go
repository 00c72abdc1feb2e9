package start

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/control"
	"playhead/engine/logs"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/layout"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Requests of the inputs dialog.
type (
	// InputsGiven has the values of the inputs with which the run begins. Optional inputs without a value
	// are not among them.
	InputsGiven struct{ Values map[string]string }
	// InputsChanged has the values of inputs that a person changed before the run.
	InputsChanged struct{ Values map[string]string }
	// BackToReplySource goes back to the question before the inputs.
	BackToReplySource struct{}
)

// InputsDialog shows the inputs of a document, and asks for those that have no value.
type InputsDialog struct {
	dialog.OutputCoverer
	*form.Form
	title         string
	CanGoBack     bool // there was a question before the inputs
	blocksRun     bool // nothing runs before the inputs are given
	inputs        []plan.Input
	initialValues []string // the initial values of the widgets
	onSubmit      func(values map[string]string) []tea.Msg
}

// NewAskInputsDialog returns the form of inputs before the run, some of which may have no value. What is
// typed into a secret input is masked.
func NewAskInputsDialog(fields []plan.Input, secrets []string) *InputsDialog {
	d := newInputsDialog(fields, secrets, "start the run", func(values map[string]string) []tea.Msg {
		return []tea.Msg{InputsGiven{values}}
	})
	d.blocksRun = true
	d.CurrentIndex = firstFieldToFill(d.Fields)
	return d
}

// firstFieldToFill returns the index of the first field without a value. If all have values, it is the first
// field in which enter does not insert a line break, so that enter starts the run.
func firstFieldToFill(fields []form.Field) int {
	if i := slices.IndexFunc(fields, func(f form.Field) bool { return !f.IsSkippedWhenValid }); i >= 0 {
		return i
	}
	return max(0, slices.IndexFunc(fields, func(f form.Field) bool {
		_, breaks := f.Widget.(*form.Editor)
		return !breaks
	}))
}

// newChangeInputsDialog returns the form in which inputs that have values can be changed before the run begins.
func newChangeInputsDialog(fields []plan.Input) *InputsDialog {
	return newInputsDialog(fields, nil, "use these values", func(values map[string]string) []tea.Msg {
		return []tea.Msg{InputsChanged{values}, request.Say{Text: "The run will start with these inputs."}}
	})
}

// CurrentInputs returns the inputs of a run with their values, without secret ones.
func CurrentInputs(run *runview.Run) (out []plan.Input) {
	for _, in := range run.Plan.Inputs {
		i := slices.IndexFunc(run.Track.Variables, func(x track.Variable) bool { return x.Name == in.Name })
		if slices.Contains(run.Track.SecretInputs, in.Name) {
			continue
		}
		if in.Default = ""; i >= 0 {
			in.Default = plan.ValueText(run.Track.Variables[i].Value)
		}
		out = append(out, in)
	}
	return out
}

// NewBegunRunInputsDialog returns the form in which the inputs of a run that has not entered a step yet can be changed.
func NewBegunRunInputsDialog(fields []plan.Input) *InputsDialog {
	return newInputsDialog(fields, nil, "use these values", func(values map[string]string) (out []tea.Msg) {
		for _, in := range fields {
			if value, has := values[in.Name]; has && value != in.Default {
				out = append(out, request.Do{Action: "set", Args: control.Args{Name: in.Name, Text: in.NormalizedText(value)}})
			}
		}
		return out
	})
}

// NewAddedInputsDialog returns the form of the inputs that a changed document requires.
func NewAddedInputsDialog(fields []plan.Input, submit func(map[string]string) []tea.Msg) *InputsDialog {
	d := newInputsDialog(fields, nil, "continue", submit)
	d.title = "New inputs of the changed document"
	return d
}

// newInputsDialog returns a form in which enter skips the inputs that have values. submit gets the entered values by
// input.
func newInputsDialog(fields []plan.Input, secrets []string, submitText string, submit func(map[string]string) []tea.Msg) *InputsDialog {
	d := &InputsDialog{Form: &form.Form{SubmitText: submitText}, title: "Inputs of this run", inputs: fields, onSubmit: submit}
	for _, in := range fields {
		widget := inputWidget(in)
		hidden := slices.Contains(secrets, in.Name) && form.Mask(widget)
		initial := widget.Value()
		d.AddField(form.Field{
			Name: in.Name, TypeText: acceptedValuesText(in, widget, hidden), EmptyText: emptyText(in), Description: in.Description, Widget: widget, AllowsEmpty: in.AllowsEmpty,
			IsSkippedWhenValid: !in.Required || in.Default != "",
			Validate: func(value string) string {
				if value == initial && in.Default != "" { // the default of the document may be invalid
					return ""
				}
				return inputProblem(in, value, hidden)
			},
		})
		d.initialValues = append(d.initialValues, initial)
	}
	return d
}

// acceptedValuesText returns a description of the values that an input takes, unless its widget shows them.
func acceptedValuesText(in plan.Input, widget form.Widget, hidden bool) string {
	var out []string
	switch widget.(type) {
	case *form.Picker, *form.Toggle:
	default:
		if values := wording.AcceptedValues(in); values != "" {
			out = append(out, values)
		}
	}
	if hidden {
		out = append(out, "hidden")
	}
	return strings.Join(out, ", ")
}

// emptyText returns whether an input without a default needs a value.
func emptyText(in plan.Input) string {
	switch {
	case in.Default != "":
		return ""
	case in.Required:
		return "required"
	}
	return "optional"
}

// Title returns the position of the current input.
func (d *InputsDialog) Title(run *runview.Run) layout.PaneTitle {
	return layout.PaneTitle{Left: d.title, Right: run.DrawContext.Muted.Paint("input " + d.PositionText())}
}

// inputWidget returns the widget of an input. Where the document lists the values, an optional input without a value begins
// without a choice: otherwise it would get a value that nobody chose.
func inputWidget(in plan.Input) form.Widget {
	switch {
	case in.Required || in.Default != "" || !in.HasFixedValues():
		return form.NewWidget(in.Type, in.Default, in.Options)
	case in.Type == "boolean":
		return form.NewUnchosenPicker([]string{"true", "false"})
	}
	return form.NewUnchosenPicker(in.Options)
}

// View returns the current input, and the others if they fit.
func (d *InputsDialog) View(run *runview.Run, w, h int) []string {
	return d.Lines(run.DrawContext, w, h)
}

// WantedHeight implements dialog.Dialog.
func (d *InputsDialog) WantedHeight(run *runview.Run, w int) int {
	return d.Form.Height(run.DrawContext, w)
}

// IsEnteringText implements dialog.TextEntry.
func (d *InputsDialog) IsEnteringText() bool { return d.TakesText() }

// BlocksRun implements dialog.RunBlocker.
func (d *InputsDialog) BlocksRun() bool { return d.blocksRun }

// HasUnsentText reports whether a person has changed a value that is not sent.
func (d *InputsDialog) HasUnsentText() bool { return !slices.Equal(d.Answers(), d.initialValues) }

// CurrentQuestion returns the widget of the current input.
func (d *InputsDialog) CurrentQuestion() any { return d.CurrentWidget() }

// Update fills in the form.
func (d *InputsDialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	return dialog.UpdateText(run, msg, d.Form.Paste, d.handleKey)
}

func (d *InputsDialog) handleKey(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	switch keys := run.DrawContext.Keys; {
	case keys.IsKeyOf(k, "close") && !d.blocksRun:
		return dialog.Handled(dialog.Close{})
	case keys.IsKeyOf(k, "close"):
		return dialog.Handled(request.FocusPanes{}, request.Say{Text: "Nothing runs until you give the inputs. {answer} to go back to them."})
	case keys.IsKeyOf(k, "interrupt"):
		return dialog.Unhandled()
	case d.IsBackKey(run.DrawContext, k) && d.IsAtFirst() && d.CanGoBack:
		return dialog.Handled(dialog.Close{}, BackToReplySource{})
	case keys.IsKeyOf(k, "editor") && form.EditableTextOf(d.Form) != nil:
		return dialog.Handled(request.EditInEditor{Text: form.EditableTextOf(d.Form)})
	}
	sent, used := d.Form.HandleKey(run.DrawContext, k)
	if sent {
		return dialog.Handled(append([]tea.Msg{dialog.Close{}}, d.onSubmit(d.enteredValues())...)...)
	}
	return nil, used
}

// enteredValues returns what was entered, by input. An input that the person did not change keeps its exact
// default.
func (d *InputsDialog) enteredValues() map[string]string {
	out := map[string]string{}
	for i, v := range d.Answers() {
		if v == d.initialValues[i] && d.inputs[i].Default != "" {
			v = d.inputs[i].Default
		}
		if v != "" || d.inputs[i].AllowsEmpty {
			out[d.inputs[i].Name] = v
		}
	}
	return out
}

// inputProblem returns why a text is not a valid value of an input, "" if it is. It masks a hidden text.
func inputProblem(in plan.Input, value string, hidden bool) string {
	switch {
	case strings.TrimSpace(value) == "" && in.Required && !in.AllowsEmpty:
		return "This input is required."
	case value == "":
		return ""
	}
	problem := in.ValueProblem(value)
	if hidden {
		problem = logs.MaskText(problem, value)
	}
	if problem != "" {
		problem += "."
	}
	return problem
}

// Hints returns the keys of the current input.
func (d *InputsDialog) Hints(run *runview.Run) []draw.Hint {
	closeHint := run.DrawContext.ActionHint("close", "back")
	if d.blocksRun {
		closeHint = run.DrawContext.LookAroundHint()
	}
	return append(d.HintsWithBack(run.DrawContext, d.CanGoBack || !d.IsAtFirst()), closeHint)
}
