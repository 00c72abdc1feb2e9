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

// Dialog is a line to write.
type Dialog struct {
	Name   string
	Verb   string                                        // what enter does with the text: keep, pass, jump
	Submit func(run *runview.Run, text string) []tea.Msg // what is requested when the text is there
	Help   []string                                      // what can be written, above the line
	form.OneLine
}

// New returns the dialog, with a text to begin with.
func New(name, text, verb string, done func(run *runview.Run, text string) []tea.Msg) *Dialog {
	return &Dialog{Name: name, Verb: verb, Submit: done, OneLine: form.OneLine{Text: text}}
}

// Title says what the text is for.
func (d *Dialog) Title(*runview.Run) panes.Title { return panes.Title{Left: d.Name} }

// MayCoverOutput is a dialog with help.
func (d *Dialog) MayCoverOutput(*runview.Run) bool { return len(d.Help) > 0 }

// HasOwnKeys is true: any text can be written.
func (d *Dialog) HasOwnKeys() bool { return true }

// Height is that of the help and the line.
func (d *Dialog) Height(run *runview.Run, w int) int {
	return len(d.Help) + d.OneLine.Height(run.Look, w)
}

// View is the line, and above it as much of the help as there is room for.
func (d *Dialog) View(run *runview.Run, w, h int) []string {
	l := run.Look
	var out []string
	for _, s := range d.Help[:max(0, min(len(d.Help), h-1))] {
		out = append(out, l.Muted.Paint(l.Cut(s, w)))
	}
	return append(out, d.OneLine.Lines(l, w, h-len(out))...)
}

// Update writes.
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

// Hints are the ways out.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	return []draw.Hint{run.Look.Press("accept", d.Verb), run.Look.Press("close", "back")}
}
