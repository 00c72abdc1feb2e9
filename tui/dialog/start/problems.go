// Package start has the dialogs before a run: why a document cannot run, whether its commands are allowed,
// and what the run needs to know.
package start

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Problems lists the diagnostics of a document that cannot run because it has errors.
type Problems struct {
	list.Scroller
}

// Title returns the number of errors.
func (p *Problems) Title(run *runview.Run) panes.Title {
	n := 0
	for _, d := range run.Plan.Diagnostics {
		if d.Severity == plan.Error {
			n++
		}
	}
	return panes.Title{Left: "This document cannot be run", Right: run.Look.Fail.Paint(wording.Count(n, "error"))}
}

// View implements dialog.Dialog.
func (p *Problems) View(run *runview.Run, w, h int) []string {
	return p.Window(run.Look, p.all(run, w), h)
}

func (p *Problems) all(run *runview.Run, w int) []string {
	out := append(findings(run.Look, run.Plan.Diagnostics, run.Plan.Path, w), "")
	return append(out, run.Look.Wrap(run.Sentence("{outside} to correct it in your editor, then {reload} to open it again."), w)...)
}

// Place returns the line of the first error.
func (p *Problems) Place(run *runview.Run) runview.Place {
	return run.PlaceOfFirstError(run.Plan.Diagnostics)
}

// findings returns lines about diagnostics. It names the file if that is not the document. A code that does
// not fit beside the place is below the message.
func findings(l *draw.Look, all []plan.Diagnostic, document string, w int) (out []string) {
	for i, d := range all {
		if i > 0 {
			out = append(out, "")
		}
		ink := l.Warn
		switch d.Severity {
		case plan.Error:
			ink = l.Fail
		case plan.Info:
			ink = l.Muted
		}
		place, code := fmt.Sprintf("line %d, column %d", d.Line, d.Column), "  "+draw.Clean(d.Code)
		if d.File != document && d.File != "" {
			place = draw.Clean(d.File) + ", " + place
		}
		head := ink.Paint(string(d.Severity)) + l.Muted.Paint("  "+place)
		fits := l.Width(head)+l.Width(code) <= w
		if fits {
			head += l.Muted.Paint(code)
		}
		out = append(out, l.Cut(head, w))
		out = append(out, l.Wrap(draw.Clean(d.MessageWithoutFile()), w)...)
		for _, line := range l.Wrap(draw.Clean(d.Suggestion), w-2) {
			out = append(out, l.Muted.Paint("  "+line))
		}
		if !fits {
			out = append(out, l.Muted.Paint(l.Cut(code, w)))
		}
	}
	return out
}

// Height implements dialog.Dialog.
func (p *Problems) Height(run *runview.Run, w int) int { return len(p.all(run, w)) }

// MayCoverOutput implements dialog.Dialog.
func (p *Problems) MayCoverOutput(*runview.Run) bool { return true }

// Update scrolls. The dialog cannot be closed, because the document cannot run.
func (p *Problems) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	switch {
	case !isKey:
		return dialog.Unhandled()
	case run.Look.Keys.Is(k, "close"):
		return dialog.Send(request.FocusPanes{})
	}
	return nil, p.Scrolled(run.Look.Keys, k)
}

// Hints implements dialog.Dialog.
func (p *Problems) Hints(run *runview.Run) []draw.Hint {
	l := run.Look
	out := append([]draw.Hint{l.Press("outside", "edit")}, run.Hints("reload")...)
	return append(append(out, p.ScrollHints(l)...), l.Press("close", "look around"))
}
