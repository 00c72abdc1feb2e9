package plan

import "strings"

// EditablePrompt is a Prompt around a text that the document writes, and that a person may
// write anew.
type EditablePrompt interface {
	Prompt
	// Own is the text as the document writes it.
	Own() string
	// With is the prompt that the document would have with another text in its place.
	With(text string) Prompt
}

// Excerpt is where the text of an action stands in a file. The zero value is nowhere,
// or in several places.
type Excerpt struct {
	File   string // as it was opened; "": the document itself
	Span   Span   // from where the text begins on; a fenced one with its fences
	Fenced bool
	Quoted bool // it is a JSON string, in its quotes
	JSON   bool // it is JSON inside a line
}

// None reports whether it is nowhere.
func (p Excerpt) None() bool { return p.Span == Span{} }

// EditableIn is the text of a work that a person may write anew, with its prompt. ok
// is false where there is none.
func EditableIn(w Work) (own EditablePrompt, ok bool) {
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

// Own implements EditablePrompt.
func (t Text) Own() string { return Source(t) }

// With implements EditablePrompt: what refers to something goes on doing so wherever the
// text has it.
func (t Text) With(text string) Prompt {
	for _, p := range t {
		if p.Instance == "" && p.Var == "" {
			continue
		}
		if before, after, found := strings.Cut(text, p.Literal); found {
			return joined(t.pieces(before), Text{p}, t.pieces(after))
		}
	}
	return Literal(text)
}

func (t Text) pieces(text string) Text {
	if out, ok := t.With(text).(Text); ok {
		return out
	}
	return nil
}

func joined(parts ...Text) (out Text) {
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}
