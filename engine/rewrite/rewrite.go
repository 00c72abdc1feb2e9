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
	"strings"

	"playhead/engine/machine"
	"playhead/engine/outfile"
	"playhead/parse/infile"
)

// Edit is the text with which a person replaced the text of an action.
type Edit struct {
	StepID      string // its ID
	Label       string
	ActionIndex int
	Text        string

	earlierTexts []string // the texts of earlier edits of the same action
}

// isOfAction reports whether the edit is one of this action.
func (e Edit) isOfAction(step string, action int) bool {
	return e.StepID == step && e.ActionIndex == action
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
		kept := out[:0:0]
		for _, o := range out {
			if o.Label == edit.Label && o.isOfAction(edit.StepID, edit.ActionIndex) {
				edit.earlierTexts = append(o.earlierTexts, o.Text)
				continue
			}
			kept = append(kept, o)
		}
		out = append(kept, edit)
	}
	return withoutUndoneEdits(out)
}

// editsAfterReload returns the edits that still apply after a reload, with the steps' new IDs.
func editsAfterReload(all []Edit, b *machine.DocumentReloaded) (out []Edit) {
	id := b.NewIDs("")
	acts := map[string]bool{}
	for _, s := range b.MatchedSteps {
		acts[s.OldID] = acts[s.OldID] || s.Document == "" && s.ActionsChanged
	}
	for _, e := range all {
		if e.isOfIncludedDocument() { // an edit of an included document cannot be written anyway
			out = append(out, e)
			continue
		}
		if to := id(e.StepID); to != "" && !acts[e.StepID] {
			if e.Label == e.StepID {
				e.Label = to
			}
			e.StepID = to
			out = append(out, e)
		}
	}
	return out
}

// withoutUndoneEdits returns the edits that were not undone.
func withoutUndoneEdits(all []Edit) []Edit {
	out := all[:0:0]
	for _, e := range all {
		if e.Text != "" {
			out = append(out, e)
		}
	}
	return out
}

// isOfIncludedDocument reports whether the edit is of a step in an included document.
func (e Edit) isOfIncludedDocument() bool { return strings.Contains(e.Label, "/") }

// Write writes the change, as a whole or not at all. The file must be as it was when the change was
// made, and in the document's folder after following links.
func (f FileChange) Write() error {
	if f.Err != nil || f.IsInDocument {
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
		return fmt.Errorf("%s is a link to %[2]s, which is outside the document's folder: edit %[2]s yourself", f.File, file)
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
