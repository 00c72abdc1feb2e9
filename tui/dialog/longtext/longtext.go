// Package longtext shows a text that is too long for its pane.
package longtext

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine/sanitize"
	"playhead/engine/wording"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/layout"
	"playhead/tui/list"
	"playhead/tui/runview"
)

// Dialog is a text that scrolls.
type Dialog struct {
	Name, Summary string
	Text          string
	OpeningAction string // the action that opened it, whose key closes it
	dialog.OutputCoverer
	list.Scroller
}

// NewReasoning returns the dialog with what a model thought before it replied.
func NewReasoning(text string) *Dialog {
	return &Dialog{Name: "Reasoning", Summary: wording.ByteSize(int64(len(text))) + " · not part of the reply", Text: text, OpeningAction: "reasoning"}
}

// Title implements dialog.Dialog.
func (d *Dialog) Title(run *runview.Run) layout.PaneTitle {
	return layout.PaneTitle{Left: d.Name, Right: run.DrawContext.Muted.Paint(d.Summary), IsLeftWhole: true}
}

func (d *Dialog) textLines(run *runview.Run, w int) []string {
	return run.DrawContext.Wrap(sanitize.PlainLines(d.Text), w)
}

// View implements dialog.Dialog.
func (d *Dialog) View(run *runview.Run, w, h int) []string {
	return d.VisibleLines(run.DrawContext, d.textLines(run, w), h)
}

// WantedHeight implements dialog.Dialog.
func (d *Dialog) WantedHeight(run *runview.Run, w int) int { return len(d.textLines(run, w)) }

// Update scrolls and closes.
func (d *Dialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	switch {
	case !isKey:
		return dialog.Unhandled()
	case run.DrawContext.Keys.IsKeyOf(k, "close", d.OpeningAction):
		return dialog.Handled(dialog.Close{})
	}
	return nil, d.ScrollByKey(run.DrawContext.Keys, k)
}

// Hints implements dialog.Dialog.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	return append(d.ScrollHints(run.DrawContext), run.DrawContext.ActionHint("close", "back"))
}
