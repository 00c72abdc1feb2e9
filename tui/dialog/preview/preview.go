// Package preview shows what a change does before it is made.
package preview

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/layout"
	"playhead/tui/list"
	"playhead/tui/runview"
)

// Dialog shows a change, and requests it if the person agrees.
type Dialog struct {
	Name            string
	Summary         func(*draw.Context) string             // returns a summary of the change, painted
	ChangeLines     func(run *runview.Run, w int) []string // returns the change in lines of w cells
	YesRequests     []tea.Msg                              // requested if the person answers yes
	YesVerb         string                                 // what answering yes does, for the hint; "": the change cannot be made
	EnterAnswersYes bool
	NoRequests      []tea.Msg // requested if the person answers no
	NoVerb          string    // what answering no does, for the hint
	dialog.OutputCoverer
	dialog.Confirmation
	list.Scroller
}

// Title implements dialog.Dialog.
func (d *Dialog) Title(run *runview.Run) layout.PaneTitle {
	return layout.PaneTitle{Left: draw.CleanLine(d.Name), Right: d.Summary(run.DrawContext), IsLeftWhole: true}
}

// View returns the change. The last line of the screen shows the answers.
func (d *Dialog) View(run *runview.Run, w, h int) []string {
	return d.VisibleLines(run.DrawContext, d.ChangeLines(run, w), h)
}

// WantedHeight implements dialog.Dialog.
func (d *Dialog) WantedHeight(run *runview.Run, w int) int { return len(d.ChangeLines(run, w)) }

// Update implements dialog.Dialog.
func (d *Dialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	keys := run.DrawContext.Keys
	accepts := isKey && keys.IsKeyOf(k, "accept")
	switch {
	case !isKey, keys.IsKeyOf(k, "interrupt"):
		return dialog.Unhandled()
	case d.YesVerb != "" && (keys.IsKeyOf(k, "yes") || accepts && d.EnterAnswersYes):
		return dialog.Handled(append([]tea.Msg{dialog.Close{}}, d.YesRequests...)...)
	case keys.IsKeyOf(k, "no", "close", "quit"), accepts && d.YesVerb == "":
		return dialog.Handled(append([]tea.Msg{dialog.Close{}}, d.NoRequests...)...)
	}
	return nil, d.ScrollByKey(keys, k)
}

// Hints implements dialog.Dialog.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	dc := run.DrawContext
	if d.YesVerb == "" {
		return []draw.Hint{dc.ActionHint("close", d.NoVerb)}
	}
	return append([]draw.Hint{dc.ActionHint("yes", d.YesVerb), dc.ActionHint("no", d.NoVerb)}, d.ScrollHints(dc)...)
}
