package plan

import (
	"slices"
	"strconv"
	"strings"
)

// Count is a number of things: 1 step, 2 steps.
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// Prompt renders text for a person, a model or a command. It is plain data with
// one pure method.
type Prompt interface {
	Render(Scope) (Rendered, error)
}

// Rendered is a prompt's text and what there is to say of it.
type Rendered struct {
	Text   string
	Notes  []Note
	Origin Origin
}

// Origin is where a prompt's text came from, where it could be from several places.
type Origin struct {
	From  string   `json:"prompt_from,omitempty"`  // a file, or what took its place
	Tried []string `json:"prompt_tried,omitempty"` // the files that it could have been, in order

	Filled []Filled `json:"prompt_filled,omitempty"` // each name once, in the order of the text
}

// Filled is a name in a prompt, and what was put in its place. Its keys in JSON are such
// that the journal masks secrets in it.
type Filled struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Fill notes that a name was filled in; nil keeps no notes.
func (o *Origin) Fill(name, value string) {
	if o != nil && !slices.ContainsFunc(o.Filled, func(f Filled) bool { return f.Name == name }) {
		o.Filled = append(o.Filled, Filled{name, value})
	}
}

// Text is the Prompt most formats need: literals and references, joined.
type Text []Piece

// Piece is a literal, the instance number of a template step, or a variable.
// A reference whose value is missing renders as Literal.
type Piece struct {
	Literal  string
	Instance string // the id of a template step
	Var      string
}

// Literal is a Text without references, or nil for the empty text.
func Literal(s string) Prompt {
	if s == "" {
		return nil
	}
	return Text{{Literal: s}}
}

// Constant reports whether the text is one literal.
func (t Text) Constant() bool { return len(t) == 1 && t[0].Instance == "" && t[0].Var == "" }

// Render joins the pieces, with references replaced by their values in scope. A
// nil scope leaves references as the document writes them.
func (t Text) Render(scope Scope) (Rendered, error) {
	if t.Constant() {
		return Rendered{Text: t[0].Literal}, nil
	}
	var b strings.Builder
	for _, p := range t {
		b.WriteString(p.render(scope))
	}
	return Rendered{Text: b.String()}, nil
}

func (p Piece) render(scope Scope) string {
	switch {
	case scope == nil:
	case p.Instance != "":
		if n := scope.Instance(p.Instance); n > 0 {
			return strconv.Itoa(n)
		}
	case p.Var != "":
		if v, ok := scope.Var(p.Var); ok {
			return TextOf(v)
		}
	}
	return p.Literal
}

// Source is the text of a prompt as the document writes it: references stay
// unfilled. It is empty for a nil prompt and for one that cannot be rendered.
func Source(p Prompt) string { return Show(p, nil) }

// Show renders a prompt for display: in scope, or as written with a nil scope.
func Show(p Prompt, scope Scope) string { return RenderForDisplay(p, scope).Text }

// Numbers is the scope of labels and titles: the instance numbers of steps, by their ids.
type Numbers map[string]int

// Var implements Scope.
func (n Numbers) Var(string) (any, bool) { return nil, false }

// Instance implements Scope.
func (n Numbers) Instance(step string) int { return n[step] }

// Outcome implements Scope.
func (n Numbers) Outcome() Outcome { return Outcome{} }

// RenderForDisplay returns a prompt for display, with where it comes from. One that cannot be rendered
// yet is as the document writes it.
func RenderForDisplay(p Prompt, scope Scope) Rendered {
	if p == nil {
		return Rendered{}
	}
	r, err := p.Render(scope)
	if err != nil && scope != nil {
		written, _ := p.Render(nil)
		r.Text = written.Text
	}
	return r
}

// Failure is what a run says that the failure of a step ended: a Prompt.
type Failure struct{ Label string }

// Render implements Prompt. Without a scope there is no failure to speak of.
func (f Failure) Render(scope Scope) (Rendered, error) {
	if scope == nil {
		return Rendered{}, nil
	}
	text := "step " + f.Label + " failed"
	if why := scope.Outcome().Reason; why != "" {
		text += ": " + why
	}
	return Rendered{Text: text}, nil
}
