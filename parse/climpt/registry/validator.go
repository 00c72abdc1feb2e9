package registry

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"playhead/parse/plan"
)

// validated is the Judge of a validator's command (spec §10).
type validated struct {
	Name        string
	Nth, Of     int // of how many conditions it is which, from 1
	Success     success
	Pattern     string
	Extract     []extraction
	Recoverable bool
	Skip        bool // onFailure is skip
	Retry       bool // onFailure is retry
}

// Describe implements plan.Described.
func (v validated) Describe() plan.Description {
	return plan.Description{Kind: "validate", Validators: []string{v.Name}}
}

// Judge implements plan.Judge. What the gate came to is kept.
func (v validated) Judge(p plan.Product, scope plan.Scope) plan.Verdict {
	code := p.ExitCode
	if p.Err != "" || p.TimedOut || p.Signal != "" {
		code = -1
	}
	return v.judged(scope, v.Success.holds(p.Stdout, code), ending(p), printed{p.Stdout, p.Stderr, code})
}

// Decide implements plan.Decided: a person's word stands for how the command ended.
func (v validated) Decide(pass bool, reason string, scope plan.Scope) plan.Verdict {
	how := "by hand"
	if reason != "" {
		how += ", " + reason
	}
	return v.judged(scope, pass, how, printed{stderr: reason, code: -1})
}

// judged is the outcome so far with what this command adds: how it ended, and whether
// that is well.
func (v validated) judged(scope plan.Scope, passed bool, how string, p printed) plan.Verdict {
	out := plan.Verdict{Outcome: outcomeCopy(scope)}
	runs, _ := out.Data[dataValidators].([]any)
	out.Data[dataValidators] = append(runs[:len(runs):len(runs)], map[string]any{"validator": v.Name, "passed": passed, "exit_code": p.code})
	out.Source = v.Name
	checked(&out, how, plan.Validation{Validator: v.Name, Passed: passed, Nth: v.Nth, Of: v.Of})
	if passed {
		return out
	}
	out.Reading.Validations[len(out.Reading.Validations)-1].Pattern = v.Pattern
	out.Reason = fmt.Sprintf("%s failed (%s): %s", v.Name, v.Pattern, how)
	v.extracted(&out, p)
	v.fail(&out, refused(p))
	return out
}

// checked adds what a validation found to those before it, and to what was read.
func checked(out *plan.Verdict, detail string, found plan.Validation) {
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

// outcomeCopy is the outcome so far, with data of its own.
func outcomeCopy(scope plan.Scope) plan.Outcome {
	o := scope.Outcome()
	data := map[string]any{}
	for k, v := range o.Data {
		data[k] = v
	}
	o.Data = data
	return o
}

// fail says what becomes of a failure.
func (v validated) fail(out *plan.Verdict, refused bool) {
	switch {
	case refused || !v.Recoverable:
		out.Result = plan.Errored
		out.Notes = append(out.Notes, note("validation-failed", "%s cannot be recovered from", out.Reason))
	case v.Skip:
		skip(out)
	default:
		failed(out, "validator", v.Retry)
	}
}

// skip takes a failed validation for passed.
func skip(out *plan.Verdict) {
	out.Data[dataSkipped] = "true"
	out.Reading.Validations[len(out.Reading.Validations)-1].Skipped = true
	out.Notes = append(out.Notes, note("validation-skipped", "%s; it is skipped", out.Reason))
}

// failed is a validation that failed.
func failed(out *plan.Verdict, what string, retry bool) {
	out.Result, out.Data[dataFailure] = plan.Failed, what
	if retry {
		out.Data[dataVia] = "validation-retry"
	}
}

// refused reports whether a command could not do its work at all.
func refused(p printed) bool {
	return p.code == 126 || p.code == 127 || strings.Contains(p.stderr, "EACCES") || strings.Contains(p.stderr, "Permission denied")
}

// extracted takes what the retry prompt needs from the output.
func (v validated) extracted(out *plan.Verdict, p printed) {
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

// holds reports whether a command did what is wanted of it.
func (s success) holds(stdout string, code int) bool {
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

// conforms is the Judge of a validation's outputSchema.
type conforms struct {
	Schema      []byte
	Skip, Retry bool
}

// Describe implements plan.Described.
func (c conforms) Describe() plan.Description {
	return plan.Description{Kind: "validate", Validators: []string{"outputSchema"}}
}

// Judge implements plan.Judge.
func (c conforms) Judge(_ plan.Product, scope plan.Scope) plan.Verdict {
	out := plan.Verdict{Outcome: outcomeCopy(scope)}
	problem := invalid(c.Schema, out.Data[dataOutput])
	checked(&out, problem, plan.Validation{Validator: "outputSchema", Passed: problem == ""})
	if problem == "" {
		return out
	}
	out.Reason = "the output is not as outputSchema says: " + problem
	if c.Skip {
		skip(&out)
		return out
	}
	failed(&out, "schema", c.Retry)
	return out
}

// retry is the prompt that a failed validator is answered with: a Prompt.
type retry struct {
	Step     string // that is validated
	Values   *values
	Patterns map[string]answer
}

// answer is the prompt of a failure pattern.
type answer struct {
	Description string
	Tried       []string
	File        string // "": none; the text is generated
	Text        template
	Stray       bool    // tags in it that are not closed, or close nothing
	Names       *prompt // what names in braces stand for
}

// Render implements plan.Prompt.
func (r retry) Render(scope plan.Scope) (plan.Rendered, error) {
	if scope == nil {
		return plan.Rendered{}, nil
	}
	o := scope.Outcome()
	id, _ := o.Data["pattern"].(string)
	a := r.Patterns[id]
	out := plan.Rendered{Origin: plan.Origin{From: "retry:" + a.File, Tried: a.Tried}}
	v := view{values: r.Values, scope: scope, after: r.Step}
	if l, ok := scope.(plan.Leading); ok {
		v = v.of(l.Leads())
	}
	f := textFiller{variable: v.variable, missing: warned, origin: &out.Origin, other: func(name string) (string, bool) { return a.Names.value(name, v, &out) }}
	s, err := a.Text.render(params{values: object(o.Data, dataParams)}, &f)
	if a.Stray {
		f.notes = append(f.notes, note("template", "%s has tags that are not closed, or close nothing", a.File))
	}
	out.Text, out.Notes = strings.TrimSpace(s), append(out.Notes, f.notes...)
	if out.Text == "" {
		out.Text, out.Origin.From = a.generated(id, o.Data), "generated"
	}
	return out, err
}

// fenced is what a command printed as a block of code: its lines stay lines.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "\n" + strings.TrimRight(text, "\n") + "\n" + fence
}

// generated is the text where a pattern has no file.
func (a answer) generated(id string, data map[string]any) string {
	var b strings.Builder
	fmt.Fprintf(&b, "A check failed: %s. %s\n", id, a.Description)
	if text, _ := data["error"].(string); text != "" {
		fmt.Fprintf(&b, "\n%s\n", fenced(text))
	}
	p := params{values: object(data, dataParams)}
	for _, key := range sortedKeys(p.values) {
		fmt.Fprintf(&b, "\n- %s: %s", key, p.text(key))
	}
	b.WriteString("\n\nCorrect it, and reply again.")
	return b.String()
}

// reformat is the prompt that a reply which breaks outputSchema is answered with.
type reformat struct{ Schema []byte }

// Render implements plan.Prompt.
func (r reformat) Render(scope plan.Scope) (plan.Rendered, error) {
	if scope == nil {
		return plan.Rendered{}, nil
	}
	text := fmt.Sprintf("%s.\nReply again with a JSON object that is valid by this schema:\n%s", scope.Outcome().Reason, r.Schema)
	return plan.Rendered{Text: text, Origin: plan.Origin{From: "generated"}}, nil
}

// answers are the prompts of a validation's failure patterns (spec §10, retry prompt).
func (r *registry) answers(v *validation) map[string]answer {
	if v.answers != nil {
		return v.answers
	}
	v.answers = map[string]answer{}
	for _, c := range v.conditions {
		p := r.patterns[r.validators[c.validator].pattern]
		paths := slices.Compact(append(r.paths(v.c2, v.c3, p.edition, p.adaptation), r.paths(v.c2, v.c3, "failed", "")...))
		f := r.Prompt(v.Place(), r.prompts, paths...)
		a := answer{Description: p.description, Tried: f.Candidates}
		for f.Problem != "" && len(paths) > 1 { // one that cannot be used is passed over
			paths = paths[1:]
			f = r.Prompt(v.Place(), r.prompts, paths...)
		}
		if f.Problem == "" && f.Chosen != "" {
			a.File = f.Chosen
			a.Text, a.Stray = parseTemplate(f.Text)
			a.Names = &prompt{Values: r.values, Sections: r.sections(a.Text.literals())}
		}
		v.answers[p.id] = a
	}
	return v.answers
}
