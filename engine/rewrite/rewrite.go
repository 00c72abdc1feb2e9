// Package rewrite writes a person's edits in a run into the document: the text of a command, of a
// prompt, of a tool's arguments.
//
// It knows no format. The Plan says where each text is. The changed document is parsed again, and the
// change is proposed only if the result behaves like the edited run and is the same in everything else.
// This also finds text that has a special meaning at its place.
package rewrite

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/engine/outfile"
	"playhead/parse/infile"
)

// Edit is the text with which a person replaced the text of an action.
type Edit struct {
	StepID      string // the ID of the action's step; empty: the edit is a change of the document's files
	Label       string // the label of the step, or what was changed in the files
	ActionIndex int    // the index of the action in its step
	Text        string // the new text; empty: the edit was undone

	earlierTexts []string // the texts of earlier edits of the same action
}

// EditsInForce returns the edits in force at the end of a run, in the order in which they were made.
func EditsInForce(events []machine.Event) []Edit {
	var out []Edit
	for _, e := range machine.LiveBranch(events) {
		if b, reloads := e.Body.(*machine.DocumentReloaded); reloads {
			out = editsAfterReload(out, b)
		}
		b, ok := e.Body.(*machine.ActionEdited)
		if !ok {
			continue
		}
		edit := Edit{StepID: e.StepID(), Label: e.Step, ActionIndex: b.ActionIndex, Text: b.Text}
		out = slices.DeleteFunc(out, func(o Edit) bool {
			isSameAction := o.Label == edit.Label && o.StepID == edit.StepID && o.ActionIndex == edit.ActionIndex
			if isSameAction {
				edit.earlierTexts = append(o.earlierTexts, o.Text)
			}
			return isSameAction
		})
		out = append(out, edit)
	}
	return slices.DeleteFunc(out, func(e Edit) bool { return e.Text == "" })
}

// editsAfterReload returns the edits that still apply after a reload, with the steps' new IDs.
func editsAfterReload(all []Edit, b *machine.DocumentReloaded) (out []Edit) {
	newID := b.NewIDs("")
	actionsChanged := map[string]bool{} // by the step's old ID
	for _, s := range b.MatchedSteps {
		actionsChanged[s.OldID] = actionsChanged[s.OldID] || s.Document == "" && s.ActionsChanged
	}
	for _, e := range all {
		if e.IsOfIncludedDocument() { // an edit of an included document cannot be written anyway
			out = append(out, e)
			continue
		}
		if to := newID(e.StepID); to != "" && !actionsChanged[e.StepID] {
			if e.Label == e.StepID {
				e.Label = to
			}
			e.StepID = to
			out = append(out, e)
		}
	}
	return out
}

// IsOfIncludedDocument reports whether the edit is of a step in an included document.
func (e Edit) IsOfIncludedDocument() bool { return strings.Contains(e.Label, "/") }

// Write writes the change, as a whole or not at all. The file must be as it was when the change was
// made, and in the document's folder after following links.
func (f FileChange) Write() error {
	if !f.CanBeWritten() {
		return f.Err
	}
	file, err := filepath.EvalSymlinks(f.File)
	if err != nil {
		return err
	}
	folder, err := filepath.EvalSymlinks(f.folder)
	if err != nil {
		return err
	}
	if rel, err := filepath.Rel(folder, file); err != nil || !filepath.IsLocal(rel) {
		return fmt.Errorf("%s is outside the document's folder: edit it yourself", file)
	}
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", f.File)
	case info.Mode().Perm()&0o200 == 0:
		return fmt.Errorf("%s is not writable: change its permissions first", f.File)
	}
	now, err := infile.Read(file, infile.MaxPersonFileSize)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, f.Before) {
		return errors.New("the file changed in the meantime: review the edit again")
	}
	return outfile.Write(file, f.After, true, "the edit")
}
