package edit

import (
	"fmt"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/control"
	"playhead/engine/linediff"
	"playhead/engine/rewrite"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/layout"
	"playhead/tui/list"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// WriteBackMsg is the message with an edit as a change of its document. It holds an error if there is no
// change.
type WriteBackMsg struct {
	rewrite.FileChange
	IsWritten   bool
	NoChangeErr error
}

// PrepareWriteBack finds the first edit that the document does not have yet, of the step or of the document
// itself, and makes a change of it. An edit of the document itself comes first.
func PrepareWriteBack(r *track.Row, findChanges func() ([]rewrite.FileChange, error)) tea.Cmd {
	return func() tea.Msg {
		all, err := findChanges()
		last := WriteBackMsg{NoChangeErr: err}
		last.IsInDocument = true // edits that cancel each other change nothing
		for _, d := range all {
			if d.StepID != "" && d.Label != r.Label {
				continue
			}
			if last.FileChange = d; !d.IsInDocument {
				break
			}
		}
		return last
	}
}

// UnchangedTextMessage is the message after an edit of the document's text that changes nothing.
const UnchangedTextMessage = "No change: the document already has this text."

// Requests shows the change, or says that there is nothing to write.
func (w WriteBackMsg) Requests() []tea.Msg {
	switch {
	case w.NoChangeErr != nil:
		return []tea.Msg{request.Say{Text: wording.ErrorSentence(w.NoChangeErr)}}
	case w.IsWritten:
		return []tea.Msg{request.Say{Text: "Wrote " + draw.CleanLine(w.DescribeEdit()) + " into " + draw.CleanLine(filepath.Base(w.File)) + ". This run continues with its own copy of the document."}}
	case w.IsInDocument:
		return []tea.Msg{request.Say{Text: UnchangedTextMessage}}
	}
	return []tea.Msg{dialog.Open{Dialog: &WriteBackDialog{Change: w.FileChange}}}
}

// CannotWriteBackReason returns why there is no edit of the selected step to write into the document, "" if
// there is one.
func CannotWriteBackReason(run *runview.Run) string {
	switch r := run.SelectedRow; {
	case !run.IsBegun:
		return control.NotStartedReason
	case r == nil:
		return control.NoStepReason
	case len(r.EditedTexts) == 0 && !hasDocumentEdit(run):
		return "This step has no edit. {edit} to edit it."
	}
	return ""
}

// hasDocumentEdit reports whether the run has an edit of the document itself.
func hasDocumentEdit(run *runview.Run) bool {
	snapshots, _ := rewrite.EditSnapshots(run.Events)
	return len(snapshots) > 0
}

// WriteBackDialog shows an edit as a change of the document, and writes it after a confirmation.
type WriteBackDialog struct {
	Change rewrite.FileChange
	dialog.OutputCoverer
	list.Scroller
}

// Title implements dialog.Dialog.
func (d *WriteBackDialog) Title(run *runview.Run) layout.PaneTitle {
	if d.Change.Err != nil {
		return layout.PaneTitle{Left: "Cannot write " + draw.CleanLine(d.Change.DescribeEdit())}
	}
	return layout.PaneTitle{
		Left:  fmt.Sprintf("Write into %s, line %d: %s?", draw.CleanLine(filepath.Base(d.Change.File)), d.Change.Line, draw.CleanLine(d.Change.DescribeEdit())),
		Right: run.DrawContext.DiffCounts(linediff.Diff{Hunks: d.Change.Hunks()}),
	}
}

// View implements dialog.Dialog.
func (d *WriteBackDialog) View(run *runview.Run, w, h int) []string {
	return d.VisibleLines(run.DrawContext, d.changeLines(run.DrawContext, w), h)
}

// Height implements dialog.Dialog.
func (d *WriteBackDialog) Height(run *runview.Run, w int) int {
	return len(d.changeLines(run.DrawContext, w))
}

// UsesHelpAndQuitKeys returns true: the key that quits answers no.
func (d *WriteBackDialog) UsesHelpAndQuitKeys() bool { return true }

// changeLines returns the change with the warnings that it would cause, or why it cannot be written.
func (d *WriteBackDialog) changeLines(dc *draw.Context, w int) (out []string) {
	if d.Change.Err != nil {
		return append(dc.Wrap(draw.CleanLine(wording.ErrorSentence(d.Change.Err)), w), dc.Muted.Paint("The edit still applies to this run."))
	}
	for _, n := range d.Change.NewWarnings {
		out = append(out, dc.Wrap("The document would have a warning: "+draw.CleanLine(n), w)...)
	}
	return append(out, dc.HunkLines(d.Change.Hunks(), w)...)
}

// Update answers and scrolls.
func (d *WriteBackDialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	switch keys := run.DrawContext.Keys; {
	case !isKey, keys.IsKeyOf(k, "interrupt"):
		return dialog.Unhandled()
	case keys.IsKeyOf(k, "close", "no", "quit"), d.Change.Err != nil && keys.IsKeyOf(k, "accept"):
		return dialog.Handled(dialog.Close{})
	case d.Change.Err == nil && keys.IsKeyOf(k, "yes"):
		return dialog.Handled(dialog.Close{}, request.Background{Cmd: d.writeChange})
	}
	return nil, d.ScrollByKey(run.DrawContext.Keys, k)
}

func (d *WriteBackDialog) writeChange() tea.Msg {
	change := d.Change
	change.Err = change.Write()
	return WriteBackMsg{FileChange: change, IsWritten: change.Err == nil}
}

// Hints implements dialog.Dialog.
func (d *WriteBackDialog) Hints(run *runview.Run) []draw.Hint {
	dc := run.DrawContext
	if d.Change.Err != nil {
		return []draw.Hint{dc.ActionHint("close", "back")}
	}
	return append([]draw.Hint{dc.ActionHint("yes", "write it"), dc.ActionHint("no", "cancel")}, d.ScrollHints(dc)...)
}
