// Package confirm asks before an action that cannot be undone completely.
package confirm

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/layout"
	"playhead/tui/list"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Dialog asks yes or no. The consequences may change while it shows. The dialog closes when nothing is left
// to confirm.
type Dialog struct {
	Name             string
	Text             string
	EffectsNotUndone []string  // commands and calls that are not undone
	YesRequests      []tea.Msg // requested if the person answers yes
	YesText          string    // what stands for yes; "": yes

	// UpdatedText returns the text after a change of the run; nil: it stays the same.
	UpdatedText func(*runview.Run) string
	// ObsoleteReason returns why nothing is left to confirm, "" as long as something is; nil: something always is.
	ObsoleteReason func(*runview.Run) string

	dialog.Confirmation
	list.Scroller
}

// NothingRunningText says that what a confirmation was asked for has ended meanwhile.
const NothingRunningText = "Nothing is running any more."

// Title implements dialog.Dialog.
func (d *Dialog) Title(*runview.Run) layout.PaneTitle { return layout.PaneTitle{Left: d.Name} }

// View implements dialog.Dialog.
func (d *Dialog) View(run *runview.Run, w, h int) []string {
	return d.VisibleLinesAboveFixed(run.DrawContext, d.consequenceLines(run.DrawContext, w), run.DrawContext.AnswerLines(d.AnswerHints(run), w), h)
}

// consequenceLines returns the consequences: a text, and a line for each effect that is not undone.
func (d *Dialog) consequenceLines(dc *draw.Context, w int) []string {
	return append(dc.Wrap(d.Text, w), dc.EffectLines(d.EffectsNotUndone, w)...)
}

// WantedHeight implements dialog.Dialog.
func (d *Dialog) WantedHeight(run *runview.Run, w int) int {
	return len(d.consequenceLines(run.DrawContext, w)) + len(run.DrawContext.AnswerLines(d.AnswerHints(run), w))
}

// MayCoverOutput reports whether the dialog has a list.
func (d *Dialog) MayCoverOutput(*runview.Run) bool { return len(d.EffectsNotUndone) > 0 }

// Update implements dialog.Dialog.
func (d *Dialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return d.handleKey(run, msg)
	case dialog.RunChanged:
		return d.updateOrClose(run)
	}
	return dialog.Unhandled()
}

func (d *Dialog) handleKey(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	switch keys := run.DrawContext.Keys; {
	case keys.IsKeyOf(k, "yes"): // enter does not confirm, because it may have been typed for a command
		return dialog.Handled(append([]tea.Msg{dialog.Close{}}, d.YesRequests...)...)
	case keys.IsKeyOf(k, "no", "close", "quit"):
		return dialog.Handled(dialog.Close{})
	case keys.IsKeyOf(k, "interrupt"):
		return dialog.Unhandled()
	}
	return nil, d.ScrollByKey(run.DrawContext.Keys, k)
}

// updateOrClose updates the text after a change of the run. If nothing is left to confirm, it closes the
// dialog, and keys typed for it are ignored. Between two commands the text stays the same.
func (d *Dialog) updateOrClose(run *runview.Run) ([]tea.Msg, bool) {
	if d.ObsoleteReason != nil {
		if why := d.ObsoleteReason(run); why != "" {
			return dialog.Handled(dialog.Close{}, request.IgnoreKeys{Text: why})
		}
	}
	if d.UpdatedText == nil || run.IsBetweenCommands() {
		return dialog.Unhandled()
	}
	text := d.UpdatedText(run)
	changed := text != d.Text
	d.Text = text
	return nil, changed
}

// Hints implements dialog.Dialog.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	return append(d.ScrollHints(run.DrawContext), run.DrawContext.ActionHint("close", "cancel"))
}

// AnswerHints implements dialog.AnswerLister.
func (d *Dialog) AnswerHints(run *runview.Run) []draw.Hint {
	return []draw.Hint{run.DrawContext.ActionHint("yes", cmp.Or(d.YesText, "yes")), run.DrawContext.ActionHint("no", "no")}
}
