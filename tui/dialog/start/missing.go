package start

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/layout"
	"playhead/tui/list"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// MissingNeedsDialog lists what a run needs but lacks, and asks whether it should begin anyway.
type MissingNeedsDialog struct {
	Diagnostics  []plan.Diagnostic
	BeginRequest BeginRun // requested if the answer is yes
	dialog.OutputCoverer
	list.Scroller
}

// Title returns how many diagnostics of each severity there are.
func (d *MissingNeedsDialog) Title(run *runview.Run) layout.PaneTitle {
	counts := map[plan.Severity]int{}
	for _, f := range d.Diagnostics {
		counts[f.Severity]++
	}
	var parts []string
	for _, s := range []plan.Severity{plan.Error, plan.Warning, plan.Info} {
		text := plan.CountText(counts[s], string(s))
		if s == plan.Info {
			text = fmt.Sprintf("%d info", counts[s])
		}
		if counts[s] > 0 {
			parts = append(parts, severityStyle(run.DrawContext, s).Paint(text))
		}
	}
	return layout.PaneTitle{Left: "Run it anyway?", Right: strings.Join(parts, run.DrawContext.Muted.Paint(", "))}
}

// View implements dialog.Dialog.
func (d *MissingNeedsDialog) View(run *runview.Run, w, h int) []string {
	return d.VisibleLinesAboveFixed(run.DrawContext, d.bodyLines(run, w), run.DrawContext.AnswerLines(d.AnswerHints(run), w), h)
}

func (d *MissingNeedsDialog) bodyLines(run *runview.Run, w int) []string {
	out := append(run.DrawContext.Wrap(wording.MissingNeedsText+" Nothing runs until you answer.", w), "")
	return append(out, diagnosticLines(run.DrawContext, d.Diagnostics, run.Plan.Path, w)...)
}

// WantedHeight implements dialog.Dialog.
func (d *MissingNeedsDialog) WantedHeight(run *runview.Run, w int) int {
	return len(d.bodyLines(run, w)) + len(run.DrawContext.AnswerLines(d.AnswerHints(run), w))
}

// BlocksRun returns true: nothing runs before the answer.
func (d *MissingNeedsDialog) BlocksRun() bool { return true }

// Update implements dialog.Dialog.
func (d *MissingNeedsDialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	switch keys := run.DrawContext.Keys; {
	case !isKey:
		return dialog.Unhandled()
	case keys.IsKeyOf(k, "yes"):
		return dialog.Handled(dialog.Close{}, d.BeginRequest)
	case keys.IsKeyOf(k, "no"):
		return dialog.Handled(request.PressKeyOf{Action: "quit"})
	case keys.IsKeyOf(k, "close"):
		return dialog.Handled(request.FocusPanes{}, nothingRunsNotice)
	}
	return nil, d.ScrollByKey(run.DrawContext.Keys, k)
}

// Hints implements dialog.Dialog.
func (d *MissingNeedsDialog) Hints(run *runview.Run) []draw.Hint {
	return append(d.ScrollHints(run.DrawContext), run.DrawContext.LookAroundHint(), quitHint(run.DrawContext))
}

// AnswerHints implements dialog.AnswerLister.
func (d *MissingNeedsDialog) AnswerHints(run *runview.Run) []draw.Hint {
	dc := run.DrawContext
	return []draw.Hint{dc.ActionHint("yes", "run it"), dc.ActionHint("outside", "edit the document")}
}

// quitHint returns the keys that quit before anything runs: the answer no, and the key that quits everywhere.
func quitHint(dc *draw.Context) draw.Hint {
	h := dc.ActionHint("quit", "quit")
	h.Key = dc.Keys.FirstKeyText("no") + " " + h.Key
	return h
}

// nothingRunsNotice is what a dialog that blocks the run says when a person leaves it for the panes.
var nothingRunsNotice = request.Say{Text: "Nothing runs until you answer. {answer} to go back to the question."}
