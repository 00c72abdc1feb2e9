package playbook

import (
	"fmt"
	"strings"

	"playhead/parse/plan"
	"playhead/parse/source"
)

// modelPrompt is the Prompt of a model call (spec §5, §7): the step's own text, perhaps after a text
// from elsewhere.
type modelPrompt struct {
	PrependsFetchedText bool   // a Fetch of the step gets the text in front
	PrependedVariable   string // instead: the variable that contains the text in front
	ReferenceSpan       plan.Span
	Text                template
}

// Render implements plan.Prompt. Placeholders in fetched text are filled in. The value of a
// variable is data and inserted unchanged.
func (m modelPrompt) Render(scope plan.Scope) (plan.Rendered, error) {
	own, err := m.Text.Render(scope)
	if err != nil || scope == nil {
		return own, err
	}
	before, err := m.prependedText(scope)
	if err != nil {
		return plan.Rendered{}, err
	}
	out := plan.Rendered{Text: own.Text, Warnings: append(before.Warnings, own.Warnings...)}
	if front := strings.TrimRight(before.Text, blankCharacters); front != "" {
		out.Text = front
		if own.Text != "" {
			out.Text += "\n\n" + own.Text
		}
	}
	if source.IsBlank(out.Text) {
		return plan.Rendered{}, fmt.Errorf("the prompt is empty, so the model is not asked")
	}
	return out, nil
}

// prependedText returns the text in front of the step's own. It is empty if there is none.
func (m modelPrompt) prependedText(scope plan.Scope) (plan.Rendered, error) {
	if m.PrependedVariable != "" {
		v, ok := scope.Var(m.PrependedVariable)
		if !ok {
			return plan.Rendered{}, fmt.Errorf("nothing defines %q, which @prompt({{%s}}) takes its text from", m.PrependedVariable, m.PrependedVariable)
		}
		return plan.Rendered{Text: plan.ValueText(v)}, nil
	}
	text, ok := plan.FetchedText(scope)
	if !m.PrependsFetchedText || !ok {
		return plan.Rendered{}, nil
	}
	return parseTemplate(text).Render(scope)
}

// Reference implements plan.ReferringPrompt. The reference is the placeholder of the variable that contains the text in
// front, "" if there is none.
func (m modelPrompt) Reference() (ref string, at plan.Span) {
	if m.PrependedVariable == "" {
		return "", m.ReferenceSpan
	}
	return "{{" + m.PrependedVariable + "}}", m.ReferenceSpan
}

var _ plan.EditablePrompt = modelPrompt{}

// EditableText implements plan.EditablePrompt.
func (m modelPrompt) EditableText() string { return plan.SourceText(m.Text) }

// WithText implements plan.EditablePrompt.
func (m modelPrompt) WithText(text string) plan.Prompt {
	m.Text = parseTemplate(text)
	return m
}

// systemPrompt is the Prompt for the system message of every call (spec §7): the system prompt, the
// output of each earlier step, and each named output and answer.
type systemPrompt struct {
	DocumentSystemPrompt template
	VariableNames        []string // the names of outputs and answers
}

// Render implements plan.Prompt. For a nil scope it returns the system prompt as written.
func (s systemPrompt) Render(scope plan.Scope) (plan.Rendered, error) {
	system, err := s.DocumentSystemPrompt.Render(scope)
	if err != nil || scope == nil {
		return system, err
	}
	var parts []string
	if system.Text != "" {
		parts = append(parts, system.Text)
	}
	attempts := attemptsWithOutput(plan.History(scope))
	if len(attempts) > 0 {
		parts = append(parts, "These are the outputs of the earlier steps.")
	}
	labelByText := map[string]string{}
	for _, v := range attempts {
		parts = append(parts, fmt.Sprintf("<step %slabel=%q title=%s>\n%s\n</step>", stepNumberAttribute(v.Step), v.Label, quoteAttribute(v.Step.Title), v.Outcome.Text))
		labelByText[v.Outcome.Text] = v.Label
	}
	if values := s.variableElements(scope, labelByText); len(values) > 0 {
		parts = append(parts, "These are named values of this run.\n"+strings.Join(values, "\n"))
	}
	return plan.Rendered{Text: strings.Join(parts, "\n\n"), Warnings: system.Warnings}, nil
}

var _ plan.StepDataPrompt = systemPrompt{}

// WithoutStepData implements plan.StepDataPrompt. Steps name the outputs and answers.
func (s systemPrompt) WithoutStepData() plan.Prompt {
	s.VariableNames = nil
	return s
}

// attemptsWithOutput returns the attempts that passed with an output.
func attemptsWithOutput(all []plan.FinishedAttempt) []plan.FinishedAttempt {
	var out []plan.FinishedAttempt
	for _, v := range all {
		if v.Step != nil && v.Outcome.Result == plan.Passed && v.Outcome.Text != "" {
			out = append(out, v)
		}
	}
	return out
}

// variableElements returns an element for each named output and answer that has a value. A long value that is a step's
// whole output is not repeated: labelByText has the label of that step.
func (s systemPrompt) variableElements(scope plan.Scope, labelByText map[string]string) []string {
	var out []string
	for _, name := range s.VariableNames {
		v, ok := scope.Var(name)
		if !ok {
			continue
		}
		text := plan.ValueText(v)
		if label := labelByText[text]; label != "" && len(text) > maxRepeatedValueBytes {
			text = "(the output of step " + label + ")"
		}
		out = append(out, fmt.Sprintf("<value name=%q>%s</value>", name, text))
	}
	return out
}

// maxRepeatedValueBytes is the length in bytes up to which a value is repeated, because a reference would not be much
// shorter.
const maxRepeatedValueBytes = 200

func stepNumberAttribute(s *plan.Step) string {
	if s.Number == nil {
		return ""
	}
	return fmt.Sprintf("number=\"%d\" ", *s.Number)
}

// quoteAttribute quotes a title. Quotes in it become single quotes.
func quoteAttribute(text string) string { return `"` + strings.ReplaceAll(text, `"`, "'") + `"` }
