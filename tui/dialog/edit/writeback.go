package edit

import (
	"fmt"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/control"
	"playhead/engine/linediff"
	"playhead/engine/rewrite"
	"playhead/engine/track"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// WriteBackMsg is the message with an edit as a change of its document. Failed is why there is no change.
type WriteBackMsg struct {
	rewrite.Change
	Written bool
	Failed  error
}

// Prepare finds the first edit that the document does not have yet, of the step or of the document itself,
// and makes a change of it. An edit of the document itself comes first.
func Prepare(r *track.Row, drafts func() ([]rewrite.Change, error)) tea.Cmd {
	return func() tea.Msg {
		all, err := drafts()
		last := WriteBackMsg{Failed: err}
		last.InDocument = true // edits that cancel each other change nothing
		for _, d := range all {
			if d.Step != "" && d.Label != r.Label {
				continue
			}
			if last.Change = d; !d.InDocument {
				break
			}
		}
		return last
	}
}

// Requests shows the change, or says that there is nothing to write.
func (d WriteBackMsg) Requests() []tea.Msg {
	switch {
	case d.Failed != nil:
		return []tea.Msg{request.Say{Text: d.Failed.Error()}}
	case d.Written:
		return []tea.Msg{request.Say{Text: "Wrote " + draw.Clean(d.Name()) + " into " + draw.Clean(filepath.Base(d.File)) + ". This run continues with its own copy of the document."}}
	case d.InDocument:
		return []tea.Msg{request.Say{Text: "No change: the document already has this text."}}
	}
	return []tea.Msg{dialog.Open{Dialog: &WriteBack{Draft: d.Change}}}
}

// CannotWrite returns why there is no edit of the selected step to write into the document, "" if there is
// one.
func CannotWrite(run *runview.Run) string {
	switch r := run.Selected; {
	case !run.Begun:
		return control.NotStarted
	case r == nil:
		return control.NoStep
	case len(r.Edits) == 0 && !hasDocumentEdit(run):
		return "This step has no edit. {edit} to edit it."
	}
	return ""
}

// hasDocumentEdit reports whether the run has an edit of the document itself.
func hasDocumentEdit(run *runview.Run) bool {
	snapshots, _ := rewrite.DocumentEdits(run.Events)
	return len(snapshots) > 0
}

// WriteBack shows an edit as a change of the document, and writes it after a confirmation.
type WriteBack struct {
	Draft rewrite.Change
	list.Scroller
}

// Title implements dialog.Dialog.
func (d *WriteBack) Title(run *runview.Run) panes.Title {
	if d.Draft.Err != nil {
		return panes.Title{Left: "Cannot write " + draw.Clean(d.Draft.Name())}
	}
	return panes.Title{
		Left:  fmt.Sprintf("Write into %s, line %d: %s?", draw.Clean(filepath.Base(d.Draft.File)), d.Draft.Line, draw.Clean(d.Draft.Name())),
		Right: run.Look.Counts(linediff.Diff{Hunks: d.Draft.Hunks()}),
	}
}

// View implements dialog.Dialog.
func (d *WriteBack) View(run *runview.Run, w, h int) []string {
	return d.Window(run.Look, d.all(run.Look, w), h)
}

// Height implements dialog.Dialog.
func (d *WriteBack) Height(run *runview.Run, w int) int { return len(d.all(run.Look, w)) }

// MayCoverOutput implements dialog.Dialog.
func (d *WriteBack) MayCoverOutput(*runview.Run) bool { return true }

// HasOwnKeys returns true: the key that quits answers no.
func (d *WriteBack) HasOwnKeys() bool { return true }

// all returns the change with the warnings that it would cause, or why it cannot be written.
func (d *WriteBack) all(l *draw.Look, w int) (out []string) {
	if d.Draft.Err != nil {
		return append(l.Wrap(draw.Clean(d.Draft.Err.Error()), w), l.Muted.Paint("The edit still applies to this run."))
	}
	for _, n := range d.Draft.Notes {
		out = append(out, l.Wrap("The document would have a warning: "+draw.Clean(n), w)...)
	}
	return append(out, l.Hunks(d.Draft.Hunks(), w)...)
}

// Update answers and scrolls.
func (d *WriteBack) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	switch keys := run.Look.Keys; {
	case !isKey, keys.Is(k, "interrupt"):
		return dialog.Unhandled()
	case keys.Is(k, "close", "no", "quit"), d.Draft.Err != nil && keys.Is(k, "accept"):
		return dialog.Send(dialog.Close{})
	case d.Scrolled(keys, k):
		return dialog.Send()
	case d.Draft.Err != nil:
		return dialog.Send(request.Say{Text: "{close} to go back."})
	case keys.Is(k, "yes"):
		return dialog.Send(dialog.Close{}, request.Background{Cmd: d.write})
	}
	return dialog.Send(request.Say{Text: "{yes} to write it, or {no} to leave the document unchanged."})
}

func (d *WriteBack) write() tea.Msg {
	draft := d.Draft
	draft.Err = draft.Write()
	return WriteBackMsg{Change: draft, Written: draft.Err == nil}
}

// Hints implements dialog.Dialog.
func (d *WriteBack) Hints(run *runview.Run) []draw.Hint {
	l := run.Look
	if d.Draft.Err != nil {
		return []draw.Hint{l.Press("close", "back")}
	}
	return append([]draw.Hint{l.Press("yes", "write it"), l.Press("no", "cancel")}, d.ScrollHints(l)...)
}
