// Package longtext shows a text that is too long for its pane.
package longtext

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine/sanitize"
	"playhead/engine/wording"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
	"playhead/tui/runview"
)

// Dialog is a text that scrolls.
type Dialog struct {
	Name, About string
	Text        string
	Action      string // the action that opened it, whose key closes it
	list.Scroller
}

// Reasoning returns the dialog with what a model thought before it replied.
func Reasoning(text string) *Dialog {
	return &Dialog{Name: "Reasoning", About: wording.Size(int64(len(text))) + " · not part of the reply", Text: text, Action: "reasoning"}
}

// Title implements dialog.Dialog.
func (d *Dialog) Title(run *runview.Run) panes.Title {
	return panes.Title{Left: d.Name, Right: run.Look.Muted.Paint(d.About)}
}

func (d *Dialog) all(run *runview.Run, w int) []string {
	return run.Look.Wrap(sanitize.Text(d.Text), w)
}

// View implements dialog.Dialog.
func (d *Dialog) View(run *runview.Run, w, h int) []string {
	return d.Window(run.Look, d.all(run, w), h)
}

// Height implements dialog.Dialog.
func (d *Dialog) Height(run *runview.Run, w int) int { return len(d.all(run, w)) }

// MayCoverOutput implements dialog.Dialog.
func (d *Dialog) MayCoverOutput(*runview.Run) bool { return true }

// Update scrolls and closes.
func (d *Dialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	switch {
	case !isKey:
		return dialog.Unhandled()
	case run.Look.Keys.Is(k, "close", d.Action):
		return dialog.Send(dialog.Close{})
	}
	return nil, d.Scrolled(run.Look.Keys, k)
}

// Hints implements dialog.Dialog.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	return append(d.ScrollHints(run.Look), run.Look.Press("close", "back"))
}
