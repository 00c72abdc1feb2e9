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

// Requests of the dialog of inputs.
type (
	// Filled has the values of the inputs that the run was waiting for, and of the others. What may be
	// left out and was has none.
	Filled struct{ Values map[string]string }
	// Changed has the values of the inputs that a person changed before the run begins.
	Changed struct{ Values map[string]string }
	// Back goes back to what was asked before the inputs.
	Back struct{}
)

// Inputs shows the inputs of a document, and asks for those that have no value.
type Inputs struct {
	*form.Form
	title         string
	CanGoBack     bool // something was asked before
	blocksRun     bool // nothing runs before they are given
	fields        []plan.Input
	initialValues []string // the values of the controls before
	submit        func(values map[string]string) []tea.Msg
}

// AskInputs returns the form of inputs before the run, of which some may have no value. Of those that
// are secret nobody sees what is written.
func AskInputs(fields []plan.Input, secrets []string) *Inputs {
	d := newInputs(fields, secrets, "start the run", func(values map[string]string) []tea.Msg {
		return []tea.Msg{Filled{values}}
	})
	d.blocksRun = true
	d.At = firstToFill(d.Fields)
	return d
}

// firstToFill returns the first field that has no value. If all have one, it is the first in which enter
// does not break the line, so that enter starts the run.
func firstToFill(fields []form.Field) int {
	if i := slices.IndexFunc(fields, func(f form.Field) bool { return !f.Skip }); i >= 0 {
		return i
	}
	return max(0, slices.IndexFunc(fields, func(f form.Field) bool {
		_, breaks := f.Control.(*form.Editor)
		return !breaks
	}))
}

// ChangeInputs returns the form of inputs that have their values, to change them before the run begins.
func ChangeInputs(fields []plan.Input) *Inputs {
	return newInputs(fields, nil, "use these values", func(values map[string]string) []tea.Msg {
		return []tea.Msg{Changed{values}, request.Say{Text: "The run will start with these inputs."}}
	})
}

// InputsOf returns the inputs of a run that are no secrets, with the values they have.
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

// ResetInputs returns the form of the inputs of a run that has not entered a step yet.
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

// newInputs returns a form in which enter passes over the inputs that have values.
func newInputs(fields []plan.Input, secrets []string, end string, submit func(map[string]string) []tea.Msg) *Inputs {
	d := &Inputs{Form: &form.Form{End: end}, title: "Before it runs", fields: fields, submit: submit}
	for _, in := range fields {
		control := form.New(in.Type, in.Default, in.Options)
		hidden := slices.Contains(secrets, in.Name) && form.Hide(control)
		began := control.Value()
		d.Add(form.Field{
			Name: in.Name, Kind: kind(in, hidden), About: in.Description, Control: control, Blank: in.Blank,
			Skip: !in.Required || in.Default != "",
			Validate: func(value string) string {
				if value == began && in.Default != "" { // the document may have a default that does not fit
					return ""
				}
				return unfit(in, value, hidden)
			},
		})
		d.initialValues = append(d.initialValues, began)
	}
	return d
}

// kind says which values an input takes.
func kind(in plan.Input, hidden bool) string {
	var out []string
	if words := wording.InputKind(in); words != "" {
		out = append(out, words)
	}
	if hidden {
		out = append(out, "hidden")
	}
	if !in.Required && in.Default == "" {
		out = append(out, "optional")
	}
	return strings.Join(out, ", ")
}

// Title says which input is at hand.
func (d *Inputs) Title(run *runview.Run) panes.Title {
	return panes.Title{Left: d.title, Right: run.Look.Muted.Paint("input " + d.Place())}
}

// View is the input at hand, and the others where there is room.
func (d *Inputs) View(run *runview.Run, w, h int) []string { return d.Overview(run.Look, w, h) }

// Height is that of all inputs.
func (d *Inputs) Height(run *runview.Run, w int) int { return d.OverviewHeight(run.Look, w) }

// MayCoverOutput implements dialog.Dialog.
func (d *Inputs) MayCoverOutput(*runview.Run) bool { return true }

// Writing reports whether the input at hand is a text.
func (d *Inputs) Writing() bool { return d.Writes() }

// BlocksRun reports whether nothing runs before the inputs are given.
func (d *Inputs) BlocksRun() bool { return d.blocksRun }

// Asks is the input at hand.
func (d *Inputs) Asks() any { return d.Control() }

// Update fills the form in.
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

// values are what is filled in. What a person left as it was has the value as it was given.
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

// unfit returns what keeps a text from being an input's value, without the text itself where it is
// hidden.
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

// Hints are the keys of the input at hand.
func (d *Inputs) Hints(run *runview.Run) []draw.Hint {
	closes := "back"
	if d.blocksRun {
		closes = "look around"
	}
	return append(d.Keys(run.Look, d.CanGoBack || !d.First()), run.Look.Press("close", closes))
}
