package rewrite

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"playhead/engine/journal"
	"playhead/engine/linediff"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/parse/infile"
	"playhead/parse/plan"
)

// RunDocuments are the documents with which a run was started.
type RunDocuments struct {
	Path string // the absolute path of the root document, which may be a folder
	// LoadPlan compiles the document as it is on disk now. instead replaces the contents of files, by
	// absolute path.
	LoadPlan func(instead map[string][]byte) *plan.Plan
	// ReadCopy reads the run's own copy of a file.
	ReadCopy func(path string) ([]byte, error)

	pendingContents map[string][]byte // the contents of files after the changes of WithChanges, by absolute path
}

// WithChanges returns the documents as they will be once the changes are written. Changes with an Err are ignored.
func (d RunDocuments) WithChanges(changes []FileChange) RunDocuments {
	load, pending := d.LoadPlan, map[string][]byte{}
	for _, c := range changes {
		if c.Err == nil {
			pending[c.File] = c.After
		}
	}
	d.pendingContents = pending
	d.LoadPlan = func(instead map[string][]byte) *plan.Plan {
		contents := maps.Clone(pending)
		maps.Copy(contents, instead)
		return load(contents)
	}
	return d
}

// readFile returns the contents that a file will have once the changes of WithChanges are written.
func (d RunDocuments) readFile(path string) ([]byte, error) {
	if data, isPending := d.pendingContents[path]; isPending {
		return data, nil
	}
	return infile.Read(path, infile.MaxPersonFileSize)
}

// FileChange is the change of a file by an edit.
type FileChange struct {
	Edit
	File          string // the absolute path of the file
	Line          int    // the line at which the text begins
	Before, After []byte
	NewWarnings   []string // warnings that the changed document would have, and the current one does not
	IsInDocument  bool     // the document already contains the edit
	Err           error    // why the edit cannot be written; nil: it can

	folder string // the document's folder, which contains File
}

// CanBeWritten reports whether writing the edit would change the file.
func (f FileChange) CanBeWritten() bool { return f.Err == nil && !f.IsInDocument }

// DescribeEdit returns the edit as a phrase, such as "the edit of step 3" or "the move of step 2".
func (f FileChange) DescribeEdit() string {
	if f.StepID != "" {
		return "the edit of step " + f.Label
	}
	return "the " + strings.TrimPrefix(f.Label, "a ") // which old journals write, as in "a copy of 2"
}

// FileWithEdit returns the name of the only file that already contains the edit of an event, else "". Call it while the
// edit is in force. findChanges returns the run's edits as changes of its documents; nil: that is not known.
func FileWithEdit(e machine.Event, findChanges func() ([]FileChange, error)) string {
	if findChanges == nil || !isEdit(e) {
		return ""
	}
	all, err := findChanges()
	if err != nil {
		return ""
	}
	file := ""
	for _, c := range all {
		switch {
		case !c.isOfEvent(e):
		case file != "", c.Err != nil, !c.IsInDocument: // of edits of the document, it is not known which file has which
			return ""
		default:
			file = filepath.Base(c.File)
		}
	}
	return file
}

// isEdit reports whether a person edited the document with an event.
func isEdit(e machine.Event) bool {
	switch b := e.Body.(type) {
	case *machine.ActionEdited:
		return true
	case *machine.DocumentReloaded:
		return b.EditSubject != ""
	}
	return false
}

// isOfEvent reports whether the change is that of an event that is an edit.
func (f FileChange) isOfEvent(e machine.Event) bool {
	if b, is := e.Body.(*machine.ActionEdited); is {
		return f.StepID == e.StepID() && f.Label == e.Step && f.ActionIndex == b.ActionIndex
	}
	return f.StepID == ""
}

// EditChanges returns the changes that edits would make, each by itself.
func (d RunDocuments) EditChanges(edits []Edit) []FileChange {
	out := make([]FileChange, len(edits))
	for i, e := range edits {
		out[i] = FileChange{Edit: e}
		out[i].Err = d.prepareChange(&out[i], edits)
	}
	return out
}

// prepareChange sets the fields of the change of out.Edit. It returns an error if the edit cannot be written. edits are
// all edits of the run.
func (d RunDocuments) prepareChange(out *FileChange, edits []Edit) error {
	e := out.Edit
	switch {
	case e.IsOfIncludedDocument():
		return errors.New("this step is in an included document: run that document to edit it")
	case strings.Contains(e.Text, journal.SecretPlaceholder):
		return ErrSecretInDocument
	}
	now := d.LoadPlan(nil)
	action, own, err := editedAction(now, e)
	if err != nil {
		return err
	}
	out.File, out.folder = d.filePath(action.TextLocation), d.folder()
	out.Line = action.TextLocation.Span.Line
	if out.Before, err = d.ReadUnchanged(out.File, edits); err != nil {
		return err
	}
	text := fitText(e.Text, own.EditableText(), action.TextLocation)
	if out.IsInDocument = text == own.EditableText(); out.IsInDocument {
		return nil
	}
	if out.After, err = replaceText(out.Before, action.TextLocation, own.EditableText(), text); err != nil {
		return err
	}
	after := d.LoadPlan(map[string][]byte{out.File: out.After})
	out.NewWarnings = newWarnings(now, after)
	return checkSameBehaviour(now, after, e, text)
}

// editedAction returns the action that an edit changes, with its text in the plan.
func editedAction(p *plan.Plan, e Edit) (plan.Action, plan.EditablePrompt, error) {
	step := p.FindStep(e.StepID)
	if step == nil || e.ActionIndex >= len(step.Actions) {
		return plan.Action{}, nil, errors.New("the document no longer has this step or its text")
	}
	a := step.Actions[e.ActionIndex]
	own, ok := plan.EditablePromptOf(a.Work)
	if !ok || a.TextLocation.IsZero() {
		return a, nil, errors.New("the step's text is not one continuous block in the document, so Playhead cannot replace it: edit the file yourself")
	}
	return a, own, nil
}

// filePath returns the file that contains an excerpt.
func (d RunDocuments) filePath(at plan.TextLocation) string {
	if at.File == "" {
		return d.Path
	}
	if abs, err := filepath.Abs(at.File); err == nil {
		return abs
	}
	return at.File
}

// folder returns the folder in which the document may be changed.
func (d RunDocuments) folder() string {
	if info, err := os.Stat(d.Path); err == nil && info.IsDir() {
		return d.Path
	}
	return filepath.Dir(d.Path)
}

// ReadUnchanged returns the contents of a file. It returns an error if they differ from the run's copy by more than edits
// of the run.
func (d RunDocuments) ReadUnchanged(file string, edits []Edit) ([]byte, error) {
	now, err := d.readFile(file)
	if err != nil {
		return nil, err
	}
	source, err := d.ReadCopy(file)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(source, now) && !bytes.Equal(d.withWrittenEdits(source, file, edits), now) {
		return nil, fmt.Errorf("%s has changed since the run last read it: edit the file yourself, or start a new run", filepath.Base(file))
	}
	return now, nil
}

// withWrittenEdits returns the contents of a file with those of the edits that the file on disk already has.
func (d RunDocuments) withWrittenEdits(contents []byte, file string, edits []Edit) []byte {
	if len(edits) == 0 {
		return contents
	}
	onDisk := d.LoadPlan(nil)
	for _, e := range edits {
		contents = d.contentsWithEdit(contents, file, e, onDisk)
	}
	return contents
}

// contentsWithEdit returns the contents of a file with the text of an edit, or of an earlier edit of the same action, if the
// document on disk has that text. Otherwise it returns them unchanged.
func (d RunDocuments) contentsWithEdit(contents []byte, file string, e Edit, onDisk *plan.Plan) []byte {
	_, own, err := editedAction(onDisk, e)
	if err != nil {
		return contents
	}
	action, original, err := editedAction(d.LoadPlan(map[string][]byte{file: contents}), e)
	if err != nil || d.filePath(action.TextLocation) != file {
		return contents
	}
	for _, text := range append(slices.Clone(e.earlierTexts), e.Text) {
		if text = fitText(text, original.EditableText(), action.TextLocation); text != own.EditableText() {
			continue
		}
		if edited, err := replaceText(contents, action.TextLocation, original.EditableText(), text); err == nil {
			return edited
		}
	}
	return contents
}

// fitText converts a text to the form that its place in the document requires.
func fitText(text, old string, at plan.TextLocation) string {
	if at.IsInlineJSON {
		return lineBreakPattern.ReplaceAllString(strings.TrimSpace(text), " ")
	}
	return withLineEndsOf(text, old)
}

// withLineEndsOf returns a text that ends with as many line ends as the text like.
func withLineEndsOf(text, like string) string {
	trimmed := strings.TrimRight(text, "\n")
	return trimmed + like[len(strings.TrimRight(like, "\n")):]
}

// newWarnings returns the warnings of the later plan that the earlier one does not have.
func newWarnings(before, after *plan.Plan) (warnings []string) {
	known := map[string]bool{}
	for _, d := range before.Diagnostics {
		known[d.Code+d.Message] = true
	}
	for _, d := range after.Diagnostics {
		if d.Severity == plan.Warning && !known[d.Code+d.Message] {
			warnings = append(warnings, d.MessageWithoutFile())
		}
	}
	return warnings
}

// Hunks returns the lines that change, without control characters.
func (f FileChange) Hunks() []linediff.Hunk {
	return linediff.CompareLines(plainLines(f.Before), plainLines(f.After))
}

func plainLines(file []byte) []string {
	all := linediff.SplitLines(file)
	for i, line := range all {
		all[i] = sanitize.Plain(line)
	}
	return all
}
