package choose

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/layout"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Option is one thing that a person can choose to do.
type Option struct {
	Text              string
	UnavailableReason string // why it is not possible; "": it is possible
	Do                func(*runview.Run) []tea.Msg
}

// OptionsDialog is a short list of things to do, some of which may be unavailable.
type OptionsDialog struct {
	Name      string // its title
	Verb      string // what choosing does, for a hint
	CloseVerb string // what closing does, for a hint
	Options   []Option
	Picker    form.Picker
}

// NewOptionsDialog returns a list of options with the first one selected.
func NewOptionsDialog(name, verb, back string, list []Option) *OptionsDialog {
	o := &OptionsDialog{Name: name, Verb: verb, CloseVerb: back, Options: list}
	for _, each := range list {
		o.Picker.Options = append(o.Picker.Options, each.Text)
	}
	o.Picker.IsMuted = func(i int) bool { return list[i].UnavailableReason != "" }
	return o
}

// Title implements dialog.Dialog.
func (o *OptionsDialog) Title(*runview.Run) layout.PaneTitle { return layout.PaneTitle{Left: o.Name} }

// View implements dialog.Dialog.
func (o *OptionsDialog) View(run *runview.Run, w, h int) []string {
	return o.Picker.Lines(run.DrawContext, w, h)
}

// Overflow returns how many options are out of sight.
func (o *OptionsDialog) Overflow() layout.Overflow { return o.Picker.Overflow() }

// Height implements dialog.Dialog.
func (o *OptionsDialog) Height(run *runview.Run, w int) int {
	return o.Picker.Height(run.DrawContext, w)
}

// MayCoverOutput returns false: the options may be about the output.
func (o *OptionsDialog) MayCoverOutput(*runview.Run) bool { return false }

// Update moves the selection, and carries out the chosen option.
func (o *OptionsDialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	switch keys := run.DrawContext.Keys; {
	case !isKey, keys.IsKeyOf(k, "interrupt"):
		return dialog.Unhandled()
	case keys.IsKeyOf(k, "close"):
		return dialog.Handled(dialog.Close{})
	}
	chosen, used := o.Picker.HandleKey(run.DrawContext, k)
	if !chosen {
		return nil, used
	}
	c := o.Options[o.Picker.SelectedIndex]
	if c.UnavailableReason != "" {
		return dialog.Handled(request.Say{Text: c.UnavailableReason})
	}
	return dialog.Handled(append([]tea.Msg{dialog.Close{}}, c.Do(run)...)...)
}

// Hints implements dialog.Dialog.
func (o *OptionsDialog) Hints(run *runview.Run) []draw.Hint {
	return append(o.Picker.HintsFor(run.DrawContext, o.Verb), run.DrawContext.ActionHint("close", o.CloseVerb))
}
