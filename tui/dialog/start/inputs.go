package start

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/logs"
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
	// Filled has the values of the inputs. What may be left out and was has none.
	Filled struct{ Values map[string]string }
	// Back goes back to what was asked before the inputs.
	Back struct{}
)

// Inputs asks for what a document needs to know before it can run.
type Inputs struct {
	*form.Form
	CanGoBack bool // something was asked before
	fields    []plan.Input
}

// NewInputs returns a form of inputs. Of those that are secret nobody sees what is written.
func NewInputs(fields []plan.Input, secrets []string) *Inputs {
	d := &Inputs{Form: &form.Form{End: "start the run"}, fields: fields}
	for _, in := range fields {
		kind, control := in.Type, form.New(in.Type, in.Default, in.Options)
		hidden := slices.Contains(secrets, in.Name) && form.Hide(control)
		if hidden {
			kind += ", hidden"
		}
		if !in.Required {
			kind += ", optional"
		}
		d.Add(form.Field{
			Name: in.Name, Kind: kind, About: in.Description, Control: control,
			Unfit: func(value string) string { return unfit(in, value, hidden) }, Blank: in.Blank,
		})
	}
	return d
}

// Title says which input is at hand.
func (d *Inputs) Title(run *runview.Run) panes.Title {
	return panes.Title{Left: "Before it runs", Right: run.Look.Wait.Paint("input " + d.Place())}
}

// View is the input at hand.
func (d *Inputs) View(run *runview.Run, w, h int) []string { return d.Form.Lines(run.Look, w, h) }

// Height is that of the input at hand.
func (d *Inputs) Height(run *runview.Run, w int) int { return d.Form.Height(run.Look, w) }

// Tall is true.
func (d *Inputs) Tall(*runview.Run) bool { return true }

// Writing reports whether the input at hand is a text.
func (d *Inputs) Writing() bool { return d.Writes() }

// BlocksRun is true.
func (d *Inputs) BlocksRun() bool { return true }

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
	case keys.Is(k, "close"):
		return dialog.Send(request.FocusPanes{}, request.Say{Text: "Nothing runs before the inputs are given. {answer} to go back to them."})
	case keys.Is(k, "interrupt"):
		return dialog.Unhandled()
	case d.Backs(run.Look, k) && d.First() && d.CanGoBack:
		return dialog.Send(dialog.Close{}, Back{})
	case keys.Is(k, "editor") && form.Written(d.Form) != nil:
		return dialog.Send(request.EditOutside{Text: form.Written(d.Form)})
	}
	sent, used := d.Form.Key(run.Look, k)
	if sent {
		return dialog.Send(dialog.Close{}, Filled{d.values()})
	}
	return nil, used
}

func (d *Inputs) values() map[string]string {
	out := map[string]string{}
	for i, v := range d.Answers() {
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
		problem = logs.Masked(problem, value)
	}
	if problem != "" {
		problem += "."
	}
	return problem
}

// Hints are the keys of the input at hand.
func (d *Inputs) Hints(run *runview.Run) []draw.Hint {
	return append(d.Keys(run.Look, d.CanGoBack || !d.First()), run.Look.Press("close", "look around"))
}
