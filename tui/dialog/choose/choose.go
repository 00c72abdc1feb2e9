// Package choose has the dialogs in which a person chooses one item: from a short list, or from a long one
// by some letters of its name.
package choose

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"playhead/themes"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/layout"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Dialog is a short list of options, of which a person chooses one.
type Dialog struct {
	Name          string // its title
	Description   string // a text above the list; "": none
	IsBeforeRun   bool   // nothing runs before the person answers
	SparesOutput  bool   // it does not cover the output, which the options may be about
	OpeningAction string // the action that opened the dialog: its key also accepts the marked option; "": none
	Verb          string // what choosing does, for a hint
	CloseVerb     string // what closing does, for a hint

	OnChoose       func(run *runview.Run, name string) []tea.Msg // for named options
	OnMove         func(option int) []tea.Msg                    // returns requests when the mark moves; nil: none
	CancelRequests []tea.Msg                                     // requested if the person chooses nothing

	Picker     form.Picker
	options    []Option
	linesAbove int // how many lines the last frame has above the options
}

// Option is one thing that a person can choose to do.
type Option struct {
	Text              string
	UnavailableReason string // why it is not possible; "": it is possible
	Do                func(*runview.Run) []tea.Msg
}

// NewOptionsDialog returns a list of options with the first one selected. It does not cover the output, which the options may be about.
func NewOptionsDialog(name, verb, back string, options []Option) *Dialog {
	d := &Dialog{Name: name, Verb: verb, CloseVerb: back, SparesOutput: true, options: options}
	for _, o := range options {
		d.Picker.Options = append(d.Picker.Options, o.Text)
	}
	d.Picker.IsMuted = func(i int) bool { return options[i].UnavailableReason != "" }
	return d
}

// NamedOption is a value that a person can choose by its name.
type NamedOption struct{ Name, Description string }

// New returns a dialog that asks for one of several named options. current is the name of the option in
// force, which is marked; "" for none.
func New(question string, named []NamedOption, current string) *Dialog {
	wide, at := 0, 0
	for _, o := range named {
		wide = max(wide, len(o.Name))
	}
	var d *Dialog
	options := make([]Option, len(named))
	for i, o := range named {
		options[i] = Option{Text: fmt.Sprintf("%-*s  %s", wide, o.Name, o.Description), Do: func(run *runview.Run) []tea.Msg { return d.OnChoose(run, o.Name) }}
		if o.Name == current {
			at, options[i].Text = i, options[i].Text+" (now)"
		}
	}
	d = NewOptionsDialog(question, "accept", "back", options)
	d.SparesOutput, d.Picker.SelectedIndex, d.Picker.ContinuationIndent = false, at, wide+2
	return d
}

// Title returns the name or question.
func (d *Dialog) Title(*runview.Run) layout.PaneTitle { return layout.PaneTitle{Left: d.Name} }

// MayCoverOutput implements dialog.Dialog.
func (d *Dialog) MayCoverOutput(*runview.Run) bool { return !d.SparesOutput }

func (d *Dialog) descriptionLines(run *runview.Run, w int) []string {
	if d.Description == "" {
		return nil
	}
	return run.DrawContext.Wrap(d.Description, w)
}

// View returns the list below the text about it.
func (d *Dialog) View(run *runview.Run, w, h int) []string {
	dc, about := run.DrawContext, d.descriptionLines(run, w)
	about = about[:max(0, min(len(about), h-len(d.options)))] // the list needs a line for each at least
	d.linesAbove = len(about)
	return append(about, d.Picker.Lines(dc, w, h-len(about))...)
}

// Overflow returns how many options are out of sight.
func (d *Dialog) Overflow() layout.Overflow {
	o := d.Picker.Overflow()
	o.ListFirstRow = d.linesAbove
	return o
}

// WantedHeight implements dialog.Dialog.
func (d *Dialog) WantedHeight(run *runview.Run, w int) int {
	return len(d.descriptionLines(run, w)) + d.Picker.Height(run.DrawContext, w)
}

// BlocksRun implements dialog.RunBlocker.
func (d *Dialog) BlocksRun() bool { return d.IsBeforeRun }

// CurrentQuestion returns the dialog itself before the run, else nil.
func (d *Dialog) CurrentQuestion() any {
	if d.IsBeforeRun {
		return d
	}
	return nil
}

// Update moves the mark, and chooses.
func (d *Dialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	keys := run.DrawContext.Keys
	switch {
	case !isKey, keys.IsKeyOf(k, "interrupt"):
		return dialog.Unhandled()
	case keys.IsKeyOf(k, "close") && d.IsBeforeRun: // the person can open it again
		return dialog.Handled(request.FocusPanes{}, request.Say{Text: "Nothing runs until you choose. {answer} to go back to the question."})
	case keys.IsKeyOf(k, "close"):
		return dialog.Handled(append(d.CancelRequests, dialog.Close{})...)
	}
	chosen, used := d.Picker.HandleKey(run.DrawContext, k)
	if chosen || d.OpeningAction != "" && keys.IsKeyOf(k, d.OpeningAction) {
		o := d.options[d.Picker.SelectedIndex]
		if o.UnavailableReason != "" {
			return dialog.Handled(request.Say{Text: o.UnavailableReason})
		}
		return dialog.Handled(append([]tea.Msg{dialog.Close{}}, o.Do(run)...)...)
	}
	if d.OnMove != nil {
		return d.OnMove(d.Picker.SelectedIndex), used
	}
	return nil, used
}

// Hints implements dialog.Dialog.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	closeHint := run.DrawContext.ActionHint("close", d.CloseVerb)
	if d.IsBeforeRun {
		closeHint = run.DrawContext.LookAroundHint()
	}
	return append(d.Picker.HintsFor(run.DrawContext, d.Verb), closeHint)
}

// NewThemeDialog asks for the theme. The screen previews the marked one.
func NewThemeDialog(all []themes.Palette, present themes.Palette) *Dialog {
	var options []NamedOption
	byName := map[string]themes.Palette{}
	for _, p := range all {
		options = append(options, NamedOption{p.Name, p.Description})
		byName[p.Name] = p
	}
	d := New("Which theme?", options, present.Name)
	d.OnMove = func(option int) []tea.Msg { return []tea.Msg{request.ChangeTheme{Palette: all[option]}} }
	d.CancelRequests = []tea.Msg{request.ChangeTheme{Palette: present}}
	d.OnChoose = func(_ *runview.Run, name string) []tea.Msg {
		say := "The theme is " + name + " until you quit. To keep it, set theme: " + name + " in the configuration file."
		return []tea.Msg{request.ChangeTheme{Palette: byName[name]}, request.Say{Text: say}}
	}
	return d
}
