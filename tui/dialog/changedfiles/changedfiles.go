// Package changedfiles is the dialog with the files that a run changed. It shows each as a diff, and can
// restore it to its state before the run.
package changedfiles

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/linediff"
	"playhead/engine/sanitize"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/layout"
	"playhead/tui/list"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Dialog shows one of the files at a time.
type Dialog struct {
	files     []engine.FileDiff
	fileIndex int
	dialog.OutputCoverer
	list.Scroller
}

// UnavailableReason returns why there are no files to show, "" if there are some.
func UnavailableReason(run *runview.Run) string {
	return string(control.FindAction("restore").UnavailableReason(run.RunView, control.Args{}))
}

// Open opens the dialog, or tells the person that no files were changed.
func Open(files []engine.FileDiff) []tea.Msg {
	if len(files) == 0 {
		return []tea.Msg{request.Say{Text: string(control.NoChangedFilesReason)}}
	}
	return []tea.Msg{dialog.Open{Dialog: &Dialog{files: files}}}
}

// Title returns the name of the file.
func (d *Dialog) Title(run *runview.Run) layout.PaneTitle {
	f := d.files[d.fileIndex]
	place := fmt.Sprintf("%d of %s  ", d.fileIndex+1, plan.CountText(len(d.files), "changed file"))
	return layout.PaneTitle{Left: draw.CleanLine(f.Path), Right: run.DrawContext.Muted.Paint(place) + run.DrawContext.DiffCounts(linediff.Diff{Hunks: f.Hunks()})}
}

// View implements dialog.Dialog.
func (d *Dialog) View(run *runview.Run, w, h int) []string {
	return d.VisibleLines(run.DrawContext, d.fileLines(run.DrawContext, w), h)
}

// WantedHeight implements dialog.Dialog.
func (d *Dialog) WantedHeight(run *runview.Run, w int) int {
	return len(d.fileLines(run.DrawContext, w))
}

func (d *Dialog) fileLines(dc *draw.Context, w int) []string {
	f := d.files[d.fileIndex]
	about := "Changed by " + draw.CleanLine(wording.StepsText(f.StepLabels))
	if f.HashBefore == "" {
		about = "Created by " + draw.CleanLine(wording.StepsText(f.StepLabels))
	}
	out := []string{dc.Muted.Paint(dc.Cut(about, w))}
	if f.Problem != "" {
		return append(out, dc.Wrap(sanitize.PlainLines(f.Problem), w)...)
	}
	return append(out, dc.HunkLines(f.Hunks(), w)...)
}

// Update moves between the files, and restores them.
func (d *Dialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	switch keys := run.DrawContext.Keys; {
	case !isKey:
		return dialog.Unhandled()
	case keys.IsKeyOf(k, "close", "files"):
		return dialog.Handled(dialog.Close{})
	case keys.IsKeyOf(k, "next-field"):
		d.switchFile(1)
	case keys.IsKeyOf(k, "previous-field"):
		d.switchFile(-1)
	case keys.IsKeyOf(k, "restore-file"):
		return d.restoreRequests(d.files[d.fileIndex].Path, d.restoringText()), true
	case keys.IsKeyOf(k, "restore-all"):
		return d.restoreRequests("all", d.restoringAllText()), true
	default:
		return nil, d.ScrollByKey(keys, k)
	}
	return dialog.Handled()
}

func (d *Dialog) switchFile(by int) {
	d.fileIndex = (d.fileIndex + by + len(d.files)) % len(d.files)
	d.Scroller = list.Scroller{}
}

// restoringText returns what restoring the file does, in a sentence.
func (d *Dialog) restoringText() string {
	f := d.files[d.fileIndex]
	text := "Restoring " + draw.CleanLine(f.Path) + " to its content before the run."
	if f.HashBefore == "" {
		text = "Removing " + draw.CleanLine(f.Path) + ", because it was not there before the run."
	}
	if len(d.files) > 1 {
		text += " {files} to show the other files."
	}
	return text
}

// restoringAllText returns what restoring all files does, in a sentence.
func (d *Dialog) restoringAllText() string {
	text := "Restoring all listed files to their content before the run"
	if slices.ContainsFunc(d.files, func(f engine.FileDiff) bool { return f.HashBefore == "" }) {
		text += ", and removing those that were not there before the run"
	}
	return text + "."
}

// restoreRequests announces the restoring first, so that an error of it is shown last and stays.
func (d *Dialog) restoreRequests(path, restoring string) []tea.Msg {
	return []tea.Msg{
		dialog.Close{}, request.Say{Text: restoring},
		request.Do{Action: "restore", Args: control.Args{Text: path}},
	}
}

// Hints implements dialog.Dialog.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	dc := run.DrawContext
	out := append([]draw.Hint{dc.ActionHint("restore-file", "restore it"), dc.ActionHint("restore-all", "restore all")}, d.ScrollHints(dc)...)
	if len(d.files) > 1 {
		out = append(out, dc.ActionHint("next-field", "next file"))
	}
	return append(out, dc.ActionHint("close", "back"))
}
