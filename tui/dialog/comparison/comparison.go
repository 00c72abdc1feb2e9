// Package comparison is the dialog that shows this run beside another one.
package comparison

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine/compare"
	"playhead/tui/comparisonview"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/layout"
	"playhead/tui/list"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Dialog takes the whole screen.
type Dialog struct {
	dialog.FullScreen
	comparison *compare.Comparison
	view       *comparisonview.View
}

// New returns the dialog of a comparison, and a command that reads the texts of the selected item.
func New(c *compare.Comparison) (*Dialog, tea.Cmd) {
	d := &Dialog{comparison: c, view: comparisonview.New(c)}
	return d, d.readTextsCmd()
}

// textsRead is the message with the texts of a pair that differ.
type textsRead struct {
	comparison *compare.Comparison
	pairIndex  int
	texts      []compare.TextDifference
	err        error
}

// Overflow returns how many items are out of sight.
func (d *Dialog) Overflow() layout.Overflow { return d.view.Overflow() }

// Title implements dialog.Dialog.
func (d *Dialog) Title(run *runview.Run) layout.PaneTitle { return d.view.Title(run.DrawContext) }

// View implements dialog.Dialog.
func (d *Dialog) View(run *runview.Run, w, h int) []string {
	return d.view.Lines(run.DrawContext, w, h)
}

// Legend explains the signs in the margin.
func (d *Dialog) Legend() [][2]string {
	return [][2]string{
		{"≠", "the paths diverge here, or a value that a route depends on is different"}, {"~", "in both runs, but different"},
		{"- +", "only in this run, only in the other"}, {"⇢ !", "changed by a person"},
	}
}

// Update moves the selection, and takes texts that were read.
func (d *Dialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	switch msg := msg.(type) {
	case dialog.Click:
		d.view.Click(msg.Y)
		return d.readTextsOfSelected()
	case tea.KeyPressMsg:
		return d.handleKey(run, msg)
	case textsRead:
		if msg.comparison == d.comparison {
			d.view.SetTexts(msg.pairIndex, msg.texts, msg.err)
			return nil, true
		}
	}
	return dialog.Unhandled()
}

func (d *Dialog) handleKey(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	keys := run.DrawContext.Keys
	by, moves := list.KeyMovement(keys, k, 1)
	switch {
	case keys.IsKeyOf(k, "page-up", "page-down"):
		d.view.ScrollByKey(keys, k)
	case moves:
		d.view.MoveSelection(by)
	case keys.IsKeyOf(k, "next-match"):
		return d.selectNextDifference(1, "Nothing differs below this.")
	case keys.IsKeyOf(k, "previous-match"):
		return d.selectNextDifference(-1, "Nothing differs above this.")
	case keys.IsKeyOf(k, "close", "compare"):
		return dialog.Handled(dialog.Close{})
	default:
		return dialog.Unhandled()
	}
	return d.readTextsOfSelected()
}

// selectNextDifference selects the next item that differs. If there is none, it says none.
func (d *Dialog) selectNextDifference(by int, none string) ([]tea.Msg, bool) {
	if !d.view.SelectNextDifference(by) {
		return dialog.Handled(request.Say{Text: none})
	}
	return d.readTextsOfSelected()
}

// readTextsOfSelected reads the texts of the selected item.
func (d *Dialog) readTextsOfSelected() ([]tea.Msg, bool) {
	return dialog.Handled(request.Background{Cmd: d.readTextsCmd()})
}

// readTextsCmd returns a command that reads the texts of the selected pair, nil if it needs none.
func (d *Dialog) readTextsCmd() tea.Cmd {
	i, unread := d.view.UnreadPair()
	if !unread {
		return nil
	}
	return func() tea.Msg {
		texts, err := d.comparison.TextDifferences(d.comparison.Pairs[i])
		return textsRead{d.comparison, i, texts, err}
	}
}

// Hints implements dialog.Dialog.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	dc := run.DrawContext
	out := []draw.Hint{dc.UpDownHint("select")}
	switch {
	case d.view.HasNextDifference(1):
		out = append(out, dc.ActionHint("next-match", "difference"))
	case d.view.HasNextDifference(-1):
		out = append(out, dc.ActionHint("previous-match", "difference"))
	}
	if len(d.view.ScrollHints(dc)) > 0 {
		out = append(out, dc.ActionHint("page-down", "scroll"))
	}
	return append(out, dc.ActionHint("close", "back"))
}
