package registry

import (
	"errors"
	"fmt"
	"strings"

	"playhead/parse/plan"
)

// prompt is what a step asks a model, or the system prompt (spec §4, §5).
type prompt struct {
	Values            *staticValues
	StepID, StepName  string // "" for the system prompt
	CandidatePaths    []string
	TextOrigin        string // where the text is from: the path of a file, or fallback:KEY; "": nowhere
	Problem           string // why there is no text
	Text              textPieces
	OnMissing         missingPolicy
	DeclaredVariables []string
	UsesStdin         bool
	Inputs            []promptInput
	Sections          []section
	FallbackKey       string
	IntentField       string // where the gate finds the intent in a reply; "": no gate
	AllowedIntents    []string
}

// section is a section step that a prompt includes.
type section struct {
	NormalizedName string // of its placeholder; see normalizeSectionName
	Prompt         *prompt
}

// Render implements plan.Prompt. A nil scope leaves the text as written.
func (p *prompt) Render(scope plan.Scope) (plan.Rendered, error) {
	out := plan.Rendered{Origin: plan.PromptOrigin{From: p.TextOrigin, SearchedPaths: p.CandidatePaths}}
	if scope == nil {
		out.Text = p.Text.String()
		return out, nil
	}
	v := promptContext{staticValues: p.Values, scope: scope, stepID: p.StepID, stepName: p.StepName, inputs: p.Inputs}
	var err error
	if out.Warnings, err = p.checkInputs(v); err == nil {
		err = p.fillText(v, &out)
		if err != nil && p.FallbackKey != "" {
			err = p.useBuiltinText(v, &out, err)
		}
	}
	if err != nil && len(out.Warnings) == 0 {
		out.Warnings = append(out.Warnings, newWarning("prompt-failed", "%v", err))
	}
	out.Text += p.formatReminder(scope)
	return out, err
}

// checkInputs returns an error for a missing required input, and a warning for each input that another
// variable hides.
func (p *prompt) checkInputs(v promptContext) (warnings []plan.RunWarning, err error) {
	for _, in := range p.Inputs {
		_, hasVar := v.scope.Var(in.Name)
		_, supplied := v.runtimeValue(in.Name)
		switch _, ok := v.inputValue(in); {
		case hasVar || supplied:
			warnings = append(warnings, newWarning("input-collision", "the input %s is not used: another variable has this name", in.Name))
		case !ok && in.Required:
			reason := "it has neither a value nor a default"
			if in.SourceStep != "" {
				reason = fmt.Sprintf("step %s has not supplied %s", in.SourceStep, in.SourceKey)
			}
			err = fmt.Errorf("the input %s is missing: %s", in.Name, reason)
			return append(warnings, newWarning("input-missing", "%v", err)), err
		}
	}
	return warnings, nil
}

// fillText sets out.Text to the text of the prompt file with its placeholders filled in.
func (p *prompt) fillText(v promptContext, out *plan.Rendered) error {
	if p.Problem != "" {
		return errors.New(p.Problem)
	}
	for _, name := range p.DeclaredVariables {
		if value, ok := v.variableValue(name); !ok || value == "" {
			return fmt.Errorf("the variable %s has no value", name)
		}
	}
	if p.UsesStdin && (p.Values.InputText == nil || *p.Values.InputText == "") {
		return errors.New("there is no input text: give it with --stdin FILE")
	}
	f := textFiller{variableValue: v.variableValue, onMissing: p.OnMissing, origin: &out.Origin, nonVariableValue: func(name string) (string, bool) { return p.nonVariableValue(name, v, out) }}
	if p.OnMissing == missingStays {
		f.nonVariableValue = nil
	}
	s, err := f.fill(p.Text)
	out.Text = strings.TrimSpace(s)
	return err
}

// nonVariableValue returns the value of a name in braces that is not a variable.
func (p *prompt) nonVariableValue(name string, v promptContext, out *plan.Rendered) (string, bool) {
	if name == "input_text" {
		if p.Values.InputText == nil {
			return "", true
		}
		return *p.Values.InputText, true
	}
	for _, c := range p.Values.CustomValues {
		if c.Name == name {
			out.Origin.AddFilledVariable(name, c.Value)
			return c.Value, true
		}
	}
	for _, s := range p.Sections {
		if s.NormalizedName != normalizeSectionName(name) {
			continue
		}
		r, err := s.Prompt.Render(v.scope)
		if err != nil {
			out.Warnings = append(out.Warnings, newWarning("template", "the section for {%s} cannot be filled in: %v", name, err))
			return "", false
		}
		return r.Text, true
	}
	return "", false
}

// normalizeSectionName removes what does not count in the names of sections: dots, hyphens and underscores.
func normalizeSectionName(name string) string { return sectionNameSeparators.Replace(name) }

var sectionNameSeparators = strings.NewReplacer(".", "", "-", "", "_", "")

// useBuiltinText sets out.Text to the built-in text of FallbackKey. cause is why the prompt cannot be
// produced.
func (p *prompt) useBuiltinText(v promptContext, out *plan.Rendered, cause error) error {
	own, known := builtinTextByFallbackKey[p.FallbackKey]
	if !known {
		//lint:ignore ST1005 the words of the spec
		return fmt.Errorf("No fallback prompt found for key: %q (step: %s)", p.FallbackKey, p.StepID)
	}
	out.Origin.From, out.Origin.FilledVariables = "fallback:"+p.FallbackKey, nil
	f := textFiller{variableValue: v.variableValue, onMissing: missingEmpty, origin: &out.Origin}
	s, err := f.fill(own)
	out.Text = s
	out.Warnings = append(out.Warnings, newWarning("fallback-prompt", "Playhead uses its built-in text %s, because %v", p.FallbackKey, cause))
	return err
}

// formatReminder returns the text that repeats the expected format after a reply without a JSON object,
// else "".
func (p *prompt) formatReminder(scope plan.Scope) string {
	if p.IntentField == "" || !hadFormatRetry(scope, p.StepID) {
		return ""
	}
	return fmt.Sprintf("\n\nYour last reply contained no JSON object. Reply with a JSON object whose %s is one of: %s.", p.IntentField, strings.Join(p.AllowedIntents, ", "))
}

// hadFormatRetry reports whether the last attempt was of this step, and its reply had no JSON object.
func hadFormatRetry(scope plan.Scope, step string) bool {
	r, ok := lastFinishedAttempt(scope)
	return ok && r.Step != nil && r.Step.ID == step && r.Outcome.Data[outcomeIntentOriginKey] == "format-retry"
}

var _ plan.EditablePrompt = &prompt{}

// EditableText implements plan.EditablePrompt.
func (p *prompt) EditableText() string { return p.Text.String() }

// WithText implements plan.EditablePrompt.
func (p *prompt) WithText(text string) plan.Prompt {
	other := *p
	other.Text, other.Problem = splitPlaceholders(text, stepVariablePattern), ""
	return &other
}
