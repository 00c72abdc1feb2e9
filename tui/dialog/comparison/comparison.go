// Package comparison is the dialog that shows this run beside another one.
package comparison

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine/compare"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/runview"
	"playhead/tui/sidebyside"
)

// Dialog takes the whole screen.
type Dialog struct {
	of   *compare.Comparison
	view *sidebyside.View
}

// New returns the dialog of a comparison, and a command that reads the texts of the selected item.
func New(c *compare.Comparison) (*Dialog, tea.Cmd) {
	d := &Dialog{c, sidebyside.New(c)}
	return d, d.read()
}

// textsRead is the message with the texts of a pair that differ.
type textsRead struct {
	of    *compare.Comparison
	pair  int
	texts []compare.Text
	err   error
}

// Overflow returns how many items are out of sight.
func (d *Dialog) Overflow() panes.Overflow { return d.view.Overflow() }

// Title implements dialog.Dialog.
func (d *Dialog) Title(run *runview.Run) panes.Title { return d.view.Title(run.Look) }

// View implements dialog.Dialog.
func (d *Dialog) View(run *runview.Run, w, h int) []string { return d.view.Lines(run.Look, w, h) }

// Height returns 1: the dialog fills the screen anyway.
func (d *Dialog) Height(*runview.Run, int) int { return 1 }

// MayCoverOutput implements dialog.Dialog.
func (d *Dialog) MayCoverOutput(*runview.Run) bool { return true }

// IsFullScreen implements dialog.FullScreen.
func (d *Dialog) IsFullScreen() bool { return true }

// Signs explains the signs in the margin.
func (d *Dialog) Signs() [][2]string {
	return [][2]string{
		{"≠", "the paths diverge; a value that a route asks about"}, {"~", "in both, and differs"},
		{"- +", "only in this run, only in the other"}, {"⇢ !", "a person's override"},
	}
}

// Update moves the selection, and takes texts that were read.
func (d *Dialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	switch msg := msg.(type) {
	case dialog.Click:
		d.view.Click(msg.Y)
		return d.settle()
	case tea.KeyPressMsg:
		return d.key(run, msg)
	case textsRead:
		if msg.of == d.of {
			d.view.SetTexts(msg.pair, msg.texts, msg.err)
			return nil, true
		}
	}
	return dialog.Unhandled()
}

func (d *Dialog) key(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	keys := run.Look.Keys
	by, moves := list.Movement(keys, k, 1)
	switch {
	case keys.Is(k, "page-up", "page-down"):
		d.view.Scrolled(keys, k)
	case moves:
		d.view.Move(by)
	case keys.Is(k, "next-match"):
		return d.seek(1, "Nothing differs below this.")
	case keys.Is(k, "previous-match"):
		return d.seek(-1, "Nothing differs above this.")
	case keys.Is(k, "close", "compare"):
		return dialog.Send(dialog.Close{})
	default:
		return dialog.Unhandled()
	}
	return d.settle()
}

// seek selects the next item that differs. If there is none, it says none.
func (d *Dialog) seek(by int, none string) ([]tea.Msg, bool) {
	if !d.view.Seek(by) {
		return dialog.Send(request.Say{Text: none})
	}
	return d.settle()
}

// settle reads the texts of the selected item.
func (d *Dialog) settle() ([]tea.Msg, bool) { return dialog.Send(request.Background{Cmd: d.read()}) }

// read returns a command that reads the texts of the selected pair, nil if it needs none.
func (d *Dialog) read() tea.Cmd {
	i, unread := d.view.UnreadPair()
	if !unread {
		return nil
	}
	return func() tea.Msg {
		texts, err := d.of.Texts(d.of.Pairs[i])
		return textsRead{d.of, i, texts, err}
	}
}

// Hints implements dialog.Dialog.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	l := run.Look
	out := []draw.Hint{l.UpDown("select"), l.Press("next-match", "next difference")}
	if len(d.view.ScrollHints(l)) > 0 {
		out = append(out, l.Press("page-down", "scroll"))
	}
	return append(out, l.Press("close", "back"))
}
