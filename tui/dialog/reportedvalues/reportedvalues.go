// Package reportedvalues asks a person who passes a step whether to change the values that the step
// reported.
package reportedvalues

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/layout"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Dialog is a form with the reported values.
type Dialog struct {
	dialog.OutputCoverer
	*form.Form
	name           string
	reportedValues []plan.Assignment
	initialValues  []string // the initial values of the widgets
	attempt        runview.Attempt
	onSubmit       func(run *runview.Run, changedValues []plan.Assignment) []tea.Msg
}

// New returns the dialog. It passes the values to done only if the run is still at the same attempt.
func New(run *runview.Run, name string, done func(run *runview.Run, changedValues []plan.Assignment) []tea.Msg) *Dialog {
	d := &Dialog{name: name, reportedValues: run.Status.PendingValues, Form: &form.Form{SubmitText: "use these"}, attempt: run.CurrentAttempt(), onSubmit: done}
	for _, a := range d.reportedValues {
		f := form.Field{Name: a.Name, Widget: newWidget(a.Value)}
		if _, mixed := f.Widget.(*form.TextOrJSON); mixed {
			f.Validate = form.JSONProblem
		}
		d.AddField(f)
		d.initialValues = append(d.initialValues, f.Widget.Value())
	}
	return d
}

// newWidget returns an editor or a line for a reported value.
func newWidget(value any) form.Widget {
	text, is := value.(string)
	if strings.Contains(text, "\n") {
		return form.NewEditor(text)
	}
	return &form.TextOrJSON{TextField: form.TextField{Text: plan.ValueText(value)}, IsJSON: !is}
}

// changedValues returns the values that the person changed, nil if none.
func (d *Dialog) changedValues() (out []plan.Assignment) {
	for i, text := range d.Answers() {
		if text == d.initialValues[i] {
			continue
		}
		var value any = text
		if d.Fields[i].Validate != nil {
			value, _ = plan.ValueFromJSON(text)
		}
		out = append(out, plan.Assignment{Name: d.reportedValues[i].Name, Value: value})
	}
	return out
}

// Title returns the name of the dialog, and the number of values.
func (d *Dialog) Title(run *runview.Run) layout.PaneTitle {
	return layout.PaneTitle{Left: d.name, Right: run.DrawContext.Muted.Paint(plan.CountText(len(d.Fields), "value") + " reported")}
}

// IsAboutOutput implements dialog.AboutOutput: the values come from the report above.
func (d *Dialog) IsAboutOutput() bool { return true }

// IsEnteringText implements dialog.TextEntry.
func (d *Dialog) IsEnteringText() bool { return d.TakesText() }

// IsEnteringLine implements dialog.LineEntry.
func (d *Dialog) IsEnteringLine() bool { return d.CurrentEditor() == nil }

// WantedHeight implements dialog.Dialog.
func (d *Dialog) WantedHeight(run *runview.Run, w int) int { return d.Form.Height(run.DrawContext, w) }

// View returns all values, one line each, with the current one open. If they do not fit, it returns only
// the current one.
func (d *Dialog) View(run *runview.Run, w, h int) []string { return d.Lines(run.DrawContext, w, h) }

// Update edits the values, and confirms all of them at once.
func (d *Dialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	return dialog.UpdateText(run, msg, d.Form.Paste, d.handleKey)
}

// handleKey moves between the values, changes the current one, or confirms all.
func (d *Dialog) handleKey(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	keys, line := run.DrawContext.Keys, d.CurrentEditor() == nil
	switch {
	case keys.IsKeyOf(k, "close"):
		return dialog.Handled(dialog.Close{})
	case keys.IsKeyOf(k, "interrupt"):
		return dialog.Unhandled()
	case keys.IsKeyOf(k, "editor") && !line:
		return dialog.Handled(request.EditInEditor{Text: d.CurrentEditor()})
	case keys.IsKeyOf(k, "next-field"), k.Text == "" && keys.IsKeyOf(k, "down") && line:
		d.moveToField(1)
		return dialog.Handled()
	case keys.IsKeyOf(k, "previous-field"), k.Text == "" && keys.IsKeyOf(k, "up") && line:
		d.moveToField(-1)
		return dialog.Handled()
	}
	if sent, used := d.CurrentWidget().HandleKey(run.DrawContext, k); !sent {
		d.RejectionReason = ""
		return nil, used || d.TakesText()
	}
	if !d.validateAll() {
		return dialog.Handled()
	}
	if why := d.attempt.MovedPastText(&run.RunView); why != "" {
		return dialog.Handled(dialog.Close{}, request.Say{Text: why})
	}
	return dialog.Handled(append([]tea.Msg{dialog.Close{}}, d.onSubmit(run, d.changedValues())...)...)
}

// moveToField goes to the next or previous value, and around the ends.
func (d *Dialog) moveToField(by int) {
	d.RejectionReason, d.CurrentIndex = "", (d.CurrentIndex+by+len(d.Fields))%len(d.Fields)
}

// validateAll reports whether all values are valid. If not, the first invalid one becomes the current one.
func (d *Dialog) validateAll() bool {
	for i, f := range d.Fields {
		if problem := f.ValueProblem(false); problem != "" {
			d.CurrentIndex, d.RejectionReason = i, problem
			return false
		}
	}
	return true
}

// Hints returns the keys of the current value.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	dc, sends := run.DrawContext, "accept"
	if d.CurrentEditor() != nil {
		sends = "send"
	}
	out := []draw.Hint{dc.ActionHint(sends, d.SubmitText)}
	if len(d.Fields) > 1 {
		out = append(out, dc.ActionHint("next-field", "next value"))
	}
	for _, h := range d.CurrentWidget().Hints(dc) {
		if h.Key != out[0].Key {
			out = append(out, h)
		}
	}
	return append(out, dc.ActionHint("close", "back"))
}
