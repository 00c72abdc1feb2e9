package registry

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"playhead/parse/plan"
)

// validatorJudge is the Judge of a validator's command (spec §10).
type validatorJudge struct {
	Name        string
	Nth, Of     int // the position among Of conditions, from 1
	Success     successRule
	Pattern     string
	Extract     []extraction
	Recoverable bool
	Skip        bool // onFailure is skip
	Retry       bool // onFailure is retry
}

// Describe implements plan.Describer.
func (v validatorJudge) Describe() plan.Description {
	return plan.Description{Kind: "validate", Validators: []string{v.Name}}
}

// Judge implements plan.Judge. It keeps what the gate decided before.
func (v validatorJudge) Judge(p plan.Product, scope plan.Scope) plan.Verdict {
	code := p.ExitCode
	if p.Err != "" || p.TimedOut || p.Signal != "" {
		code = -1
	}
	return v.judged(scope, v.Success.holds(p.Stdout, code), exitText(p), commandOutput{p.Stdout, p.Stderr, code})
}

// Decide implements plan.Decider. The person's answer replaces the exit status.
func (v validatorJudge) Decide(pass bool, reason string, scope plan.Scope) plan.Verdict {
	how := "by hand"
	if reason != "" {
		how += ", " + reason
	}
	return v.judged(scope, pass, how, commandOutput{stderr: reason, code: -1})
}

// judged adds the result of this command to the outcome so far.
func (v validatorJudge) judged(scope plan.Scope, passed bool, how string, p commandOutput) plan.Verdict {
	out := plan.Verdict{Outcome: outcomeCopy(scope)}
	runs, _ := out.Data[dataValidators].([]any)
	out.Data[dataValidators] = append(runs[:len(runs):len(runs)], map[string]any{"validator": v.Name, "passed": passed, "exit_code": p.code})
	out.Source = v.Name
	addCheck(&out, how, plan.Validation{Validator: v.Name, Passed: passed, Nth: v.Nth, Of: v.Of})
	if passed {
		return out
	}
	out.Reading.Validations[len(out.Reading.Validations)-1].FailurePattern = v.Pattern
	out.Reason = fmt.Sprintf("%s failed (%s): %s", v.Name, v.Pattern, how)
	v.extractParams(&out, p)
	v.fail(&out, couldNotRun(p))
	return out
}

// addCheck adds the result of a validation to those before it.
func addCheck(out *plan.Verdict, detail string, found plan.Validation) {
	c := plan.Check{Text: found.Validator, Verdict: plan.Failed, Detail: detail}
	var read plan.Reading
	if out.Reading != nil {
		read = *out.Reading
	}
	if found.Passed {
		c.Verdict = plan.Passed
	} else {
		read.Validator = found.Validator
	}
	read.Validations = append(slices.Clip(read.Validations), found)
	out.Checks, out.Reading = append(slices.Clip(out.Checks), c), &read
}

// outcomeCopy returns the outcome so far, with a copy of its data.
func outcomeCopy(scope plan.Scope) plan.Outcome {
	o := scope.Outcome()
	data := map[string]any{}
	for k, v := range o.Data {
		data[k] = v
	}
	o.Data = data
	return o
}

// fail sets what follows from a failure.
func (v validatorJudge) fail(out *plan.Verdict, refused bool) {
	switch {
	case refused || !v.Recoverable:
		out.Result = plan.Errored
		out.Notes = append(out.Notes, note("validation-failed", "%s cannot be recovered from", out.Reason))
	case v.Skip:
		skipValidation(out)
	default:
		failValidation(out, "validator", v.Retry)
	}
}

// skipValidation lets a failed validation pass.
func skipValidation(out *plan.Verdict) {
	out.Data[dataSkipped] = "true"
	out.Reading.Validations[len(out.Reading.Validations)-1].Skipped = true
	out.Notes = append(out.Notes, note("validation-skipped", "%s; it is skipped", out.Reason))
}

// failValidation marks the outcome as a failed validation.
func failValidation(out *plan.Verdict, what string, retry bool) {
	out.Result, out.Data[dataFailure] = plan.Failed, what
	if retry {
		out.Data[dataVia] = "validation-retry"
	}
}

// couldNotRun reports whether a command could not do its work at all.
func couldNotRun(p commandOutput) bool {
	return p.code == 126 || p.code == 127 || strings.Contains(p.stderr, "EACCES") || strings.Contains(p.stderr, "Permission denied")
}

// extractParams takes the parameters of the retry prompt from the output.
func (v validatorJudge) extractParams(out *plan.Verdict, p commandOutput) {
	values := map[string]any{}
	for _, e := range v.Extract {
		extract, known := extractors[e.Extractor]
		if !known {
			values[e.Param] = ""
			out.Notes = append(out.Notes, note("template", "there is no extractor %q: %s is empty", e.Extractor, e.Param))
			continue
		}
		values[e.Param] = extract(p)
	}
	out.Data[dataParams] = values
	out.Data["pattern"] = v.Pattern
	out.Data["error"] = cmp.Or(strings.TrimSpace(p.stderr), strings.TrimSpace(p.stdout))
}

// holds reports whether the command's result satisfies the rule.
func (s successRule) holds(stdout string, code int) bool {
	switch s.How {
	case "empty":
		return strings.TrimSpace(stdout) == "" && code == 0
	case "exitCode":
		return code == s.Code
	case "contains":
		return strings.Contains(stdout, s.Text)
	case "matches":
		re, err := regexp.Compile(s.Text)
		return err == nil && re.MatchString(stdout)
	}
	return false
}

// schemaJudge is the Judge of a validation's outputSchema.
type schemaJudge struct {
	Schema                        []byte
	SkipOnFailure, RetryOnFailure bool
}

// Describe implements plan.Describer.
func (c schemaJudge) Describe() plan.Description {
	return plan.Description{Kind: "validate", Validators: []string{"outputSchema"}}
}

// Judge implements plan.Judge.
func (c schemaJudge) Judge(_ plan.Product, scope plan.Scope) plan.Verdict {
	out := plan.Verdict{Outcome: outcomeCopy(scope)}
	problem := schemaProblem(c.Schema, out.Data[dataOutput])
	addCheck(&out, problem, plan.Validation{Validator: "outputSchema", Passed: problem == ""})
	if problem == "" {
		return out
	}
	out.Reason = "the output does not match outputSchema: " + problem
	if c.SkipOnFailure {
		skipValidation(&out)
		return out
	}
	failValidation(&out, "schema", c.RetryOnFailure)
	return out
}

// retryPrompt is the Prompt that answers a failed validator.
type retryPrompt struct {
	Step     string // the validated step
	Values   *staticValues
	Patterns map[string]retryText
}

// retryText is the prompt of a failure pattern.
type retryText struct {
	Description string
	Candidates  []string
	File        string // "": none, so the text is generated
	Text        retryTemplate
	Stray       bool    // the text has tags that do not match
	Names       *prompt // resolves names in braces
}

// Render implements plan.Prompt.
func (r retryPrompt) Render(scope plan.Scope) (plan.Rendered, error) {
	if scope == nil {
		return plan.Rendered{}, nil
	}
	o := scope.Outcome()
	id, _ := o.Data["pattern"].(string)
	a := r.Patterns[id]
	out := plan.Rendered{Origin: plan.Origin{From: "retry:" + a.File, SearchedPaths: a.Candidates}}
	v := view{staticValues: r.Values, scope: scope, after: r.Step}
	if l, ok := scope.(plan.NextStepScope); ok {
		v = v.forStep(l.NextStep())
	}
	f := textFiller{variable: v.variable, missing: missingWarns, origin: &out.Origin, other: func(name string) (string, bool) { return a.Names.value(name, v, &out) }}
	s, err := a.Text.render(params{values: objectAt(o.Data, dataParams)}, &f)
	if a.Stray {
		f.notes = append(f.notes, note("template", "%s has tags that are not closed, or close nothing", a.File))
	}
	out.Text, out.Notes = strings.TrimSpace(s), append(out.Notes, f.notes...)
	if out.Text == "" {
		out.Text, out.Origin.From = a.generated(id, o.Data), "generated"
	}
	return out, err
}

// fenced wraps output in a code block, so that line breaks survive.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "\n" + strings.TrimRight(text, "\n") + "\n" + fence
}

// generated returns the text for a pattern without a file.
func (a retryText) generated(id string, data map[string]any) string {
	var b strings.Builder
	fmt.Fprintf(&b, "A check failed: %s. %s\n", id, a.Description)
	if text, _ := data["error"].(string); text != "" {
		fmt.Fprintf(&b, "\n%s\n", fenced(text))
	}
	p := params{values: objectAt(data, dataParams)}
	for _, key := range sortedKeys(p.values) {
		fmt.Fprintf(&b, "\n- %s: %s", key, p.text(key))
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
	text := fmt.Sprintf("%s.\nReply again with a JSON object that is valid by this schema:\n%s", scope.Outcome().Reason, r.Schema)
	return plan.Rendered{Text: text, Origin: plan.Origin{From: "generated"}}, nil
}

// retryTexts returns the retry prompts of a validation's failure patterns (spec §10).
func (r *registry) retryTexts(v *validation) map[string]retryText {
	if v.retryTexts != nil {
		return v.retryTexts
	}
	v.retryTexts = map[string]retryText{}
	for _, c := range v.conditions {
		p := r.patterns[r.validators[c.validator].pattern]
		paths := slices.Compact(append(r.paths(v.c2, v.c3, p.edition, p.adaptation), r.paths(v.c2, v.c3, "failed", "")...))
		f := r.Prompt(v.Place(), r.prompts, paths...)
		a := retryText{Description: p.description, Candidates: f.Candidates}
		for f.Problem != "" && len(paths) > 1 { // one that cannot be used is passed over
			paths = paths[1:]
			f = r.Prompt(v.Place(), r.prompts, paths...)
		}
		if f.Problem == "" && f.Chosen != "" {
			a.File = f.Chosen
			a.Text, a.Stray = parseTemplate(f.Text)
			a.Names = &prompt{Values: r.values, Sections: r.sections(a.Text.literals())}
		}
		v.retryTexts[p.id] = a
	}
	return v.retryTexts
}
