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

// Dialog asks a question that is answered with one of a few named options.
type Dialog struct {
	dialog.OutputCoverer
	Question      string // its title
	Description   string // a text above the list; "": none
	IsBeforeRun   bool   // nothing runs before the person answers
	OpeningAction string // the action that opened the dialog: its key also accepts the marked option; "": none

	OnChoose       func(run *runview.Run, name string) []tea.Msg
	OnMove         func(name string) []tea.Msg // returns requests when the mark moves; nil: none
	CancelRequests []tea.Msg                   // requested if the person chooses nothing

	optionNames []string
	picker      *form.Picker
	linesAbove  int // how many lines the last frame has above the options
}

// NamedOption is an option of a Dialog.
type NamedOption struct{ Name, Description string }

// New returns a dialog with options. current is the name of the option in force, which is marked; "" for none.
func New(question string, options []NamedOption, current string) *Dialog {
	wide := 0
	for _, o := range options {
		wide = max(wide, len(o.Name))
	}
	d := &Dialog{Question: question, picker: &form.Picker{ContinuationIndent: wide + 2}}
	for i, o := range options {
		line := fmt.Sprintf("%-*s  %s", wide, o.Name, o.Description)
		if o.Name == current {
			d.picker.SelectedIndex, line = i, line+" (now)"
		}
		d.optionNames, d.picker.Options = append(d.optionNames, o.Name), append(d.picker.Options, line)
	}
	return d
}

// Title returns the question.
func (d *Dialog) Title(*runview.Run) layout.PaneTitle { return layout.PaneTitle{Left: d.Question} }

func (d *Dialog) descriptionLines(run *runview.Run, w int) []string {
	if d.Description == "" {
		return nil
	}
	return run.DrawContext.Wrap(d.Description, w)
}

// View returns the list below the text about it.
func (d *Dialog) View(run *runview.Run, w, h int) []string {
	dc, about := run.DrawContext, d.descriptionLines(run, w)
	about = about[:max(0, min(len(about), h-len(d.optionNames)))] // the list needs a line for each at least
	d.linesAbove = len(about)
	return append(about, d.picker.Lines(dc, w, h-len(about))...)
}

// Overflow returns how many options are out of sight.
func (d *Dialog) Overflow() layout.Overflow {
	o := d.picker.Overflow()
	o.ListFirstRow = d.linesAbove
	return o
}

// Height implements dialog.Dialog.
func (d *Dialog) Height(run *runview.Run, w int) int {
	return len(d.descriptionLines(run, w)) + d.picker.Height(run.DrawContext, w)
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
	chosen, used := d.picker.HandleKey(run.DrawContext, k)
	name := d.optionNames[d.picker.SelectedIndex]
	if chosen || d.OpeningAction != "" && keys.IsKeyOf(k, d.OpeningAction) {
		return dialog.Handled(append([]tea.Msg{dialog.Close{}}, d.OnChoose(run, name)...)...)
	}
	if d.OnMove != nil {
		return d.OnMove(name), used
	}
	return nil, used
}

// Hints implements dialog.Dialog.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	closeHint := run.DrawContext.ActionHint("close", "back")
	if d.IsBeforeRun {
		closeHint = run.DrawContext.LookAroundHint()
	}
	return append(d.picker.HintsFor(run.DrawContext, "select"), closeHint)
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
	d.OnMove = func(name string) []tea.Msg { return []tea.Msg{request.ChangeTheme{Palette: byName[name]}} }
	d.CancelRequests = []tea.Msg{request.ChangeTheme{Palette: present}}
	d.OnChoose = func(_ *runview.Run, name string) []tea.Msg {
		say := "The theme is " + name + " until you quit. To keep it, set theme: " + name + " in the configuration file."
		return []tea.Msg{request.ChangeTheme{Palette: byName[name]}, request.Say{Text: say}}
	}
	return d
}
