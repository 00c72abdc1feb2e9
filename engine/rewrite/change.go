package rewrite

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"playhead/engine/journal"
	"playhead/engine/linediff"
	"playhead/engine/sanitize"
	"playhead/parse/infile"
	"playhead/parse/plan"
)

// Documents are the documents with which a run was started.
type Documents struct {
	Path string // of the root document, or of the folder that it is; absolute
	// Load compiles the document as it is on disk now. instead replaces the contents of files, by
	// absolute path.
	Load func(instead map[string][]byte) *plan.Plan
	// Copy reads the run's own copy of a file.
	Copy func(path string) ([]byte, error)
}

// Change is the change of a file by an edit.
type Change struct {
	Edit
	File          string // absolute
	Line          int    // the line at which the text begins
	Before, After []byte
	Notes         []string // warnings that the changed document would have, and the current one does not
	InDocument    bool     // the document already contains the edit
	Err           error    // why the edit cannot be written; nil: it can

	folder string
}

// Name returns the edit as a phrase, such as "the edit of step 3", "the move of 2" or "a copy of
// 2".
func (c Change) Name() string {
	switch {
	case c.Step != "":
		return "the edit of step " + c.Label
	case strings.HasPrefix(c.Label, "a "):
		return c.Label
	}
	return "the " + c.Label
}

// Drafts returns the changes that edits would make, each by itself.
func (d Documents) Drafts(edits []Edit) []Change {
	out := make([]Change, len(edits))
	for i, e := range edits {
		out[i] = Change{Edit: e}
		out[i].Err = d.draft(&out[i], edits)
	}
	return out
}

func (d Documents) draft(out *Change, edits []Edit) error {
	e := out.Edit
	switch {
	case e.inChild():
		return errors.New("it is a step of an included document: run that document to edit it")
	case strings.Contains(e.Text, journal.Masked):
		return errors.New("it contains a secret, which must not go into a document")
	}
	now := d.Load(nil)
	action, own, err := actionOf(now, e)
	if err != nil {
		return err
	}
	out.File, out.folder = d.path(action.Text), d.folder()
	out.Line = action.Text.Span.Line
	if out.Before, err = infile.Read(out.File, infile.Given); err != nil {
		return err
	}
	if err := d.checkUnchanged(out.File, out.Before, edits); err != nil {
		return err
	}
	text := fitText(e.Text, own.DocumentText(), action.Text)
	if out.InDocument = text == own.DocumentText(); out.InDocument {
		return nil
	}
	if out.After, err = replaceText(out.Before, action.Text, own.DocumentText(), text); err != nil {
		return err
	}
	after := d.Load(map[string][]byte{out.File: out.After})
	out.Notes = newNotes(now, after)
	return checkSameBehaviour(now, after, e, text)
}

// actionOf returns the action that an edit changes, with its text in the plan.
func actionOf(p *plan.Plan, e Edit) (plan.Action, plan.EditablePrompt, error) {
	step := p.Find(e.Step)
	if step == nil || e.Action >= len(step.Actions) {
		return plan.Action{}, nil, errors.New("the document no longer has this step")
	}
	a := step.Actions[e.Action]
	own, ok := plan.EditableIn(a.Work)
	if !ok || a.Text.IsZero() {
		return a, nil, errors.New("its text does not stand in one place in the document, so it cannot be edited as one")
	}
	return a, own, nil
}

// path returns the file that contains an excerpt.
func (d Documents) path(at plan.Excerpt) string {
	if at.File == "" {
		return d.Path
	}
	if abs, err := filepath.Abs(at.File); err == nil {
		return abs
	}
	return at.File
}

// folder returns the folder in which the document may be changed.
func (d Documents) folder() string {
	if info, err := os.Stat(d.Path); err == nil && info.IsDir() {
		return d.Path
	}
	return filepath.Dir(d.Path)
}

// checkUnchanged returns an error if the file differs from the run's copy by more than the run's own edits.
func (d Documents) checkUnchanged(file string, now []byte, edits []Edit) error {
	source, err := d.Copy(file)
	if err != nil {
		return err
	}
	if bytes.Equal(source, now) {
		return nil
	}
	for _, e := range edits {
		source = d.withEdit(source, file, e)
	}
	if !bytes.Equal(source, now) {
		return fmt.Errorf("%s has changed since the run started: edit the file yourself, or start a new run", filepath.Base(file))
	}
	return nil
}

// withEdit returns the original contents with an edit, if the file now has that edit or an earlier one.
func (d Documents) withEdit(was []byte, file string, e Edit) []byte {
	_, own, err := actionOf(d.Load(nil), e)
	if err != nil {
		return was
	}
	action, original, err := actionOf(d.Load(map[string][]byte{file: was}), e)
	if err != nil || d.path(action.Text) != file {
		return was
	}
	for _, text := range append(slices.Clone(e.earlierTexts), e.Text) {
		if text = fitText(text, original.DocumentText(), action.Text); text != own.DocumentText() {
			continue
		}
		if is, err := replaceText(was, action.Text, original.DocumentText(), text); err == nil {
			return is
		}
	}
	return was
}

// fitText converts a text to the form that its place in the document requires.
func fitText(text, old string, at plan.Excerpt) string {
	if at.JSON {
		return lineEnds.ReplaceAllString(strings.TrimSpace(text), " ")
	}
	return withEndingOf(text, old)
}

// withEndingOf returns a text with the line ends at the end of another one.
func withEndingOf(text, like string) string {
	trimmed := strings.TrimRight(text, "\n")
	return trimmed + like[len(strings.TrimRight(like, "\n")):]
}

// newNotes returns the warnings of the later plan that the earlier one does not have.
func newNotes(before, after *plan.Plan) (notes []string) {
	known := map[string]bool{}
	for _, d := range before.Diagnostics {
		known[d.Code+d.Message] = true
	}
	for _, d := range after.Diagnostics {
		if d.Severity == plan.Warning && !known[d.Code+d.Message] {
			notes = append(notes, d.MessageWithoutFile())
		}
	}
	return notes
}

// Hunks returns the lines that change, without control characters.
func (d Change) Hunks() []linediff.Hunk {
	return linediff.Lines(lines(d.Before), lines(d.After))
}

func lines(file []byte) []string {
	all := linediff.Split(file)
	for i, line := range all {
		all[i] = sanitize.Plain(line)
	}
	return all
}

// WriteDiff writes the change as a unified diff. name is the name of the file in the diff.
func (d Change) WriteDiff(w io.Writer, name string) error {
	name = sanitize.Plain(name)
	if _, err := fmt.Fprintf(w, "--- %s\n+++ %s\n", name, name); err != nil {
		return err
	}
	for _, h := range d.Hunks() {
		if _, err := fmt.Fprintln(w, h.Head()); err != nil {
			return err
		}
		for _, l := range h {
			if _, err := fmt.Fprintf(w, "%s%s\n", l.Op, l.Text); err != nil {
				return err
			}
		}
	}
	return nil
}
