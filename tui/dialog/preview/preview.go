// Package preview shows what a change of the document does before it is made.
package preview

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Dialog shows a change, and requests it if the person agrees.
type Dialog struct {
	Name  string
	About string                                 // a summary of the change
	Body  func(run *runview.Run, w int) []string // returns the change in lines of w cells
	Yes   []tea.Msg                              // requested if the person answers yes
	No    []tea.Msg                              // requested if the person answers no
	Back  string                                 // what answering no does, for the hint
	list.Scroller
}

// Title implements dialog.Dialog.
func (d *Dialog) Title(run *runview.Run) panes.Title {
	return panes.Title{Left: draw.Clean(d.Name), Right: run.Look.Muted.Paint(draw.Clean(d.About))}
}

// View returns the change. The last line of the screen shows the answers.
func (d *Dialog) View(run *runview.Run, w, h int) []string {
	return d.Window(run.Look, d.Body(run, w), h)
}

// Height implements dialog.Dialog.
func (d *Dialog) Height(run *runview.Run, w int) int { return len(d.Body(run, w)) }

// MayCoverOutput implements dialog.Dialog.
func (d *Dialog) MayCoverOutput(*runview.Run) bool { return true }

// HasOwnKeys returns true: the key that quits answers no.
func (d *Dialog) HasOwnKeys() bool { return true }

// Update implements dialog.Dialog.
func (d *Dialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	switch keys := run.Look.Keys; {
	case !isKey, keys.Is(k, "interrupt"):
		return dialog.Unhandled()
	case keys.Is(k, "yes", "accept"):
		return dialog.Send(append([]tea.Msg{dialog.Close{}}, d.Yes...)...)
	case keys.Is(k, "no", "close", "quit"):
		return dialog.Send(append([]tea.Msg{dialog.Close{}}, d.No...)...)
	case d.Scrolled(keys, k):
		return dialog.Send()
	}
	return dialog.Send(request.Say{Text: "{yes} to use it, or {no} to " + d.Back + "."})
}

// Hints implements dialog.Dialog.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	l := run.Look
	return append([]draw.Hint{l.Press("yes", "use it"), l.Press("no", d.Back)}, d.ScrollHints(l)...)
}
