// Package start has the dialogs before a run: why a document cannot run, whether its commands are allowed,
// and what the run needs to know.
package start

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"playhead/parse/plan"
	"playhead/themes"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/layout"
	"playhead/tui/list"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// ProblemsDialog lists the diagnostics of a document that cannot run because it has errors.
type ProblemsDialog struct {
	dialog.OutputCoverer
	list.Scroller
}

// Title returns the number of errors.
func (p *ProblemsDialog) Title(run *runview.Run) layout.PaneTitle {
	n := 0
	for _, d := range run.Plan.Diagnostics {
		if d.Severity == plan.Error {
			n++
		}
	}
	return layout.PaneTitle{Left: run.DrawContext.Fail.Paint(plan.CountText(n, "error"))}
}

// View returns the diagnostics, and below them what to do, which shows however many there are.
func (p *ProblemsDialog) View(run *runview.Run, w, h int) []string {
	return p.VisibleLinesAboveFixed(run.DrawContext, problemLines(run, w), whatToDoLines(run, w), h)
}

func problemLines(run *runview.Run, w int) []string {
	return diagnosticLines(run.DrawContext, run.Plan.Diagnostics, run.Plan.Path, w)
}

func whatToDoLines(run *runview.Run, w int) []string {
	return append([]string{""}, run.DrawContext.Wrap(run.FillInKeys("{outside} to correct the document in your editor, then {reload} to open it again."), w)...)
}

// DocumentPlace returns the line of the first error.
func (p *ProblemsDialog) DocumentPlace(run *runview.Run) runview.DocumentPlace {
	return run.PlaceOfFirstError(run.Plan.Diagnostics)
}

// diagnosticLines returns lines about diagnostics. A place names its file unless it is in the
// document. A code that does not fit beside the place is the last line.
func diagnosticLines(dc *draw.Context, all []plan.Diagnostic, document string, w int) (out []string) {
	for i, d := range all {
		if i > 0 {
			out = append(out, "")
		}
		place, code := fmt.Sprintf("line %d, column %d", d.Line, d.Column), "  "+draw.CleanLine(d.Code)
		if d.File != document && d.File != "" {
			place = draw.CleanLine(d.File) + ", " + place
		}
		head := severityStyle(dc, d.Severity).Paint(string(d.Severity)) + dc.Muted.Paint("  "+place)
		fits := dc.Width(head)+dc.Width(code) <= w
		if fits {
			head += dc.Muted.Paint(code)
		}
		out = append(out, dc.Cut(head, w))
		out = append(out, dc.Wrap(draw.CleanLine(d.MessageWithoutFile()), w)...)
		out = append(out, dc.MarkedLines("  ", dc.PaintLines(dc.Muted, draw.CleanLine(d.Suggestion), w-2))...)
		if !fits {
			out = append(out, dc.Muted.Paint(dc.Cut(code, w)))
		}
	}
	return out
}

func severityStyle(dc *draw.Context, s plan.Severity) themes.Style {
	switch s {
	case plan.Error:
		return dc.Fail
	case plan.Info:
		return dc.Muted
	}
	return dc.Warn
}

// WantedHeight implements dialog.Dialog.
func (p *ProblemsDialog) WantedHeight(run *runview.Run, w int) int {
	return len(problemLines(run, w)) + len(whatToDoLines(run, w))
}

// AllowsAction implements dialog.ActionFilter: nothing can run, and the keys of the screen say so.
func (p *ProblemsDialog) AllowsAction(*keymap.KeyAction) bool { return true }

// Update scrolls. The dialog cannot be closed, because the document cannot run.
func (p *ProblemsDialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	switch {
	case !isKey:
		return dialog.Unhandled()
	case run.DrawContext.Keys.IsKeyOf(k, "close"):
		return dialog.Handled(request.FocusPanes{})
	}
	return nil, p.ScrollByKey(run.DrawContext.Keys, k)
}

// Hints implements dialog.Dialog.
func (p *ProblemsDialog) Hints(run *runview.Run) []draw.Hint {
	dc := run.DrawContext
	out := append([]draw.Hint{dc.ActionHint("outside", "edit")}, run.AvailableHints("reload")...)
	return append(append(out, p.ScrollHints(dc)...), dc.LookAroundHint())
}
