// Package note asks for one line of text: a note on an intervention, a name.
package note

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/layout"
	"playhead/tui/runview"
)

// Dialog asks for one line of text.
type Dialog struct {
	Name     string
	Verb     string                                        // what enter does with the text: keep, pass, jump
	OnSubmit func(run *runview.Run, text string) []tea.Msg // returns requests once the text is confirmed
	Subject  string                                        // what the text is about, such as a question; shown above the input
	Help     [][2]string                                   // what can be written, and what it means, shown above the input
	form.TextField
}

// New returns the dialog with an initial text.
func New(name, text, verb string, done func(run *runview.Run, text string) []tea.Msg) *Dialog {
	return &Dialog{Name: name, Verb: verb, OnSubmit: done, TextField: form.TextField{Text: text}}
}

// Title implements dialog.Dialog.
func (d *Dialog) Title(*runview.Run) layout.PaneTitle { return layout.PaneTitle{Left: d.Name} }

// MayCoverOutput implements dialog.Dialog: only with help does the dialog need that much room.
func (d *Dialog) MayCoverOutput(*runview.Run) bool { return len(d.Help) > 0 }

// IsEnteringText implements dialog.TextEntry.
func (d *Dialog) IsEnteringText() bool { return true }

// IsEnteringLine implements dialog.LineEntry.
func (d *Dialog) IsEnteringLine() bool { return true }

// WantedHeight implements dialog.Dialog.
func (d *Dialog) WantedHeight(run *runview.Run, w int) int {
	return len(d.linesAbove(run.DrawContext, w)) + d.TextField.Height(run.DrawContext, w)
}

// linesAbove returns what is above the input: what the text is about, and the help.
func (d *Dialog) linesAbove(dc *draw.Context, w int) []string {
	return append(dc.PaintLines(dc.Bold, d.Subject, w), d.helpLines(dc, w)...)
}

// helpGap is the number of cells between the columns of the help.
const helpGap = 2

// helpLines returns the help in two columns, of which the second is wrapped.
func (d *Dialog) helpLines(dc *draw.Context, w int) (out []string) {
	column := 0
	for _, entry := range d.Help {
		column = max(column, dc.Width(entry[0])+helpGap)
	}
	for _, entry := range d.Help {
		out = append(out, dc.MarkedLines(dc.Muted.Paint(dc.Fit(entry[0], column)), dc.PaintLines(dc.Muted, entry[1], w-column))...)
	}
	return out
}

// View returns the line, and above it as much as fits of what it is about and of the help.
func (d *Dialog) View(run *runview.Run, w, h int) []string {
	dc := run.DrawContext
	out := d.linesAbove(dc, w)
	out = out[:max(0, min(len(out), h-1))]
	return append(out, d.TextField.Lines(dc, w, h-len(out))...)
}

// Update edits the text, and confirms it.
func (d *Dialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	return dialog.UpdateText(run, msg, d.TextField.Paste, d.handleKey)
}

func (d *Dialog) handleKey(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	switch keys := run.DrawContext.Keys; {
	case keys.IsKeyOf(k, "accept"):
		return dialog.Handled(append([]tea.Msg{dialog.Close{}}, d.OnSubmit(run, d.Value())...)...)
	case keys.IsKeyOf(k, "close"):
		return dialog.Handled(dialog.Close{})
	case keys.IsKeyOf(k, "interrupt"):
		return dialog.Unhandled()
	}
	d.PassToInput(run.DrawContext, k)
	return dialog.Handled()
}

// Hints returns the keys that close the dialog.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	return []draw.Hint{run.DrawContext.ActionHint("accept", d.Verb), run.DrawContext.ActionHint("close", "back")}
}
