// Package note asks for one line of text: a note, the reason of an intervention, a name.
package note

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/panes"
	"playhead/tui/runview"
)

// Dialog asks for one line of text.
type Dialog struct {
	Name   string
	Verb   string                                        // what enter does with the text: keep, pass, jump
	Submit func(run *runview.Run, text string) []tea.Msg // returns requests once the text is confirmed
	Help   []string                                      // lines above the input that explain what can be written
	form.OneLine
}

// New returns the dialog with an initial text.
func New(name, text, verb string, done func(run *runview.Run, text string) []tea.Msg) *Dialog {
	return &Dialog{Name: name, Verb: verb, Submit: done, OneLine: form.OneLine{Text: text}}
}

// Title implements dialog.Dialog.
func (d *Dialog) Title(*runview.Run) panes.Title { return panes.Title{Left: d.Name} }

// MayCoverOutput reports whether the dialog has help.
func (d *Dialog) MayCoverOutput(*runview.Run) bool { return len(d.Help) > 0 }

// Writing implements dialog.Writer.
func (d *Dialog) Writing() bool { return true }

// Height implements dialog.Dialog.
func (d *Dialog) Height(run *runview.Run, w int) int {
	return len(d.Help) + d.OneLine.Height(run.Look, w)
}

// View returns the line, and above it as much of the help as fits.
func (d *Dialog) View(run *runview.Run, w, h int) []string {
	l := run.Look
	var out []string
	for _, s := range d.Help[:max(0, min(len(d.Help), h-1))] {
		out = append(out, l.Muted.Paint(l.Cut(s, w)))
	}
	return append(out, d.OneLine.Lines(l, w, h-len(out))...)
}

// Update edits the text, and confirms it.
func (d *Dialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		d.OneLine.Paste(run.Look, msg.Content)
		return dialog.Send()
	case tea.KeyPressMsg:
		switch keys := run.Look.Keys; {
		case keys.Is(msg, "accept"):
			return dialog.Send(append([]tea.Msg{dialog.Close{}}, d.Submit(run, d.Value())...)...)
		case keys.Is(msg, "close"):
			return dialog.Send(dialog.Close{})
		case keys.Is(msg, "interrupt"):
			return dialog.Unhandled()
		}
		d.Write(run.Look, msg)
		return dialog.Send()
	}
	return dialog.Unhandled()
}

// Hints returns the keys that close the dialog.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	return []draw.Hint{run.Look.Press("accept", d.Verb), run.Look.Press("close", "back")}
}
