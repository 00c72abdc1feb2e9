// Package confirm asks before something is lost.
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

// Dialog asks yes or no. The consequences may change while it shows, until there is nothing to
// ask any more.
type Dialog struct {
	Name      string
	Text      string
	StaysDone []string  // commands and calls that are not undone
	Yes       []tea.Msg // requested when the person says yes

	// UpdatedText returns the text anew after a change of the run; nil: it stays.
	UpdatedText func(*runview.Run) string
	// ObsoleteReason returns why there is nothing to ask any more, empty while there is; nil: there
	// always is.
	ObsoleteReason func(*runview.Run) string

	list.Scroller
}

// Title implements dialog.Dialog.
func (d *Dialog) Title(*runview.Run) panes.Title { return panes.Title{Left: d.Name} }

// View implements dialog.Dialog.
func (d *Dialog) View(run *runview.Run, w, h int) []string {
	return d.WindowAbove(run.Look, d.body(run.Look, w), run.Look.Answers(d.Answers(run), w), h)
}

// body is the consequences: as a text, and all that stays done, a line each.
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

// MayCoverOutput is a dialog with a list.
func (d *Dialog) MayCoverOutput(*runview.Run) bool { return len(d.StaysDone) > 0 }

// HasOwnKeys is true: the key that quits says no.
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
	case keys.Is(k, "yes"): // not enter, which may have been meant for a command
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

// updateOrClose brings the dialog in line with the run. One that has nothing to ask any more closes,
// and drops a key that was on its way to it. Between two commands the text stays.
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
