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
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Requests of the inputs dialog.
type (
	// Filled has the values of the inputs with which the run begins. Optional inputs without a value are not
	// among them.
	Filled struct{ Values map[string]string }
	// Changed has the values of inputs that a person changed before the run.
	Changed struct{ Values map[string]string }
	// Back goes back to the question before the inputs.
	Back struct{}
)

// Inputs shows the inputs of a document, and asks for those that have no value.
type Inputs struct {
	*form.Form
	title         string
	CanGoBack     bool // there was a question before the inputs
	blocksRun     bool // nothing runs before the inputs are given
	fields        []plan.Input
	initialValues []string // the initial values of the controls
	submit        func(values map[string]string) []tea.Msg
}

// AskInputs returns the form of inputs before the run, some of which may have no value. What is typed into
// a secret input is masked.
func AskInputs(fields []plan.Input, secrets []string) *Inputs {
	d := newInputs(fields, secrets, "start the run", func(values map[string]string) []tea.Msg {
		return []tea.Msg{Filled{values}}
	})
	d.blocksRun = true
	d.At = firstToFill(d.Fields)
	return d
}

// firstToFill returns the index of the first field without a value. If all have values, it is the first
// field in which enter does not insert a line break, so that enter starts the run.
func firstToFill(fields []form.Field) int {
	if i := slices.IndexFunc(fields, func(f form.Field) bool { return !f.Skip }); i >= 0 {
		return i
	}
	return max(0, slices.IndexFunc(fields, func(f form.Field) bool {
		_, breaks := f.Control.(*form.Editor)
		return !breaks
	}))
}

// ChangeInputs returns the form in which inputs that have values can be changed before the run begins.
func ChangeInputs(fields []plan.Input) *Inputs {
	return newInputs(fields, nil, "use these values", func(values map[string]string) []tea.Msg {
		return []tea.Msg{Changed{values}, request.Say{Text: "The run will start with these inputs."}}
	})
}

// InputsOf returns the inputs of a run with their values, without secret ones.
func InputsOf(run *runview.Run) (out []plan.Input) {
	for _, in := range run.Plan.Inputs {
		i := slices.IndexFunc(run.Track.Vars, func(x track.Var) bool { return x.Name == in.Name })
		if slices.Contains(run.Track.Secrets, in.Name) {
			continue
		}
		if in.Default = ""; i >= 0 {
			in.Default = plan.TextOf(run.Track.Vars[i].Value)
		}
		out = append(out, in)
	}
	return out
}

// ResetInputs returns the form of inputs for a run that has not entered a step yet.
func ResetInputs(fields []plan.Input) *Inputs {
	return newInputs(fields, nil, "use these values", func(values map[string]string) (out []tea.Msg) {
		for _, in := range fields {
			if value, has := values[in.Name]; has && value != in.Default {
				out = append(out, request.Do{Action: "set", Args: control.Args{Name: in.Name, Text: in.Text(value)}})
			}
		}
		return out
	})
}

// AskNewInputs returns the form of the inputs that a changed document requires.
func AskNewInputs(fields []plan.Input, submit func(map[string]string) []tea.Msg) *Inputs {
	d := newInputs(fields, nil, "continue", submit)
	d.title = "New inputs of the changed document"
	return d
}

// newInputs returns a form in which enter skips the inputs that have values.
func newInputs(fields []plan.Input, secrets []string, end string, submit func(map[string]string) []tea.Msg) *Inputs {
	d := &Inputs{Form: &form.Form{End: end}, title: "Before it runs", fields: fields, submit: submit}
	for _, in := range fields {
		control := form.New(in.Type, in.Default, in.Options)
		hidden := slices.Contains(secrets, in.Name) && form.Hide(control)
		began := control.Value()
		d.Add(form.Field{
			Name: in.Name, Kind: kind(in, control, hidden), About: in.Description, Control: control, Blank: in.Blank,
			Skip: !in.Required || in.Default != "",
			Validate: func(value string) string {
				if value == began && in.Default != "" { // the default of the document may be invalid
					return ""
				}
				return unfit(in, value, hidden)
			},
		})
		d.initialValues = append(d.initialValues, began)
	}
	return d
}

// kind returns a description of the values that an input takes, unless its widget lists them.
func kind(in plan.Input, widget form.Widget, hidden bool) string {
	var out []string
	if _, lists := widget.(*form.Picker); !lists && wording.InputKind(in) != "" {
		out = append(out, wording.InputKind(in))
	}
	if hidden {
		out = append(out, "hidden")
	}
	switch {
	case in.Default != "":
	case in.Required:
		out = append(out, "required")
	default:
		out = append(out, "optional")
	}
	return strings.Join(out, ", ")
}

// Title returns the position of the current input.
func (d *Inputs) Title(run *runview.Run) panes.Title {
	return panes.Title{Left: d.title, Right: run.Look.Muted.Paint("input " + d.Place())}
}

// View returns the current input, and the others if they fit.
func (d *Inputs) View(run *runview.Run, w, h int) []string { return d.Lines(run.Look, w, h) }

// Height implements dialog.Dialog.
func (d *Inputs) Height(run *runview.Run, w int) int { return d.Form.Height(run.Look, w) }

// MayCoverOutput implements dialog.Dialog.
func (d *Inputs) MayCoverOutput(*runview.Run) bool { return true }

// Writing implements dialog.Writer.
func (d *Inputs) Writing() bool { return d.Writes() }

// BlocksRun implements dialog.Blocker.
func (d *Inputs) BlocksRun() bool { return d.blocksRun }

// Asks returns the widget of the current input.
func (d *Inputs) Asks() any { return d.Control() }

// Update fills in the form.
func (d *Inputs) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		d.Form.Paste(run.Look, msg.Content)
		return dialog.Send()
	case tea.KeyPressMsg:
		return d.key(run, msg)
	}
	return dialog.Unhandled()
}

func (d *Inputs) key(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	switch keys := run.Look.Keys; {
	case keys.Is(k, "close") && !d.blocksRun:
		return dialog.Send(dialog.Close{})
	case keys.Is(k, "close"):
		return dialog.Send(request.FocusPanes{}, request.Say{Text: "Nothing runs before the inputs are given. {answer} to go back to them."})
	case keys.Is(k, "interrupt"):
		return dialog.Unhandled()
	case d.IsBackKey(run.Look, k) && d.First() && d.CanGoBack:
		return dialog.Send(dialog.Close{}, Back{})
	case keys.Is(k, "editor") && form.Written(d.Form) != nil:
		return dialog.Send(request.EditOutside{Text: form.Written(d.Form)})
	}
	sent, used := d.Form.Key(run.Look, k)
	if sent {
		return dialog.Send(append([]tea.Msg{dialog.Close{}}, d.submit(d.values())...)...)
	}
	return nil, used
}

// values returns the entered values. An input that the person did not change keeps its exact default.
func (d *Inputs) values() map[string]string {
	out := map[string]string{}
	for i, v := range d.Answers() {
		if v == d.initialValues[i] && d.fields[i].Default != "" {
			v = d.fields[i].Default
		}
		if v != "" || d.fields[i].Blank {
			out[d.fields[i].Name] = v
		}
	}
	return out
}

// unfit returns why a text is not a valid value of an input, "" if it is. It leaves out a hidden text.
func unfit(in plan.Input, value string, hidden bool) string {
	switch {
	case strings.TrimSpace(value) == "" && in.Required && !in.Blank:
		return "This input is required."
	case value == "":
		return ""
	}
	problem := in.Problem(value)
	if hidden {
		problem = logs.MaskText(problem, value)
	}
	if problem != "" {
		problem += "."
	}
	return problem
}

// Hints returns the keys of the current input.
func (d *Inputs) Hints(run *runview.Run) []draw.Hint {
	closes := "back"
	if d.blocksRun {
		closes = "look around"
	}
	return append(d.HintsWithBack(run.Look, d.CanGoBack || !d.First()), run.Look.Press("close", closes))
}
