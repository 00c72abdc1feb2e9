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
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Dialog is a text or a value to edit.
type Dialog struct {
	name    string
	part    string // which of several texts is edited; "": there is only one
	verb    string // what confirming does, for the hint
	control form.Widget
	began   string // the initial value of the control
	leaving bool   // close was pressed once, and would discard the change
	submit  func(run *runview.Run, text string) []tea.Msg
}

// New returns a dialog for a text or a value. verb says what confirming does, and done takes the result.
func New(name, part, verb string, control form.Widget, done func(run *runview.Run, text string) []tea.Msg) *Dialog {
	return &Dialog{name: name, part: part, verb: verb, control: control, began: control.Value(), submit: done}
}

// Target is what can be edited now: an action of a step, or a value.
type Target struct {
	IsVariable bool          // a variable is edited, not an action
	Variable   *track.Var    // the selected variable; nil: none
	Action     *track.Action // the selected step's action whose output shows; nil: none
}

// Open opens the dialog that edits a target.
func Open(run *runview.Run, t Target) []tea.Msg {
	if t.IsVariable {
		return []tea.Msg{dialog.Open{Dialog: Variable(run, *t.Variable)}}
	}
	return []tea.Msg{dialog.Open{Dialog: Step(run.Selected, t.action(run.Selected))}}
}

// Describe returns the name of the action to edit, with the first line of its text.
func (t Target) Describe(run *runview.Run) string {
	r := run.Selected
	i := t.action(r)
	first, _, _ := strings.Cut(strings.TrimSpace(r.ActionText(i)), "\n")
	return noun(r.Step.Actions[i]) + " of " + r.Label + "  " + first
}

// Unavailable returns why there is nothing to edit, "" if there is.
func (t Target) Unavailable(run *runview.Run) string {
	switch {
	case !run.Begun:
		return control.NotStarted
	case t.IsVariable && t.Variable == nil:
		return "No variable has a value yet."
	case !t.IsVariable && t.action(run.Selected) < 0:
		return "This step has nothing to edit. Select another, or {values} to edit a value."
	}
	return ""
}

// action returns the index of the action to edit: the one whose output shows, else the row's first; -1 for
// none.
func (t Target) action(r *track.Row) int {
	if a := t.Action; r != nil && r.Step != nil && a != nil && Editable(r.Step.Actions[a.Index]) {
		return a.Index
	}
	return r.Editable()
}

// Variable returns the dialog that sets a variable.
func Variable(run *runview.Run, x track.Var) *Dialog {
	value := plan.TextOf(x.Value)
	return New("Set "+draw.Clean(x.Name), "", "set", VariableWidget(run.Plan, x.Name, value), func(_ *runview.Run, text string) []tea.Msg {
		if text == value {
			return nil
		}
		return []tea.Msg{
			request.Say{Text: x.Name + " is set. Effects of the old value are not undone."},
			request.Do{Action: "set", Args: control.Args{Name: x.Name, Text: text}},
		}
	})
}

// VariableWidget returns a widget for a variable: that of the input with its name, else one that suits its
// value.
func VariableWidget(p *plan.Plan, name, value string) form.Widget {
	for _, in := range p.Inputs {
		if in.Name == name {
			return form.New(in.Type, value, in.Options)
		}
	}
	if strings.Contains(value, "\n") {
		return form.NewEditor(value)
	}
	return &form.OneLine{Text: value, Multiline: true, Suggestions: p.ComparedValues(name)}
}

// Step returns the dialog that edits action i of a step. The edit applies in this run from the next visit
// on.
func Step(r *track.Row, i int) *Dialog {
	text := r.ActionText(i)
	name := "Edit step " + draw.Clean(r.Label) + " for this run"
	return New(name, part(r.Step.Actions, i), "set", form.NewEditor(text), func(_ *runview.Run, changed string) []tea.Msg {
		_, edited := r.Edits[i]
		say := "Changed for this run. {rerun} to run it again, or {write-back} to write it into the document."
		switch {
		case changed == text:
			return nil
		case changed == "" && !edited:
			return []tea.Msg{request.Say{Text: "No change: an empty text keeps the document's own."}}
		case changed == "":
			say = "The edit is removed. {rerun} to run the step as the document has it."
		}
		return []tea.Msg{request.Say{Text: say}, request.Do{Action: "edit", Args: control.Args{Step: r, Action: i, Text: changed}}}
	})
}

// Editable reports whether an action can be edited.
func Editable(a plan.Action) bool {
	switch a.Work.(type) {
	case plan.Command, plan.Model, plan.Tool:
		return true
	}
	return false
}

// part returns a name for an action if the step has other editable actions, else "".
func part(all []plan.Action, i int) string {
	if !slices.ContainsFunc(append(slices.Clone(all[:i]), all[i+1:]...), Editable) {
		return ""
	}
	return draw.Clean(noun(all[i]))
}

// noun returns a noun for the text of an action.
func noun(a plan.Action) string {
	switch w := a.Work.(type) {
	case plan.Model:
		return strings.TrimSpace(w.Part + " prompt")
	case plan.Tool:
		return "arguments of " + w.Name
	}
	if d, ok := a.Judge.(plan.Describer); ok && len(d.Describe().Validators) > 0 {
		return "validator " + strings.Join(d.Describe().Validators, ", ")
	}
	return "command"
}

// Title implements dialog.Dialog.
func (d *Dialog) Title(run *runview.Run) panes.Title {
	return panes.Title{Left: d.name, Right: run.Look.Muted.Paint(d.part)}
}

// View implements dialog.Dialog.
func (d *Dialog) View(run *runview.Run, w, h int) []string { return d.control.Lines(run.Look, w, h) }

// Height implements dialog.Dialog.
func (d *Dialog) Height(run *runview.Run, w int) int { return d.control.Height(run.Look, w) }

// MayCoverOutput reports whether the text has several lines.
func (d *Dialog) MayCoverOutput(*runview.Run) bool {
	return d.control.Writes() && d.control.Height(nil, 40) > 1
}

// Writing implements dialog.Writer.
func (d *Dialog) Writing() bool { return d.control.Writes() }

// Update edits the value.
func (d *Dialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		d.control.Paste(run.Look, msg.Content)
		return dialog.Send()
	case tea.KeyPressMsg:
		return d.key(run, msg)
	}
	return dialog.Unhandled()
}

func (d *Dialog) key(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	written, keys := form.Written(d.control), run.Look.Keys
	switch {
	case keys.Is(k, "close") && !d.leaving && d.control.Value() != d.began:
		d.leaving = true
		return dialog.Send(request.Say{Text: "Unsaved change. Press " + d.Hints(run)[0].Key + " to keep it, or {close} again to discard it."})
	case keys.Is(k, "close"):
		return dialog.Send(dialog.Close{})
	case keys.Is(k, "interrupt"):
		return dialog.Unhandled()
	case keys.Is(k, "editor") && written != nil:
		return dialog.Send(request.EditOutside{Text: written})
	}
	d.leaving = false
	sent, used := d.control.Key(run.Look, k)
	switch text := d.control.Value(); {
	case sent && text != d.began && run.Secrets && strings.Contains(text, logs.SecretPlaceholder):
		return dialog.Send(request.Say{Text: logs.SecretPlaceholder + " stands for a hidden secret. Write the value in its place."})
	case sent:
		return dialog.Send(append([]tea.Msg{dialog.Close{}}, d.submit(run, text)...)...)
	}
	return nil, used || d.control.Writes()
}

// Hints implements dialog.Dialog.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	l, sends := run.Look, "accept"
	if _, edits := d.control.(*form.Editor); edits {
		sends = "send"
	}
	out := []draw.Hint{l.Press(sends, d.verb)}
	if form.Written(d.control) != nil {
		out = append(out, l.Press("editor", "editor"))
	}
	return append(out, l.Press("close", "back"))
}
