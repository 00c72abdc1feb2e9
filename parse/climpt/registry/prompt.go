package registry

import (
	"errors"
	"fmt"
	"strings"

	"playhead/parse/plan"
)

// prompt is what a model is asked in a step, and the system prompt (spec §4, §5).
type prompt struct {
	Values     *values
	Step, Name string // "": the system prompt, which belongs to no step
	Tried      []string
	File       string // the one that is used; "": none
	Problem    string // why there is no text to use
	Text       text
	Missing    missing
	Declared   []string
	Stdin      bool
	Inputs     []handed
	Sections   []section
	Key        string   // fallbackKey
	Field      string   // of the gate: where the intent stands in a reply; "": there is no gate
	Allowed    []string // intents
}

// section is a text that is put into others.
type section struct {
	Name string // as a placeholder names it, see flat
	Text *prompt
}

// Render implements plan.Prompt. With a nil scope it is the text as it is written.
func (p *prompt) Render(scope plan.Scope) (plan.Rendered, error) {
	out := plan.Rendered{Origin: plan.Origin{From: p.File, Tried: p.Tried}}
	if scope == nil {
		out.Text = p.Text.String()
		return out, nil
	}
	v := view{values: p.Values, scope: scope, step: p.Step, name: p.Name, inputs: p.Inputs}
	var err error
	if out.Notes, err = p.check(v); err == nil {
		err = p.produce(v, &out)
		if err != nil && p.Key != "" {
			err = p.fallback(v, &out, err)
		}
	}
	if err != nil && len(out.Notes) == 0 {
		out.Notes = append(out.Notes, note("prompt-failed", "%v", err))
	}
	out.Text += p.reminder(scope)
	return out, err
}

// check looks for inputs that are missing, or that something else has taken the place
// of.
func (p *prompt) check(v view) (notes []plan.Note, err error) {
	for _, in := range p.Inputs {
		_, hasVar := v.scope.Var(in.Name)
		_, supplied := v.supplied(in.Name)
		switch _, ok := v.input(in); {
		case hasVar || supplied:
			notes = append(notes, note("input-collision", "the input %s is taken from elsewhere: something else has this name", in.Name))
		case !ok && in.Required:
			err = fmt.Errorf("the input %s is missing: %s has put out no %s", in.Name, in.Step, in.Key)
			return append(notes, note("input-missing", "%v", err)), err
		}
	}
	return notes, nil
}

// produce fills the text in.
func (p *prompt) produce(v view, out *plan.Rendered) error {
	if p.Problem != "" {
		return errors.New(p.Problem)
	}
	for _, name := range p.Declared {
		if value, ok := v.variable(name); !ok || value == "" {
			return fmt.Errorf("the variable %s has no value", name)
		}
	}
	if p.Stdin && (p.Values.Input == nil || *p.Values.Input == "") {
		return errors.New("there is no input text: give it with --stdin FILE")
	}
	f := textFiller{variable: v.variable, missing: p.Missing, origin: &out.Origin, other: func(name string) (string, bool) { return p.value(name, v, out) }}
	if p.Missing == stays {
		f.other = nil
	}
	s, err := f.fill(p.Text)
	out.Text = strings.TrimSpace(s)
	return err
}

// value is what a name in braces stands for that is no variable.
func (p *prompt) value(name string, v view, out *plan.Rendered) (string, bool) {
	if name == "input_text" {
		if p.Values.Input == nil {
			return "", true
		}
		return *p.Values.Input, true
	}
	for _, c := range p.Values.Custom {
		if c.Name == name {
			out.Origin.Fill(name, c.Value)
			return c.Value, true
		}
	}
	for _, s := range p.Sections {
		if s.Name != flat(name) {
			continue
		}
		r, err := s.Text.Render(v.scope)
		if err != nil {
			out.Notes = append(out.Notes, note("template", "the section for {%s} cannot be produced: %v", name, err))
			return "", false
		}
		return r.Text, true
	}
	return "", false
}

// flat is a name as sections are looked up: dots, hyphens and underscores aside.
func flat(name string) string { return flatten.Replace(name) }

var flatten = strings.NewReplacer(".", "", "-", "", "_", "")

// fallback takes a text of Playhead's own in the place of what cannot be produced.
func (p *prompt) fallback(v view, out *plan.Rendered, cause error) error {
	own, known := builtins[p.Key]
	if !known {
		//lint:ignore ST1005 the words of the spec
		return fmt.Errorf("No fallback prompt found for key: %q (step: %s)", p.Key, p.Step)
	}
	out.Origin.From, out.Origin.Filled = "fallback:"+p.Key, nil
	f := textFiller{variable: v.variable, missing: empty, origin: &out.Origin}
	s, err := f.fill(own)
	out.Text = s
	out.Notes = append(out.Notes, note("fallback-prompt", "the text of %s is used: %v", p.Key, cause))
	return err
}

// reminder says once more how to reply, after a reply that nothing could be read in.
func (p *prompt) reminder(scope plan.Scope) string {
	if p.Field == "" || !hadFormatRetry(scope, p.Step) {
		return ""
	}
	return fmt.Sprintf("\n\nYour last reply held no JSON object. Reply with one that has at %s one of: %s.", p.Field, strings.Join(p.Allowed, ", "))
}

// hadFormatRetry reports whether the last visit was to a step, and its reply had no
// object.
func hadFormatRetry(scope plan.Scope, step string) bool {
	r, ok := previous(scope)
	return ok && r.Step != nil && r.Step.ID == step && r.Outcome.Data[dataVia] == "format-retry"
}

// DocumentText implements plan.EditablePrompt.
func (p *prompt) DocumentText() string { return p.Text.String() }

// WithText implements plan.EditablePrompt.
func (p *prompt) WithText(text string) plan.Prompt {
	other := *p
	other.Text, other.Problem = parseText(text, inSteps), ""
	return &other
}
