package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// CountText returns a number with its noun: 1 step, 2 steps, 1,200 lines.
func CountText(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return FormatThousands(n) + " " + noun
}

// FormatThousands formats a count with separators.
func FormatThousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// CutText returns a text of at most this many characters, and "…" in place of the rest.
func CutText(text string, maxChars int) string {
	if r := []rune(text); len(r) > maxChars {
		return string(r[:maxChars]) + "…"
	}
	return text
}

// FirstBytes returns the first maxBytes of a text, or fewer: they end before a line end if one is in their
// second half, and never inside a character.
func FirstBytes(text string, maxBytes int) string {
	if len(text) <= maxBytes {
		return text
	}
	for maxBytes > 0 && !utf8.RuneStart(text[maxBytes]) {
		maxBytes--
	}
	text = text[:maxBytes]
	if i := strings.LastIndexByte(text, '\n'); i > len(text)/2 {
		return text[:i]
	}
	return text
}

// LastBytes returns the last maxBytes of a text, or fewer: they begin after a line end if one is in their first
// half, and never inside a character.
func LastBytes(text string, maxBytes int) string {
	start := len(text) - maxBytes
	if start <= 0 {
		return text
	}
	for start < len(text) && !utf8.RuneStart(text[start]) {
		start++
	}
	text = text[start:]
	if i := strings.IndexByte(text, '\n'); i >= 0 && i < len(text)/2 {
		return text[i+1:]
	}
	return text
}

// MaxValueChars limits a value in a sentence, in characters.
const MaxValueChars = 40

// Prompt renders text for a person, a model or a command. It is plain data with one pure method.
type Prompt interface {
	Render(Scope) (Rendered, error)
}

// StepDataPrompt is a Prompt outside all steps that contains data of the document's steps.
type StepDataPrompt interface {
	Prompt
	WithoutStepData() Prompt
}

// Rendered is the text of a prompt, with warnings and its origin.
type Rendered struct {
	Text     string
	Warnings []RunWarning
	Origin   PromptOrigin
}

// PromptOrigin says where a prompt's text came from, if there were several possible places.
type PromptOrigin struct {
	From          string   `json:"prompt_from,omitempty"`  // a file, or what took its place
	SearchedPaths []string `json:"prompt_tried,omitempty"` // the files that it could have been, in order

	FilledVariables []FilledVariable `json:"prompt_filled,omitempty"` // each name once, in the order of the text
}

// FilledVariable is a variable in a prompt with its value. The journal masks secrets in values under these
// JSON keys.
type FilledVariable struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// AddFilledVariable records that a variable was filled in, once per name. A nil PromptOrigin records nothing.
func (o *PromptOrigin) AddFilledVariable(name, value string) {
	if o != nil && !slices.ContainsFunc(o.FilledVariables, func(f FilledVariable) bool { return f.Name == name }) {
		o.FilledVariables = append(o.FilledVariables, FilledVariable{name, value})
	}
}

// Text is a Prompt of literals and references.
type Text []TextPiece

// TextPiece is a literal, an instance number, or a variable. A reference without a value renders as
// Literal.
type TextPiece struct {
	Literal      string
	TemplateStep string // the id of a template step
	Variable     string
}

// Literal returns a Text without references, or nil for "".
func Literal(s string) Prompt {
	if s == "" {
		return nil
	}
	return Text{{Literal: s}}
}

// IsLiteral reports whether the text is a single literal.
func (t Text) IsLiteral() bool { return len(t) == 1 && t[0].TemplateStep == "" && t[0].Variable == "" }

// Render implements Prompt. A nil scope leaves references as the document writes them.
func (t Text) Render(scope Scope) (Rendered, error) {
	if t.IsLiteral() {
		return Rendered{Text: t[0].Literal}, nil
	}
	var b strings.Builder
	for _, p := range t {
		b.WriteString(p.render(scope))
	}
	return Rendered{Text: b.String()}, nil
}

func (p TextPiece) render(scope Scope) string {
	switch {
	case scope == nil:
	case p.TemplateStep != "":
		if n := scope.Instance(p.TemplateStep); n > 0 {
			return strconv.Itoa(n)
		}
	case p.Variable != "":
		if v, ok := scope.Var(p.Variable); ok {
			return ValueText(v)
		}
	}
	return p.Literal
}

// SourceText returns a prompt as the document writes it, with references unfilled. It returns "" for a
// nil prompt and for one that cannot be rendered.
func SourceText(p Prompt) string { return TextForDisplay(p, nil) }

// TextForDisplay renders a prompt for display. A nil scope leaves it as the document writes it.
func TextForDisplay(p Prompt, scope Scope) string { return RenderForDisplay(p, scope).Text }

// InstanceNumbers is a Scope with only instance numbers, by step ID, for labels and titles.
type InstanceNumbers map[string]int

// Var implements Scope.
func (n InstanceNumbers) Var(string) (any, bool) { return nil, false }

// Instance implements Scope.
func (n InstanceNumbers) Instance(step string) int { return n[step] }

// Outcome implements Scope.
func (n InstanceNumbers) Outcome() Outcome { return Outcome{} }

// ProbeScope is a Scope in which every variable has the value NUL, which no document contains. A
// prompt that renders to its source under this Scope does not depend on variables.
type ProbeScope struct{}

// Var implements Scope.
func (ProbeScope) Var(string) (any, bool) { return "\x00", true }

// SetByPerson returns true for every variable.
func (ProbeScope) SetByPerson(string) bool { return true }

// Instance implements Scope.
func (ProbeScope) Instance(string) int { return 0 }

// Outcome implements Scope.
func (ProbeScope) Outcome() Outcome { return Outcome{} }

// RenderForDisplay renders a prompt with its origin. A prompt that cannot be rendered yet keeps the
// text of the document.
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

// FailureMessage is the Prompt for the message of a run that a failed step ended.
type FailureMessage struct{ Label string }

// Render implements Prompt. It is empty without a scope, as there is no failure then.
func (f FailureMessage) Render(scope Scope) (Rendered, error) {
	if scope == nil {
		return Rendered{}, nil
	}
	text := "step " + f.Label + " failed"
	if why := scope.Outcome().Reason; why != "" {
		text += ": " + why
	}
	return Rendered{Text: text}, nil
}

// Slug makes a key from a title: letters and digits in lower case, and a hyphen for anything else.
// If nothing is left, it is "untitled". Keys identify steps across edits of their document
// (Step.StableKey).
func Slug(title string) string {
	var b strings.Builder
	gap := false
	for _, r := range title {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte('-')
		}
		gap = false
		b.WriteRune(unicode.ToLower(r))
	}
	if b.Len() == 0 {
		return "untitled"
	}
	return b.String()
}

// UniqueNames makes IDs and keys unique: a repetition gets a number, as in 2a~2.
type UniqueNames map[string]int

// Take returns the name, or the first of its repetitions that is free.
func (n UniqueNames) Take(name string) string {
	out := name
	for n[out] > 0 {
		n[name]++
		out = fmt.Sprintf("%s~%d", name, n[name])
	}
	n[out]++
	return out
}
