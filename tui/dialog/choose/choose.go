// Package choose has the dialogs in which a person chooses one item: from a short list, or from a long one
// by some letters of its name.
package choose

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/model"
	"playhead/themes"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Dialog is a short list.
type Dialog struct {
	Name       string // the question
	About      string // a text above the list; "": none
	BeforeRun  bool   // nothing runs before the person answers
	OpenAction string // the action that opened the dialog: its key also accepts the marked option; "": none

	Choose   func(run *runview.Run, name string) []tea.Msg
	OnMove   func(name string) []tea.Msg // returns requests when the mark moves; nil: none
	OnCancel []tea.Msg                   // requested if the person chooses nothing

	names  []string
	picker *form.Picker
	above  int // how many lines the last frame has above the options
}

// New returns a dialog with options. at is the name of the present one.
func New(name string, options []model.Origin, at string) *Dialog {
	wide := 0
	for _, o := range options {
		wide = max(wide, len(o.Name))
	}
	d := &Dialog{Name: name, picker: &form.Picker{Indent: wide + 2}}
	for i, o := range options {
		line := fmt.Sprintf("%-*s  %s", wide, o.Name, o.About)
		if o.Name == at {
			d.picker.At, line = i, line+" (now)"
		}
		d.names, d.picker.Options = append(d.names, o.Name), append(d.picker.Options, line)
	}
	return d
}

// Title returns the question.
func (d *Dialog) Title(*runview.Run) panes.Title { return panes.Title{Left: d.Name} }

func (d *Dialog) about(run *runview.Run, w int) []string {
	if d.About == "" {
		return nil
	}
	return run.Look.Wrap(d.About, w)
}

// View returns the list below the text about it.
func (d *Dialog) View(run *runview.Run, w, h int) []string {
	l, about := run.Look, d.about(run, w)
	about = about[:max(0, min(len(about), h-len(d.names)))] // the list needs a line for each at least
	d.above = len(about)
	return append(about, d.picker.Lines(l, w, h-len(about))...)
}

// Overflow returns how many options are out of sight.
func (d *Dialog) Overflow() panes.Overflow {
	o := d.picker.Overflow()
	o.First = d.above
	return o
}

// Height implements dialog.Dialog.
func (d *Dialog) Height(run *runview.Run, w int) int {
	return len(d.about(run, w)) + d.picker.Height(run.Look, w)
}

// MayCoverOutput implements dialog.Dialog.
func (d *Dialog) MayCoverOutput(*runview.Run) bool { return true }

// BlocksRun implements dialog.Blocker.
func (d *Dialog) BlocksRun() bool { return d.BeforeRun }

// Asks returns the dialog itself before the run, else nil.
func (d *Dialog) Asks() any {
	if d.BeforeRun {
		return d
	}
	return nil
}

// Update moves the mark, and chooses.
func (d *Dialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	keys := run.Look.Keys
	switch {
	case !isKey, keys.Is(k, "interrupt"):
		return dialog.Unhandled()
	case keys.Is(k, "close") && d.BeforeRun: // the person can open it again
		return dialog.Send(request.FocusPanes{}, request.Say{Text: "Nothing runs before you choose. {answer} to go back to the question."})
	case keys.Is(k, "close"):
		return dialog.Send(append(d.OnCancel, dialog.Close{})...)
	}
	chosen, used := d.picker.Key(run.Look, k)
	name := d.names[d.picker.At]
	if chosen || d.OpenAction != "" && keys.Is(k, d.OpenAction) {
		return dialog.Send(append([]tea.Msg{dialog.Close{}}, d.Choose(run, name)...)...)
	}
	if d.OnMove != nil {
		return d.OnMove(name), used
	}
	return nil, used
}

// Hints implements dialog.Dialog.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	back := "back"
	if d.BeforeRun {
		back = "look around"
	}
	return append(d.picker.Keys(run.Look, "select"), run.Look.Press("close", back))
}

// Theme asks for the theme. The screen previews the marked one.
func Theme(all []themes.Palette, present themes.Palette) *Dialog {
	var options []model.Origin
	byName := map[string]themes.Palette{}
	for _, p := range all {
		options = append(options, model.Origin{Name: p.Name, About: p.About})
		byName[p.Name] = p
	}
	d := New("Which theme?", options, present.Name)
	d.OnMove = func(name string) []tea.Msg { return []tea.Msg{request.Paint{Palette: byName[name]}} }
	d.OnCancel = []tea.Msg{request.Paint{Palette: present}}
	d.Choose = func(_ *runview.Run, name string) []tea.Msg {
		say := "The theme is " + name + " until you quit. To keep it, add theme: " + name + " to the configuration file."
		return []tea.Msg{request.Paint{Palette: byName[name]}, request.Say{Text: say}}
	}
	return d
}
