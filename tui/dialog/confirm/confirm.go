// Package confirm asks before an action that cannot be undone completely.
package confirm

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Dialog asks yes or no. The consequences may change while it shows. The dialog closes when nothing is left
// to confirm.
type Dialog struct {
	Name      string
	Text      string
	StaysDone []string  // commands and calls that are not undone
	Yes       []tea.Msg // requested if the person answers yes

	// UpdatedText returns the text after a change of the run; nil: it stays the same.
	UpdatedText func(*runview.Run) string
	// ObsoleteReason returns why nothing is left to confirm, "" as long as something is; nil: something always is.
	ObsoleteReason func(*runview.Run) string

	list.Scroller
}

// Title implements dialog.Dialog.
func (d *Dialog) Title(*runview.Run) panes.Title { return panes.Title{Left: d.Name} }

// View implements dialog.Dialog.
func (d *Dialog) View(run *runview.Run, w, h int) []string {
	return d.WindowAbove(run.Look, d.body(run.Look, w), run.Look.Answers(d.Answers(run), w), h)
}

// body returns the consequences: a text, and a line for each effect that is not undone.
func (d *Dialog) body(l *draw.Look, w int) []string {
	out := l.Wrap(d.Text, w)
	if len(d.StaysDone) > 0 {
		out = append(out, "These effects are not undone:")
	}
	for _, deed := range d.StaysDone {
		out = append(out, l.Cut("  "+deed, w))
	}
	return out
}

// Height implements dialog.Dialog.
func (d *Dialog) Height(run *runview.Run, w int) int {
	return len(d.body(run.Look, w)) + len(run.Look.Answers(d.Answers(run), w))
}

// MayCoverOutput reports whether the dialog has a list.
func (d *Dialog) MayCoverOutput(*runview.Run) bool { return len(d.StaysDone) > 0 }

// HasOwnKeys returns true: the key that quits answers no.
func (d *Dialog) HasOwnKeys() bool { return true }

// Update implements dialog.Dialog.
func (d *Dialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return d.key(run, msg)
	case dialog.RunChanged:
		return d.updateOrClose(run)
	}
	return dialog.Unhandled()
}

func (d *Dialog) key(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	switch keys := run.Look.Keys; {
	case keys.Is(k, "yes"): // enter does not confirm, because it may have been typed for a command
		return dialog.Send(append([]tea.Msg{dialog.Close{}}, d.Yes...)...)
	case keys.Is(k, "no", "close", "quit"):
		return dialog.Send(dialog.Close{})
	case keys.Is(k, "interrupt"):
		return dialog.Unhandled()
	case d.Scrolled(keys, k):
		return dialog.Send()
	}
	return dialog.Send(request.Say{Text: "{yes} for yes, or {no} for no."})
}

// updateOrClose updates the text after a change of the run. If nothing is left to confirm, it closes the
// dialog, and keys typed for it are ignored. Between two commands the text stays the same.
func (d *Dialog) updateOrClose(run *runview.Run) ([]tea.Msg, bool) {
	if d.ObsoleteReason != nil {
		if why := d.ObsoleteReason(run); why != "" {
			return dialog.Send(dialog.Close{}, request.IgnoreKeys{Text: why})
		}
	}
	if d.UpdatedText == nil || run.BetweenCommands() {
		return dialog.Unhandled()
	}
	text := d.UpdatedText(run)
	changed := text != d.Text
	d.Text = text
	return nil, changed
}

// Hints implements dialog.Dialog.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	return append(d.ScrollHints(run.Look), run.Look.Press("close", "cancel"))
}

// Answers implements dialog.Answering.
func (d *Dialog) Answers(run *runview.Run) []draw.Hint {
	return []draw.Hint{run.Look.Press("yes", "yes"), run.Look.Press("no", "no")}
}
