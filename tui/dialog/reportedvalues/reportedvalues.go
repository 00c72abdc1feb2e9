// Package reportedvalues asks a person who passes a step whether to change the values that the step
// reported.
package reportedvalues

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Dialog is a form with the reported values.
type Dialog struct {
	*form.Form
	name     string
	reported []plan.Assignment
	began    []string // the initial values of the controls
	at       runview.Visit
	submit   func(run *runview.Run, changedValues []plan.Assignment) []tea.Msg
}

// New returns the dialog. It passes the values to done only if the run is still at the same visit.
func New(run *runview.Run, name string, done func(run *runview.Run, changedValues []plan.Assignment) []tea.Msg) *Dialog {
	d := &Dialog{name: name, reported: run.Status.PendingValues, Form: &form.Form{End: "use these values"}, at: run.CurrentVisit(), submit: done}
	for _, a := range d.reported {
		f := form.Field{Name: a.Name, Control: widget(a.Value)}
		if _, mixed := f.Control.(*form.TextOrJSON); mixed {
			f.Validate = form.JSONProblem
		}
		d.Add(f)
		d.began = append(d.began, f.Control.Value())
	}
	return d
}

// widget returns a widget for a reported value.
func widget(value any) form.Widget {
	text, is := value.(string)
	if strings.Contains(text, "\n") {
		return form.NewEditor(text)
	}
	return &form.TextOrJSON{OneLine: form.OneLine{Text: plan.TextOf(value)}, JSON: !is}
}

// changedValues returns the values that the person changed, nil if none.
func (d *Dialog) changedValues() (out []plan.Assignment) {
	for i, text := range d.Answers() {
		if text == d.began[i] {
			continue
		}
		var value any = text
		if d.Fields[i].Validate != nil {
			value, _ = plan.FromJSON(text)
		}
		out = append(out, plan.Assignment{Name: d.reported[i].Name, Value: value})
	}
	return out
}

// Title returns the name of the dialog, and the number of values.
func (d *Dialog) Title(run *runview.Run) panes.Title {
	return panes.Title{Left: d.name, Right: run.Look.Muted.Paint(wording.Count(len(d.Fields), "value") + " reported")}
}

// MayCoverOutput implements dialog.Dialog.
func (d *Dialog) MayCoverOutput(*runview.Run) bool { return true }

// Writing implements dialog.Writer.
func (d *Dialog) Writing() bool { return d.Writes() }

// Height implements dialog.Dialog.
func (d *Dialog) Height(run *runview.Run, w int) int { return d.Form.Height(run.Look, w) }

// View returns all values, one line each, with the current one open. If they do not fit, it returns only
// the current one.
func (d *Dialog) View(run *runview.Run, w, h int) []string { return d.Lines(run.Look, w, h) }

// Update edits the values, and confirms all of them at once.
func (d *Dialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		d.Form.Paste(run.Look, msg.Content)
		return dialog.Send()
	case tea.KeyPressMsg:
		return d.key(run, msg)
	}
	return dialog.Unhandled()
}

// key handles a key. The keys for fields move between the values.
func (d *Dialog) key(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	keys, line := run.Look.Keys, d.Editor() == nil
	switch {
	case keys.Is(k, "close"):
		return dialog.Send(dialog.Close{})
	case keys.Is(k, "interrupt"):
		return dialog.Unhandled()
	case keys.Is(k, "editor") && !line:
		return dialog.Send(request.EditOutside{Text: d.Editor()})
	case keys.Is(k, "next-field"), k.Text == "" && keys.Is(k, "down") && line:
		d.turn(1)
		return dialog.Send()
	case keys.Is(k, "previous-field"), k.Text == "" && keys.Is(k, "up") && line:
		d.turn(-1)
		return dialog.Send()
	}
	if sent, used := d.Control().Key(run.Look, k); !sent {
		d.Rejection = ""
		return nil, used || d.Writes()
	}
	if !d.fit() {
		return dialog.Send()
	}
	if why := d.at.MovedPast(&run.Run); why != "" {
		return dialog.Send(dialog.Close{}, request.Say{Text: why})
	}
	return dialog.Send(append([]tea.Msg{dialog.Close{}}, d.submit(run, d.changedValues())...)...)
}

// turn goes to the next or previous value, and around the ends.
func (d *Dialog) turn(by int) {
	d.Rejection, d.At = "", (d.At+by+len(d.Fields))%len(d.Fields)
}

// fit reports whether all values are valid. If not, the first invalid one becomes the current one.
func (d *Dialog) fit() bool {
	for i, f := range d.Fields {
		if problem := f.Problem(false); problem != "" {
			d.At, d.Rejection = i, problem
			return false
		}
	}
	return true
}

// Hints returns the keys of the current value.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	l, sends := run.Look, "accept"
	if d.Editor() != nil {
		sends = "send"
	}
	out := []draw.Hint{l.Press(sends, d.End)}
	if len(d.Fields) > 1 {
		out = append(out, l.Press("next-field", "next value"))
	}
	for _, h := range d.Control().Hints(l) {
		if h.Key != out[0].Key {
			out = append(out, h)
		}
	}
	return append(out, l.Press("close", "back"))
}
