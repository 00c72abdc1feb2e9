package registry

import (
	"fmt"
	"regexp"
	"strings"

	"playhead/parse/climpt"
	"playhead/parse/plan"
)

// textPieces is a text split at its placeholders (spec §5). Inserted values are not parsed again.
type textPieces []textPiece

// textPiece is literal text, a variable {uv-NAME}, or another name {NAME}. Text is how it is written.
type textPiece struct {
	Text, Name string
	IsVariable bool
}

var (
	stepVariablePattern   = regexp.MustCompile(`^\w+$`)
	systemVariablePattern = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
)

// splitPlaceholders splits a text at its placeholders. variable matches the names of variables; nil: there
// are none.
func splitPlaceholders(s string, variable *regexp.Regexp) textPieces {
	var out textPieces
	for {
		from, to := findBraces(s)
		if from > 0 {
			out = append(out, textPiece{Text: s[:from]})
		}
		if from == len(s) {
			return out
		}
		p := textPiece{Text: s[from:to], Name: s[from+1 : to-1]}
		if name, ok := strings.CutPrefix(p.Name, "uv-"); ok && variable != nil && variable.MatchString(name) {
			p.Name, p.IsVariable = name, true
		}
		out = append(out, p)
		s = s[to:]
	}
}

// findBraces returns the range of the first braces that contain no others. from is len(s) if there are none.
func findBraces(s string) (from, to int) {
	for from = strings.IndexByte(s, '{'); from >= 0; from = to {
		more := strings.IndexAny(s[from+1:], "{}")
		if more < 0 {
			break
		}
		if to = from + 1 + more; s[to] == '}' {
			return from, to + 1
		}
	}
	return len(s), len(s)
}

// String returns the text as written.
func (t textPieces) String() string {
	var b strings.Builder
	for _, p := range t {
		b.WriteString(p.Text)
	}
	return b.String()
}

// variables returns the names of all variables, each once.
func (t textPieces) variables() []string {
	var out []string
	seen := map[string]bool{}
	for _, p := range t {
		if p.IsVariable && !seen[p.Name] {
			seen[p.Name] = true
			out = append(out, p.Name)
		}
	}
	return out
}

// missingPolicy says what to do with a variable without a value.
type missingPolicy int

const (
	missingFails missingPolicy = iota // the text cannot be rendered
	missingEmpty                      // insert nothing
	missingStays                      // keep the placeholder
	missingWarns                      // insert nothing and warn
)

// textFiller replaces the placeholders of texts with values.
type textFiller struct {
	variableValue    func(name string) (string, bool)
	nonVariableValue func(name string) (string, bool) // nil: other names stay as written
	onMissing        missingPolicy
	origin           *plan.PromptOrigin // records what was filled in
	warnings         []plan.RunWarning
}

func (f *textFiller) fill(t textPieces) (string, error) {
	var b strings.Builder
	for _, p := range t {
		value, err := f.value(p)
		if err != nil {
			return "", err
		}
		b.WriteString(value)
	}
	return b.String(), nil
}

func (f *textFiller) value(p textPiece) (string, error) {
	switch {
	case p.IsVariable:
		if v, ok := f.variableValue(p.Name); ok {
			f.origin.AddFilledVariable(p.Name, v)
			return v, nil
		}
	case p.Name != "" && f.nonVariableValue != nil:
		if v, ok := f.nonVariableValue(p.Name); ok {
			return v, nil
		}
		return p.Text, nil
	default:
		return p.Text, nil
	}
	switch f.onMissing {
	case missingFails:
		return "", fmt.Errorf("the variable %s has no value", p.Name)
	case missingStays:
		return p.Text, nil
	case missingWarns:
		f.warnings = append(f.warnings, newWarning("template", "the variable %s has no value", p.Name))
	}
	return "", nil
}

func newWarning(code, format string, args ...any) plan.RunWarning {
	return plan.RunWarning{Code: climpt.CodePrefix + code, Message: fmt.Sprintf(format, args...)}
}

// builtinTextByFallbackKey has the texts that replace prompts which cannot be produced (spec §4).
var builtinTextByFallbackKey = func() map[string]textPieces {
	out := map[string]textPieces{}
	for keys, s := range builtinTexts {
		for key := range strings.FieldsSeq(keys) {
			out[key] = splitPlaceholders(s, systemVariablePattern)
		}
	}
	return out
}()

// builtinTexts are the built-in texts, by the fallback keys that share a text, separated by spaces.
var builtinTexts = map[string]string{
	"system": "You are {uv-agent_name}. Work through the steps that you are given, one at a time. {uv-verdict_criteria}",

	"initial_iterate": "Begin the task. You have at most {uv-max_iterations} iterations: plan what to do first, then do it.",
	"continuation_iterate": "This is iteration {uv-iteration} of {uv-max_iterations}; iterations remaining: {uv-remaining}. " +
		"Review what has been done so far, then continue with the most useful work.",

	"initial_manual initial_keyword": "Work on this: {uv-topic}\nSay {uv-completion_keyword} when it is done, and not before.",
	"continuation_manual continuation_keyword": "This is iteration {uv-iteration}. Go on with the task. " +
		"Say {uv-completion_keyword} when it is done, and not before.",

	"initial_issue initial_issue_label_only": "Work on issue {uv-issue}: read it, find out what it asks for, and start.",
	"continuation_issue continuation_issue_label_only": "This is iteration {uv-iteration} on issue {uv-issue}. " +
		"What came before:\n{uv-previous_summary}\nGo on.",

	"initial_project": "Work on project {uv-project_number}. Its phases are: {uv-phases}. The current phase is {uv-phase}.",
	"continuation_project": "This is iteration {uv-iteration} on project {uv-project_number}. The current phase is {uv-phase}. " +
		"What came before:\n{uv-previous_summary}\nGo on.",
	"continuation_project_preparation continuation_project_processing continuation_project_review": "This is iteration {uv-iteration} on project {uv-project_number}. Go on with this phase.",

	"initial_structured_signal": "Begin the task. When it is done, reply with a JSON object whose signal is {uv-signal_type} " +
		"and that has these fields: {uv-required_fields}.",
	"continuation_structured_signal": "This is iteration {uv-iteration}. What came before:\n{uv-previous_summary}\n" +
		"Go on. When the task is done, reply with a JSON object whose signal is {uv-signal_type}.",

	"issue_closure_default polling_closure_default": "The work on issue {uv-issue} is finished. Check that nothing is left open, and say whether it can be closed.",
	"project_closure_default review_closure_default iteration_closure_default facilitation_closure_default project_continuation_closure_default statuscheck_continuation_default": "The work is finished. Check that nothing is left open, sum up what was done, and say whether it is complete.",
}
