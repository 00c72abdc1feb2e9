package registry

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"playhead/parse/plan"
)

// validatorCommandJudge is the Judge of a validator's command (spec §10).
type validatorCommandJudge struct {
	ValidatorID              string
	Position, ValidatorCount int // the position among the conditions, from 1
	SuccessRule              successRule
	FailurePattern           string
	Extractions              []extraction
	IsRecoverable            bool
	IgnoresFailure           bool // onFailure is skip
	RetryOnFailure           bool // onFailure is retry
}

// Describe implements plan.Describer.
func (v validatorCommandJudge) Describe() plan.JudgeDescription {
	return plan.JudgeDescription{Kind: "validate", Validators: []string{v.ValidatorID}}
}

// Judge implements plan.Judge. It keeps what the gate decided before.
func (v validatorCommandJudge) Judge(p plan.Product, scope plan.Scope) plan.Verdict {
	code := p.ExitCode
	if p.Err != "" || p.TimedOut || p.Signal != "" {
		code = -1
	}
	out := commandOutput{p.Stdout, p.Stderr, code}
	passed, how := v.SuccessRule.isSatisfied(p.Stdout, code), exitText(p)
	if !passed && code >= 0 && !couldNotRun(out) {
		how = v.SuccessRule.violationText(p.Stdout, code)
	}
	return v.newVerdict(scope, passed, how, out)
}

// Decide returns the verdict for a person's pass or fail, which replaces the exit status.
func (v validatorCommandJudge) Decide(pass bool, note string, scope plan.Scope) plan.Verdict {
	how := "manually"
	if note != "" {
		how += ", " + note
	}
	return v.newVerdict(scope, pass, how, commandOutput{stderr: note, exitCode: -1})
}

// newVerdict returns the outcome so far with the result of this command, and with what its failure means.
func (v validatorCommandJudge) newVerdict(scope plan.Scope, passed bool, how string, p commandOutput) plan.Verdict {
	out := plan.Verdict{Outcome: copyOutcome(scope)}
	runs, _ := out.Data[outcomeValidatorsKey].([]any)
	out.Data[outcomeValidatorsKey] = append(runs[:len(runs):len(runs)], map[string]any{"validator": v.ValidatorID, "passed": passed, "exit_code": p.exitCode})
	out.Source = v.ValidatorID
	addValidatorResult(&out, how, plan.ValidatorResult{Validator: v.ValidatorID, Passed: passed, Position: v.Position, ValidatorCount: v.ValidatorCount})
	if passed {
		return out
	}
	out.Reading.ValidatorResults[len(out.Reading.ValidatorResults)-1].FailurePattern = v.FailurePattern
	out.Reason = fmt.Sprintf("%s failed (%s): %s", v.ValidatorID, v.FailurePattern, how)
	v.extractParams(&out, p)
	v.setResultOfFailure(&out, couldNotRun(p))
	return out
}

// addValidatorResult adds the result of one validation to the checks and the reading of an outcome.
func addValidatorResult(out *plan.Verdict, detail string, found plan.ValidatorResult) {
	c := plan.Check{Text: found.Validator, Verdict: plan.Failed, Detail: detail}
	var read plan.Reading
	if out.Reading != nil {
		read = *out.Reading
	}
	if found.Passed {
		c.Verdict = plan.Passed
	} else {
		read.FailedValidator = found.Validator
	}
	read.ValidatorResults = append(slices.Clip(read.ValidatorResults), found)
	out.Checks, out.Reading = append(slices.Clip(out.Checks), c), &read
}

// copyOutcome returns the outcome so far, with a copy of its data.
func copyOutcome(scope plan.Scope) plan.Outcome {
	o := scope.Outcome()
	data := map[string]any{}
	maps.Copy(data, o.Data)
	o.Data = data
	return o
}

// setResultOfFailure sets the result of a failed validation: an error if the command could not do its work
// (refused) or the failure is not recoverable, else a failure, or a pass if failures are skipped.
func (v validatorCommandJudge) setResultOfFailure(out *plan.Verdict, refused bool) {
	switch {
	case refused || !v.IsRecoverable:
		out.Result = plan.Errored
		out.Warnings = append(out.Warnings, newWarning("validation-failed", "%s; the run cannot recover from it", out.Reason))
	case v.IgnoresFailure:
		skipValidation(out)
	default:
		failValidation(out, "validator", v.RetryOnFailure)
	}
}

// skipValidation lets a failed validation pass.
func skipValidation(out *plan.Verdict) {
	out.Data[outcomeFailureIgnoredKey] = "true"
	out.Reading.ValidatorResults[len(out.Reading.ValidatorResults)-1].FailureIgnored = true
	out.Warnings = append(out.Warnings, newWarning("validation-skipped", "%s; the failure counts as a pass (onFailure: skip)", out.Reason))
}

// failValidation marks the outcome as a failed validation. what is "schema" or "validator".
func failValidation(out *plan.Verdict, what string, retry bool) {
	out.Result, out.Data[outcomeFailedPartKey] = plan.Failed, what
	if retry {
		out.Data[outcomeIntentOriginKey] = "validation-retry"
	}
}

// couldNotRun reports whether a command could not do its work at all: it was not found, or lacked a
// permission (spec §10, 4).
func couldNotRun(p commandOutput) bool {
	return p.exitCode == 126 || p.exitCode == 127 || strings.Contains(p.stderr, "EACCES") || strings.Contains(p.stderr, "Permission denied")
}

// extractParams stores what the retry prompt shows: the parameters taken from the command's output, the
// failure pattern and the error text.
func (v validatorCommandJudge) extractParams(out *plan.Verdict, p commandOutput) {
	values := map[string]any{}
	for _, e := range v.Extractions {
		extract, known := extractors[e.Extractor]
		if !known {
			values[e.Param] = ""
			out.Warnings = append(out.Warnings, newWarning("template", "there is no extractor %q: the parameter %s is empty", e.Extractor, e.Param))
			continue
		}
		values[e.Param] = extract(p)
	}
	out.Data[outcomeParamsKey] = values
	out.Data[outcomeFailurePatternKey] = v.FailurePattern
	out.Data[outcomeErrorTextKey] = cmp.Or(strings.TrimSpace(p.stderr), strings.TrimSpace(p.stdout))
}

// isSatisfied reports whether the command's result satisfies the rule.
func (s successRule) isSatisfied(stdout string, code int) bool {
	switch s.Kind {
	case "empty":
		return strings.TrimSpace(stdout) == "" && code == 0
	case "exitCode":
		return code == s.ExitCode
	case "contains":
		return strings.Contains(stdout, s.TextOrPattern)
	case "matches":
		re, err := regexp.Compile(s.TextOrPattern)
		return err == nil && re.MatchString(stdout)
	}
	return false
}

// violationText returns how the result of a command that ended by itself violates the rule, such as
// "stdout is not empty (successWhen empty)". It names no line of the registry, because models read
// it, and runs are compared by it.
func (s successRule) violationText(stdout string, code int) string {
	exit, rule := fmt.Sprintf("exit %d", code), s.Kind
	text := strconv.Quote(plan.CutText(s.TextOrPattern, plan.MaxValueChars))
	var parts []string
	if code != 0 || s.Kind == "exitCode" {
		parts = []string{exit}
	}
	switch s.Kind {
	case "empty":
		if code != 0 {
			parts[0] += " instead of 0"
		}
		if strings.TrimSpace(stdout) != "" {
			parts = append(parts, "stdout is not empty")
		}
	case "exitCode":
		rule = fmt.Sprintf("exitCode:%d", s.ExitCode)
	case "contains":
		parts = append(parts, "stdout does not contain "+text)
	case "matches":
		parts = append(parts, "stdout does not match "+text)
	}
	return fmt.Sprintf("%s (successWhen %s)", strings.Join(parts, ", "), rule)
}

// Explain implements plan.Explainer: the failure pattern and the extracted parameters (spec §10).
// The exit status is a check of the outcome.
func (v validatorCommandJudge) Explain(o plan.Outcome) []plan.Fact {
	failed := slices.ContainsFunc(o.Checks, func(c plan.Check) bool { return c.Text == v.ValidatorID && c.Verdict == plan.Failed })
	if !failed {
		return nil
	}
	return v.patternFacts(o)
}

// patternFacts returns the failure pattern and the extracted parameters.
func (v validatorCommandJudge) patternFacts(o plan.Outcome) []plan.Fact {
	out := []plan.Fact{{Name: "pattern", Value: v.FailurePattern}}
	values := templateParams{values: objectAt(o.Data, outcomeParamsKey)}
	for _, key := range slices.Sorted(maps.Keys(values.values)) {
		out = append(out, plan.Fact{Name: key, Value: values.valueText(key)})
	}
	return out
}

// schemaJudge is the Judge of a validation's outputSchema: it validates the output that the gate read.
type schemaJudge struct {
	Schema                        []byte
	SkipOnFailure, RetryOnFailure bool
}

// Describe implements plan.Describer.
func (s schemaJudge) Describe() plan.JudgeDescription {
	return plan.JudgeDescription{Kind: "validate", Validators: []string{"outputSchema"}}
}

// Judge implements plan.Judge.
func (s schemaJudge) Judge(_ plan.Product, scope plan.Scope) plan.Verdict {
	out := plan.Verdict{Outcome: copyOutcome(scope)}
	problem := schemaProblem(s.Schema, out.Data[outcomeOutputKey])
	addValidatorResult(&out, problem, plan.ValidatorResult{Validator: "outputSchema", Passed: problem == ""})
	if problem == "" {
		return out
	}
	out.Reason = "validation with outputSchema failed: " + problem
	if s.SkipOnFailure {
		skipValidation(&out)
		return out
	}
	failValidation(&out, "schema", s.RetryOnFailure)
	return out
}

// retryPrompt is the Prompt that answers a failed validator.
type retryPrompt struct {
	StepID               string // the validated step
	Values               *staticValues
	TextByFailurePattern map[string]retryText
}

// retryText is the prompt of a failure pattern.
type retryText struct {
	Description    string
	CandidatePaths []string
	File           string // "": none, so the text is generated
	Text           retryTemplate
	HasStrayTags   bool    // the text has tags that do not match
	NameResolver   *prompt // resolves names in braces
}

// Render implements plan.Prompt.
func (r retryPrompt) Render(scope plan.Scope) (plan.Rendered, error) {
	if scope == nil {
		return plan.Rendered{}, nil
	}
	o := scope.Outcome()
	id, _ := o.Data[outcomeFailurePatternKey].(string)
	retry := r.TextByFailurePattern[id]
	out := plan.Rendered{Origin: plan.PromptOrigin{From: "retry:" + retry.File, SearchedPaths: retry.CandidatePaths}}
	v := promptContext{staticValues: r.Values, scope: scope, finishedStepID: r.StepID}
	if l, ok := scope.(plan.NextStepScope); ok {
		v = v.forStep(l.NextStep())
	}
	f := textFiller{variableValue: v.variableValue, onMissing: missingWarns, origin: &out.Origin, nonVariableValue: func(name string) (string, bool) { return retry.NameResolver.nonVariableValue(name, v, &out) }}
	s, err := retry.Text.render(templateParams{values: objectAt(o.Data, outcomeParamsKey)}, &f)
	if retry.HasStrayTags {
		f.warnings = append(f.warnings, newWarning("template", "%s has unmatched tags", retry.File))
	}
	out.Text, out.Warnings = strings.TrimSpace(s), append(out.Warnings, f.warnings...)
	if out.Text == "" {
		out.Text, out.Origin.From = retry.generatedText(id, o.Data), "generated"
	}
	return out, err
}

// wrapInFence wraps output in a code block, so that line breaks survive.
func wrapInFence(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "\n" + strings.TrimRight(text, "\n") + "\n" + fence
}

// generatedText returns the retry prompt for a failure pattern without a file.
func (r retryText) generatedText(id string, data map[string]any) string {
	var b strings.Builder
	fmt.Fprintf(&b, "A check failed: %s. %s\n", id, r.Description)
	if text, _ := data[outcomeErrorTextKey].(string); text != "" {
		fmt.Fprintf(&b, "\n%s\n", wrapInFence(text))
	}
	p := templateParams{values: objectAt(data, outcomeParamsKey)}
	for _, key := range slices.Sorted(maps.Keys(p.values)) {
		fmt.Fprintf(&b, "\n- %s: %s", key, p.valueText(key))
	}
	b.WriteString("\n\nCorrect it, and reply again.")
	return b.String()
}

// schemaRetryPrompt is the Prompt that answers a reply which violates outputSchema.
type schemaRetryPrompt struct{ Schema []byte }

// Render implements plan.Prompt.
func (r schemaRetryPrompt) Render(scope plan.Scope) (plan.Rendered, error) {
	if scope == nil {
		return plan.Rendered{}, nil
	}
	text := fmt.Sprintf("%s.\nReply again with a JSON object that matches this schema:\n%s", scope.Outcome().Reason, r.Schema)
	return plan.Rendered{Text: text, Origin: plan.PromptOrigin{From: "generated"}}, nil
}

// loadRetryTexts returns the retry prompts of a validation by failure pattern, which are read once (spec §10).
func (r *registry) loadRetryTexts(v *validation) map[string]retryText {
	if v.retryTexts != nil {
		return v.retryTexts
	}
	v.retryTexts = map[string]retryText{}
	for _, c := range v.conditions {
		pattern := r.failurePatterns[r.validators[c.validatorID].failurePattern]
		paths := slices.Compact(append(r.promptPaths(v.retryPromptC2, v.retryPromptC3, pattern.edition, pattern.adaptation), r.promptPaths(v.retryPromptC2, v.retryPromptC3, "failed", "")...))
		file := r.FindPrompt(v.Place(), r.promptFolder, paths...)
		retry := retryText{Description: pattern.description, CandidatePaths: file.CandidatePaths}
		for file.Problem != "" && len(paths) > 1 { // skip files that cannot be used
			paths = paths[1:]
			file = r.FindPrompt(v.Place(), r.promptFolder, paths...)
		}
		if file.Problem == "" && file.ChosenPath != "" {
			retry.File = file.ChosenPath
			retry.Text, retry.HasStrayTags = parseTemplate(file.Text)
			retry.NameResolver = &prompt{Values: r.promptValues, Sections: r.includedSections(retry.Text.literalPieces())}
		}
		v.retryTexts[pattern.id] = retry
	}
	return v.retryTexts
}
