package edit

import (
	"fmt"
	"path/filepath"
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/control"
	"playhead/engine/linediff"
	"playhead/engine/rewrite"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/tui/dialog"
	"playhead/tui/dialog/preview"
	"playhead/tui/draw"
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

// PrepareWriteBack finds an edit that the document does not have yet, and makes a change of it. Edits of the document
// itself and of the selected step come first. The label, not the row, names that step: a reload may change the row meanwhile.
func PrepareWriteBack(selectedLabel string, findChanges func() ([]rewrite.FileChange, error)) tea.Cmd {
	return func() tea.Msg {
		all, err := findChanges()
		msg := WriteBackMsg{NoChangeErr: err}
		msg.IsInDocument = true // edits that cancel each other change nothing
		unwritten := slices.DeleteFunc(slices.Clone(all), func(c rewrite.FileChange) bool { return c.IsInDocument })
		if len(unwritten) == 0 {
			return msg
		}
		i := slices.IndexFunc(unwritten, func(c rewrite.FileChange) bool { return c.StepID == "" || c.Label == selectedLabel })
		msg.FileChange = unwritten[max(0, i)]
		return msg
	}
}

// UnchangedTextMessage is the message after an edit of the document's text that changes nothing.
const UnchangedTextMessage = "No change: the document already has this text."

// Requests shows the change, or says that there is nothing to write.
func (w WriteBackMsg) Requests(run *runview.Run) []tea.Msg {
	switch {
	case w.NoChangeErr != nil:
		return []tea.Msg{request.SayUntilKey{Text: wording.ErrorSentence(w.NoChangeErr)}}
	case w.IsWritten:
		text := "Wrote " + draw.CleanLine(w.DescribeEdit()) + " into " + draw.CleanLine(filepath.Base(w.File)) + "."
		if !run.Track.IsOver() {
			text += " This run continues with its own copy of the document."
		}
		return []tea.Msg{request.SayUntilKey{Text: text}}
	case w.IsInDocument:
		return []tea.Msg{request.SayUntilKey{Text: UnchangedTextMessage}}
	}
	return []tea.Msg{dialog.Open{Dialog: newWriteBackDialog(w.FileChange)}}
}

// WriteBackUnavailableReason returns why there is no edit to write into the document, "" if there is one.
func WriteBackUnavailableReason(run *runview.Run) string {
	switch r := run.SelectedRow; {
	case !run.IsBegun:
		return control.NotStartedReason
	case r == nil:
		return control.NoStepReason
	case !hasStepEdit(run) && !hasDocumentEdit(run):
		return "This run has no edits. {edit} to edit the step."
	}
	return ""
}

// hasStepEdit reports whether the run has an edit of a step.
func hasStepEdit(run *runview.Run) bool {
	return slices.ContainsFunc(run.Track.AllRows(), func(r *track.Row) bool { return len(r.EditedTexts) > 0 })
}

// hasDocumentEdit reports whether the run has an edit of the document itself.
func hasDocumentEdit(run *runview.Run) bool {
	snapshots, _ := rewrite.EditSnapshots(run.Events)
	return len(snapshots) > 0
}

// newWriteBackDialog shows an edit as a change of the document, which it writes after a confirmation, or why it
// cannot be written.
func newWriteBackDialog(change rewrite.FileChange) *preview.Dialog {
	if change.Err != nil {
		return &preview.Dialog{
			Name:    "Cannot write " + change.DescribeEdit(),
			Summary: func(*draw.Context) string { return "" },
			ChangeLines: func(run *runview.Run, w int) []string {
				dc := run.DrawContext
				return append(dc.Wrap(draw.CleanLine(wording.ErrorSentence(change.Err)), w), dc.Muted.Paint("The edit still applies to this run."))
			},
			NoVerb: "back",
		}
	}
	return &preview.Dialog{
		Name:    fmt.Sprintf("Change %s?", filepath.Base(change.File)),
		Summary: func(dc *draw.Context) string { return dc.DiffCounts(linediff.Diff{Hunks: change.Hunks()}) },
		ChangeLines: func(run *runview.Run, w int) []string {
			out := run.DrawContext.Wrap(draw.CleanLine(fmt.Sprintf("At line %d: %s.", change.Line, change.DescribeEdit())), w)
			for _, n := range change.NewWarnings {
				out = append(out, run.DrawContext.Wrap("The document would have a warning: "+draw.CleanLine(n), w)...)
			}
			return append(out, run.DrawContext.HunkLines(change.Hunks(), w)...)
		},
		YesRequests: []tea.Msg{request.Background{Cmd: func() tea.Msg {
			written := change
			written.Err = written.Write()
			return WriteBackMsg{FileChange: written, IsWritten: written.Err == nil}
		}}},
		YesVerb: "write it", NoVerb: "cancel",
	}
}
