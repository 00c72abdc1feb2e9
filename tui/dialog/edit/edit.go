// Package edit has the dialogs in which a person edits a value or an action of a step, and writes edits
// into the document.
package edit

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
	"playhead/tui/dialog/choose"
	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/layout"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Dialog is a text or a value to edit.
type Dialog struct {
	name            string
	partName        string // which of several texts is edited; "": there is only one
	verb            string // what confirming does, for the hint
	widget          form.Widget
	initialValue    string // the initial value of the widget
	wasClosePressed bool   // close was pressed once, and would discard the change
	onSubmit        func(run *runview.Run, text string) []tea.Msg
}

// New returns a dialog for a text or a value. part says which of several texts is edited, "" for the only one; verb what
// confirming does. done gets the confirmed text.
func New(name, part, verb string, widget form.Widget, done func(run *runview.Run, text string) []tea.Msg) *Dialog {
	return &Dialog{name: name, partName: part, verb: verb, widget: widget, initialValue: widget.Value(), onSubmit: done}
}

// Target is what can be edited now: an action of a step, or a value.
type Target struct {
	IsVariable bool            // a variable is edited, not an action
	Variable   *track.Variable // the selected variable; nil: none
	Row        *track.Row      // the step; nil: none
	Action     *track.Action   // the step's action whose output shows; nil: none
	ValueKeys  string          // the keys that lead to the edit of a value; "": no variable has one
}

// Open opens the dialog that edits a target.
func Open(run *runview.Run, t Target) []tea.Msg {
	if t.IsVariable {
		return []tea.Msg{dialog.Open{Dialog: NewVariableDialog(run, *t.Variable)}}
	}
	return []tea.Msg{dialog.Open{Dialog: newActionDialog(t.Row, t.actionIndex())}}
}

// OpenOneOf asks which of several actions to edit, if more than one can be edited.
func OpenOneOf(run *runview.Run, targets ...Target) []tea.Msg {
	var options []choose.Option
	for _, t := range targets {
		if t.UnavailableReason(run) == "" {
			options = append(options, choose.Option{Text: t.Describe(), Do: func(run *runview.Run) []tea.Msg { return Open(run, t) }})
		}
	}
	if len(options) == 1 {
		return options[0].Do(run)
	}
	return []tea.Msg{dialog.Open{Dialog: choose.NewOptionsDialog("Edit which step?", "edit", "back", options)}}
}

// Describe returns the name of the action to edit, with the first line of its text.
func (t Target) Describe() string {
	i := t.actionIndex()
	first, _, _ := strings.Cut(strings.TrimSpace(t.Row.ActionText(i)), "\n")
	return actionNoun(t.Row.Step.Actions[i]) + " of " + t.Row.Label + "  " + first
}

// UnavailableReason returns why there is nothing to edit, "" if there is.
func (t Target) UnavailableReason(run *runview.Run) string {
	switch {
	case !run.IsBegun:
		return control.NotStartedReason
	case t.IsVariable && t.Variable == nil:
		return control.NoVariablesReason
	case !t.IsVariable && t.actionIndex() < 0:
		why := "This step has nothing to edit. Select another."
		if t.ValueKeys != "" {
			why += " To edit a value, " + t.ValueKeys + "."
		}
		return why
	}
	return ""
}

// actionIndex returns the index of the command, prompt or call to edit: the one whose output shows, else the
// step's first; -1 for none.
func (t Target) actionIndex() int {
	if a := t.Action; t.Row != nil && t.Row.Step != nil && a != nil && isEditable(t.Row.Step.Actions[a.Index]) {
		return a.Index
	}
	return t.Row.EditableActionIndex()
}

// NewVariableDialog returns the dialog that sets a variable.
func NewVariableDialog(run *runview.Run, x track.Variable) *Dialog {
	value := plan.ValueText(x.Value)
	return New("Set "+draw.CleanLine(x.Name), "", "set", NewVariableWidget(run.Plan, x.Name, value), func(_ *runview.Run, text string) []tea.Msg {
		if text == value {
			return nil
		}
		return []tea.Msg{
			request.Say{Text: wording.VariableSetText(x.Name, x.Value != nil)},
			request.Do{Action: "set", Args: control.Args{Name: x.Name, Text: text}},
		}
	})
}

// NewVariableWidget returns a widget for a variable: that of the input with its name, else one that suits its
// value.
func NewVariableWidget(p *plan.Plan, name, value string) form.Widget {
	for _, in := range p.Inputs {
		if in.Name == name {
			return form.NewWidget(in.Type, value, in.Options)
		}
	}
	if strings.Contains(value, "\n") {
		return form.NewEditor(value)
	}
	return &form.TextField{Text: value, AllowsLineBreaks: true, KeepsBlanks: true, Suggestions: p.ComparedValues(name)}
}

// newActionDialog returns the dialog that edits action i of a step. The edit applies in this run from the
// next attempt on.
func newActionDialog(r *track.Row, i int) *Dialog {
	text := r.ActionText(i)
	name := "Edit step " + draw.CleanLine(r.Label) + " for this run"
	return New(name, distinguishingName(r.Step.Actions, i), "set", form.NewEditor(text), func(_ *runview.Run, changed string) []tea.Msg {
		if changed == text {
			return nil
		}
		return []tea.Msg{request.Do{Action: "edit", Args: control.Args{Row: r, ActionIndex: i, Text: changed}}}
	})
}

// isEditable reports whether an action can be edited.
func isEditable(a plan.Action) bool {
	switch a.Work.(type) {
	case plan.Command, plan.Model, plan.Tool:
		return true
	}
	return false
}

// distinguishingName returns a name that distinguishes an action from the step's other editable ones, "" if
// there are none.
func distinguishingName(all []plan.Action, i int) string {
	if !slices.ContainsFunc(append(slices.Clone(all[:i]), all[i+1:]...), isEditable) {
		return ""
	}
	return draw.CleanLine(actionNoun(all[i]))
}

// actionNoun names the text of an action, such as "command" or "prompt".
func actionNoun(a plan.Action) string {
	switch w := a.Work.(type) {
	case plan.Model:
		return strings.TrimSpace(w.CallName + " prompt")
	case plan.Tool:
		return w.Name + " arguments"
	}
	if d, ok := a.Judge.(plan.Describer); ok && len(d.Describe().Validators) > 0 {
		return "validator " + strings.Join(d.Describe().Validators, ", ")
	}
	return "command"
}

// Title implements dialog.Dialog.
func (d *Dialog) Title(run *runview.Run) layout.PaneTitle {
	return layout.PaneTitle{Left: d.name, Right: run.DrawContext.Muted.Paint(d.partName), IsLeftWhole: true}
}

// View implements dialog.Dialog.
func (d *Dialog) View(run *runview.Run, w, h int) []string {
	return d.widget.Lines(run.DrawContext, w, h)
}

// Overflow returns how many rows of the text are out of sight.
func (d *Dialog) Overflow() layout.Overflow { return form.OverflowOf(d.widget) }

// WantedHeight implements dialog.Dialog.
func (d *Dialog) WantedHeight(run *runview.Run, w int) int {
	return d.widget.Height(run.DrawContext, w)
}

// MayCoverOutput reports whether the text has several lines.
func (d *Dialog) MayCoverOutput(*runview.Run) bool {
	return d.widget.TakesText() && d.widget.Height(nil, 40) > 1
}

// IsEnteringText implements dialog.TextEntry.
func (d *Dialog) IsEnteringText() bool { return d.widget.TakesText() }

// Update edits the value.
func (d *Dialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	return dialog.UpdateText(run, msg, d.widget.Paste, d.handleKey)
}

func (d *Dialog) handleKey(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	written, keys := form.EditableTextOf(d.widget), run.DrawContext.Keys
	switch {
	case keys.IsKeyOf(k, "close") && !d.wasClosePressed && d.widget.Value() != d.initialValue:
		d.wasClosePressed = true
		return dialog.Handled(request.Say{Text: "Unsaved change. Press " + d.Hints(run)[0].Key + " to apply it, or {close} again to discard it."})
	case keys.IsKeyOf(k, "close"):
		return dialog.Handled(dialog.Close{})
	case keys.IsKeyOf(k, "interrupt"):
		return dialog.Unhandled()
	case keys.IsKeyOf(k, "editor") && written != nil:
		return dialog.Handled(request.EditInEditor{Text: written})
	}
	d.wasClosePressed = false
	sent, used := d.widget.HandleKey(run.DrawContext, k)
	switch text := d.widget.Value(); {
	case sent && text != d.initialValue && run.HasSecrets && strings.Contains(text, logs.SecretPlaceholder):
		return dialog.Handled(request.Say{Text: logs.SecretPlaceholder + " stands for a masked secret. Write the value in its place."})
	case sent:
		return dialog.Handled(append([]tea.Msg{dialog.Close{}}, d.onSubmit(run, text)...)...)
	}
	return nil, used || d.widget.TakesText()
}

// Hints implements dialog.Dialog.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	dc, sends := run.DrawContext, "accept"
	if _, edits := d.widget.(*form.Editor); edits {
		sends = "send"
	}
	out := []draw.Hint{dc.ActionHint(sends, d.verb)}
	if form.EditableTextOf(d.widget) != nil {
		out = append(out, dc.ActionHint("editor", "editor"))
	}
	return append(out, dc.ActionHint("close", "back"))
}
