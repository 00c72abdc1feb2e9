package registry

import (
	"errors"
	"fmt"
	"strings"

	"playhead/parse/plan"
)

// prompt is what a step asks a model, or the system prompt (spec §4, §5).
type prompt struct {
	Values     *staticValues
	Step, Name string // "" for the system prompt
	Candidates []string
	File       string // the file that is used; "": none
	Problem    string // why there is no text
	Text       text
	Missing    missingPolicy
	Declared   []string
	Stdin      bool
	Inputs     []promptInput
	Sections   []section
	Key        string   // fallbackKey
	Field      string   // where the gate finds the intent in a reply; "": no gate
	Allowed    []string // intents
}

// section is a text that other prompts include.
type section struct {
	Name string // see sectionKey
	Text *prompt
}

// Render implements plan.Prompt. A nil scope leaves the text as written.
func (p *prompt) Render(scope plan.Scope) (plan.Rendered, error) {
	out := plan.Rendered{Origin: plan.Origin{From: p.File, SearchedPaths: p.Candidates}}
	if scope == nil {
		out.Text = p.Text.String()
		return out, nil
	}
	v := view{staticValues: p.Values, scope: scope, step: p.Step, name: p.Name, inputs: p.Inputs}
	var err error
	if out.Notes, err = p.check(v); err == nil {
		err = p.fillText(v, &out)
		if err != nil && p.Key != "" {
			err = p.useBuiltin(v, &out, err)
		}
	}
	if err != nil && len(out.Notes) == 0 {
		out.Notes = append(out.Notes, note("prompt-failed", "%v", err))
	}
	out.Text += p.reminder(scope)
	return out, err
}

// check reports missing inputs, and inputs that another variable hides.
func (p *prompt) check(v view) (notes []plan.Note, err error) {
	for _, in := range p.Inputs {
		_, hasVar := v.scope.Var(in.Name)
		_, supplied := v.runtimeValue(in.Name)
		switch _, ok := v.input(in); {
		case hasVar || supplied:
			notes = append(notes, note("input-collision", "the input %s is not used: another variable has this name", in.Name))
		case !ok && in.Required:
			err = fmt.Errorf("the input %s is missing: the output of %s has no %s", in.Name, in.Step, in.Key)
			return append(notes, note("input-missing", "%v", err)), err
		}
	}
	return notes, nil
}

// fillText fills in the text of the prompt file.
func (p *prompt) fillText(v view, out *plan.Rendered) error {
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
	if p.Missing == missingStays {
		f.other = nil
	}
	s, err := f.fill(p.Text)
	out.Text = strings.TrimSpace(s)
	return err
}

// value returns the value of a name in braces that is not a variable.
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
		if s.Name != sectionKey(name) {
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

// sectionKey returns the key of a section's name, in which dots, hyphens and underscores do not
// count.
func sectionKey(name string) string { return sectionKeyReplacer.Replace(name) }

var sectionKeyReplacer = strings.NewReplacer(".", "", "-", "", "_", "")

// useBuiltin replaces a prompt that cannot be produced with a built-in text.
func (p *prompt) useBuiltin(v view, out *plan.Rendered, cause error) error {
	own, known := builtins[p.Key]
	if !known {
		//lint:ignore ST1005 the words of the spec
		return fmt.Errorf("No fallback prompt found for key: %q (step: %s)", p.Key, p.Step)
	}
	out.Origin.From, out.Origin.Filled = "fallback:"+p.Key, nil
	f := textFiller{variable: v.variable, missing: missingEmpty, origin: &out.Origin}
	s, err := f.fill(own)
	out.Text = s
	out.Notes = append(out.Notes, note("fallback-prompt", "using the built-in text %s: %v", p.Key, cause))
	return err
}

// reminder repeats the expected format after a reply without a JSON object.
func (p *prompt) reminder(scope plan.Scope) string {
	if p.Field == "" || !hadFormatRetry(scope, p.Step) {
		return ""
	}
	return fmt.Sprintf("\n\nYour last reply contained no JSON object. Reply with one that has at %s one of: %s.", p.Field, strings.Join(p.Allowed, ", "))
}

// hadFormatRetry reports whether the last visit was to this step, and its reply had no JSON object.
func hadFormatRetry(scope plan.Scope, step string) bool {
	r, ok := lastRecord(scope)
	return ok && r.Step != nil && r.Step.ID == step && r.Outcome.Data[dataVia] == "format-retry"
}

// DocumentText implements plan.EditablePrompt.
func (p *prompt) DocumentText() string { return p.Text.String() }

// WithText implements plan.EditablePrompt.
func (p *prompt) WithText(text string) plan.Prompt {
	other := *p
	other.Text, other.Problem = splitPlaceholders(text, stepVariableName), ""
	return &other
}
