// Package changedfiles is the dialog with the files that a run changed. It shows each as a diff, and can
// restore it to its state before the run.
package changedfiles

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/linediff"
	"playhead/engine/sanitize"
	"playhead/engine/wording"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Files shows one of the files at a time.
type Files struct {
	files []engine.FileDiff
	at    int
	list.Scroller
}

// Unavailable returns why there are no files to show, "" if there are some.
func Unavailable(run *runview.Run) string {
	return string(control.Find("restore").Unavailable(run.Run, control.Args{}))
}

// Open opens the dialog, or tells the person that no files were changed.
func Open(files []engine.FileDiff) []tea.Msg {
	if len(files) == 0 {
		return []tea.Msg{request.Say{Text: string(control.NoChangedFiles)}}
	}
	return []tea.Msg{dialog.Open{Dialog: &Files{files: files}}}
}

// Title returns the name of the file.
func (d *Files) Title(run *runview.Run) panes.Title {
	f := d.files[d.at]
	place := fmt.Sprintf("%d of %s  ", d.at+1, wording.Count(len(d.files), "changed file"))
	return panes.Title{Left: draw.Clean(f.Path), Right: run.Look.Muted.Paint(place) + run.Look.Counts(linediff.Diff{Hunks: f.Hunks()})}
}

// View implements dialog.Dialog.
func (d *Files) View(run *runview.Run, w, h int) []string {
	return d.Window(run.Look, d.all(run.Look, w), h)
}

// Height implements dialog.Dialog.
func (d *Files) Height(run *runview.Run, w int) int { return len(d.all(run.Look, w)) }

// MayCoverOutput implements dialog.Dialog.
func (d *Files) MayCoverOutput(*runview.Run) bool { return true }

func (d *Files) all(l *draw.Look, w int) []string {
	f := d.files[d.at]
	about := "Changed by " + draw.Clean(strings.Join(f.Steps, ", "))
	if f.Before == "" {
		about = "New, by " + draw.Clean(strings.Join(f.Steps, ", "))
	}
	out := []string{l.Muted.Paint(l.Cut(about, w))}
	if f.Problem != "" {
		return append(out, l.Wrap(sanitize.Text(f.Problem), w)...)
	}
	return append(out, l.Hunks(f.Hunks(), w)...)
}

// Update moves between the files, and restores them.
func (d *Files) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	switch keys := run.Look.Keys; {
	case !isKey:
		return dialog.Unhandled()
	case keys.Is(k, "close", "files"):
		return dialog.Send(dialog.Close{})
	case keys.Is(k, "next-field"):
		d.turn(1)
	case keys.Is(k, "previous-field"):
		d.turn(-1)
	case keys.Is(k, "restore-file"):
		return d.restore(d.files[d.at].Path, d.restored()), true
	case keys.Is(k, "restore-all"):
		return d.restore("all", "All files are as they were before the run."), true
	default:
		return nil, d.Scrolled(keys, k)
	}
	return dialog.Send()
}

func (d *Files) turn(by int) {
	d.at = (d.at + by + len(d.files)) % len(d.files)
	d.Scroller = list.Scroller{}
}

// restored returns what restoring the file has done, in a sentence.
func (d *Files) restored() string {
	f := d.files[d.at]
	text := draw.Clean(f.Path) + " is as it was before the run."
	if f.Before == "" {
		text = draw.Clean(f.Path) + " is removed, because it was not there before the run."
	}
	if len(d.files) > 1 {
		text += " {files} to show the other files."
	}
	return text
}

func (d *Files) restore(path, restored string) []tea.Msg {
	return []tea.Msg{
		dialog.Close{}, request.Do{Action: "restore", Args: control.Args{Text: path}},
		request.Say{Text: restored},
	}
}

// Hints implements dialog.Dialog.
func (d *Files) Hints(run *runview.Run) []draw.Hint {
	l := run.Look
	out := append([]draw.Hint{l.Press("restore-file", "restore it"), l.Press("restore-all", "restore all")}, d.ScrollHints(l)...)
	if len(d.files) > 1 {
		out = append(out, l.Press("next-field", "next file"))
	}
	return append(out, l.Press("close", "back"))
}
