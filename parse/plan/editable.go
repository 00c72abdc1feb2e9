package plan

import (
	"fmt"
	"slices"
	"strings"
)

// EditablePrompt is a Prompt around a text of the document that a person can edit.
type EditablePrompt interface {
	Prompt
	// EditableText returns the text as the document writes it.
	EditableText() string
	// WithText returns the prompt with another text in its place.
	WithText(text string) Prompt
}

// TextLocation says where a text of the Plan stands in a file. It is zero if the text is nowhere, or in
// several places.
type TextLocation struct {
	File         string // the path as it was opened; "" is the document itself
	Span         Span   // a fenced text includes its fences
	IsFenced     bool
	IsQuotedJSON bool // a JSON string, with its quotes
	IsInlineJSON bool // JSON inside a line
	IsJSONMember bool // a member of a JSON object, with its key
}

// WholeLine returns the location of a whole line of the document.
func WholeLine(line int) TextLocation {
	return TextLocation{Span: Span{Line: line, Column: 1, LastLine: line}}
}

// IsZero reports whether no place is known.
func (t TextLocation) IsZero() bool { return t.Span == Span{} }

// EditablePromptOf returns the prompt of w that a person can edit. ok is false if there is none.
func EditablePromptOf(w Work) (own EditablePrompt, ok bool) {
	var p Prompt
	switch w := w.(type) {
	case Command:
		p = w.Text
	case Model:
		p = w.Prompt
	case Tool:
		p = w.Args
	}
	own, ok = p.(EditablePrompt)
	return own, ok
}

var _ EditablePrompt = Text{}

// EditableText implements EditablePrompt.
func (t Text) EditableText() string { return SourceText(t) }

// WithText implements EditablePrompt. References that also occur in the new text stay references.
func (t Text) WithText(text string) Prompt {
	if out := t.splitAtReferences(text); len(out) > 0 {
		return out
	}
	return nil
}

// splitAtReferences divides a text into literals and the references of t that occur in it.
func (t Text) splitAtReferences(text string) Text {
	if text == "" {
		return nil
	}
	for _, p := range t {
		if p.TemplateStep == "" && p.Variable == "" {
			continue
		}
		if before, after, found := strings.Cut(text, p.Literal); found {
			return slices.Concat(t.splitAtReferences(before), Text{p}, t.splitAtReferences(after))
		}
	}
	return Text{{Literal: text}}
}

// StepEdit is a change of a document's steps.
type StepEdit struct {
	Verb      StepVerb
	Step      string // the ID of the step to change
	After     bool   // of an insertion or a move: behind the other step instead of before it
	OtherStep string // of a move: the ID of the step to which it is moved
	Text      string // of an insertion: the step as the document writes it, or its title alone
}

// StepVerb is a kind of StepEdit.
type StepVerb string

// The kinds of changes. A new step is inserted before or behind the given step.
const (
	InsertStep    StepVerb = "insert"
	DuplicateStep StepVerb = "duplicate"
	RemoveStep    StepVerb = "remove"
	MoveStep      StepVerb = "move"
)

// StepEditError says why no StepEdit can be made in a Plan with IgnoresFileOrder, or of a format without
// edits of steps.
func (p *Plan) StepEditError() error {
	return fmt.Errorf("steps of a %s cannot be inserted, duplicated, removed or moved here, because its routes decide their order", p.FormatTitle)
}
