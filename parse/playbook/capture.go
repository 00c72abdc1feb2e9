package playbook

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"playhead/parse/objects"
	"playhead/parse/plan"
)

// outputJudge is the Judge of an @output (spec §5): it stores the step's output and always passes. A
// value that does not fit causes a warning and is stored unchanged.
type outputJudge struct {
	Variable       string
	Type           string // "" where none is written
	Options        []string
	ExtractedField string
	IsShadowed     bool // an input has the same name and takes precedence, so nothing is stored
}

func (o *output) newJudge() outputJudge {
	return outputJudge{Variable: o.name, Type: o.valueType, Options: o.options, ExtractedField: o.extractedField, IsShadowed: o.isShadowed}
}

// Describe implements plan.Describer.
func (o outputJudge) Describe() plan.JudgeDescription {
	return plan.JudgeDescription{Kind: "capture", Variable: o.Variable, Type: o.Type, Options: o.Options, ExtractedField: o.ExtractedField}
}

// Sets implements plan.VariableSetter.
func (o outputJudge) Sets() []string { return []string{o.Variable} }

// PassesAll implements plan.PassingJudge.
func (o outputJudge) PassesAll() {}

// Judge implements plan.Judge. It does not change the step's outcome.
func (o outputJudge) Judge(p plan.Product, scope plan.Scope) plan.Verdict {
	v := plan.Verdict{Outcome: scope.Outcome()}
	v.Result, v.Text, v.Data = plan.Passed, p.Text, p.Data
	switch {
	case o.IsShadowed:
		v.Warnings = []plan.RunWarning{o.newWarning("output-shadows-input", "an input has this name and takes precedence: nothing is stored")}
		return v
	case scope.Outcome().Result == "":
		v.Warnings = []plan.RunWarning{o.newWarning("output-missing", "the step has no output: nothing is stored")}
		return v
	}
	value, violation := any(p.Text), ""
	if o.ExtractedField != "" {
		var found bool
		if value, found = o.extractField(p.Text); !found {
			violation = fmt.Sprintf("no JSON object in the output has the field %q", o.ExtractedField)
			v.Warnings = append(v.Warnings, o.newWarning("output-extract", violation+": the whole output is stored"))
		}
	}
	value, problem := convertToType(o.Type, o.Options, value)
	if problem != "" {
		v.Warnings = append(v.Warnings, o.newWarning("output-"+codeByValueType[o.Type], problem))
	}
	v.Assignments = []plan.Assignment{{Name: o.Variable, Value: value, Violation: cmp.Or(violation, problem)}}
	return v
}

// codeByValueType maps types to the last word of the codes for values that do not fit. "" is a list of options without a
// type.
var codeByValueType = map[string]string{"": "enum", "enum": "enum", "number": "type", "boolean": "type", "json": "type"}

func (o outputJudge) newWarning(code, message string) plan.RunWarning {
	return plan.RunWarning{Code: Format + "/" + code, Message: fmt.Sprintf("@output(%s): %s", o.Variable, message)}
}

// extractField returns the value of the field to extract, or the whole text.
func (o outputJudge) extractField(text string) (value any, found bool) {
	_, raw, found := objects.LastObjectWithField(text, o.ExtractedField)
	value, err := plan.ValueFromJSON(raw)
	if !found || err != nil {
		return text, false
	}
	return value, true
}

// answerJudge is the Judge of a question beside a tool call (spec §5): it stores the answer, and
// the step's output stays the tool's result.
type answerJudge struct{ Variable string }

// Sets implements plan.VariableSetter.
func (a answerJudge) Sets() []string { return []string{a.Variable} }

// PassesAll implements plan.PassingJudge.
func (a answerJudge) PassesAll() {}

// Judge implements plan.Judge.
func (a answerJudge) Judge(p plan.Product, scope plan.Scope) plan.Verdict {
	v := plan.Verdict{Outcome: scope.Outcome(), Assignments: []plan.Assignment{{Name: a.Variable, Value: p.Text}}}
	v.Result, v.Source = plan.Passed, "answer"
	return v
}

// convertToType converts a text or an extracted value to the type of an output (spec §5). If that is impossible, it
// returns the value and why.
func convertToType(kind string, options []string, value any) (converted any, problem string) {
	switch {
	case kind == "enum" || kind == "" && len(options) > 0:
		return matchOption(options, value)
	case kind == "number":
		return toNumber(value)
	case kind == "boolean":
		return toBoolean(value)
	case kind == "json":
		return jsonInText(value)
	case kind == "":
		return value, ""
	}
	return plan.ValueText(value), ""
}

// matchOption returns the option that a value equals, or equals in another case.
func matchOption(options []string, value any) (option any, problem string) {
	text := strings.TrimSpace(plan.ValueText(value))
	if slices.Contains(options, text) {
		return text, ""
	}
	for _, o := range options {
		if strings.EqualFold(text, strings.TrimSpace(o)) {
			return o, ""
		}
	}
	return text, fmt.Sprintf("the value is not one of %s", strings.Join(options, ", "))
}

// toNumber returns a number as a json.Number, as written, or as a float64 if JSON cannot write it so.
func toNumber(value any) (any, string) {
	text := strings.TrimSpace(plan.ValueText(value))
	n, ok := plan.ParseNumber(text)
	switch {
	case !ok:
		return value, "the value is not a number"
	case json.Valid([]byte(text)):
		return json.Number(text), ""
	}
	return n, ""
}

func toBoolean(value any) (any, string) {
	if b, ok := value.(bool); ok {
		return b, ""
	}
	switch strings.ToLower(strings.TrimSpace(plan.ValueText(value))) {
	case "true", "yes":
		return true, ""
	case "false", "no":
		return false, ""
	}
	return value, "the value is neither true nor false"
}

// jsonInText returns the JSON that a text is or contains, decoded. Of several objects, the last one counts. A value that
// is no text is returned unchanged.
func jsonInText(value any) (decoded any, problem string) {
	text, ok := value.(string)
	if !ok {
		return value, ""
	}
	if raw, ok := objects.FindJSON(text); ok {
		if decoded, err := plan.ValueFromJSON(raw); err == nil {
			return decoded, ""
		}
	}
	return value, "there is no JSON in the output"
}
