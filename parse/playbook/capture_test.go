package playbook

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"playhead/parse/plan"
)

// TestCapture (spec §5): @output stores a reply as a value of its type, with numbers as they are written, or stores the
// text with a warning.
func TestCapture(t *testing.T) {
	options := []string{"positive", "negative"}
	object := map[string]any{"a": json.Number("1")}
	for name, c := range map[string]struct {
		outputJudge
		reply string
		want  any
		note  string
	}{
		"untyped":            {outputJudge{}, " a\n", " a\n", ""},
		"string":             {outputJudge{Type: "string"}, " a\n", " a\n", ""},
		"number":             {outputJudge{Type: "number"}, " -4.50\n", json.Number("-4.50"), ""},
		"large number":       {outputJudge{Type: "number"}, "9007199254740993", json.Number("9007199254740993"), ""},
		"number unlike JSON": {outputJudge{Type: "number"}, "+.50", 0.5, ""},
		"no number":          {outputJudge{Type: "number"}, "four", "four", "output-type"},
		"hexadecimal":        {outputJudge{Type: "number"}, "0x10", "0x10", "output-type"},
		"infinite":           {outputJudge{Type: "number"}, "inf", "inf", "output-type"},
		"boolean":            {outputJudge{Type: "boolean"}, " TRUE ", true, ""},
		"no":                 {outputJudge{Type: "boolean"}, "No", false, ""},
		"no boolean":         {outputJudge{Type: "boolean"}, "maybe", "maybe", "output-type"},
		"enum":               {outputJudge{Type: "enum", Options: options}, " positive\n", "positive", ""},
		"enum, other case":   {outputJudge{Type: "enum", Options: options}, "Negative", "negative", ""},
		"no option":          {outputJudge{Type: "enum", Options: options}, " mixed ", "mixed", "output-enum"},
		"options alone":      {outputJudge{Options: options}, "mixed", "mixed", "output-enum"},
		"json":               {outputJudge{Type: "json"}, ` {"a": 1} `, object, ""},
		"json, fenced":       {outputJudge{Type: "json"}, "Here:\n```json\n[1]\n```\nbye", []any{json.Number("1")}, ""},
		"json, inside":       {outputJudge{Type: "json"}, `so {"b": 2} or {"a": 1}.`, object, ""},
		"no json":            {outputJudge{Type: "json"}, "none {", "none {", "output-type"},
		"extract":            {outputJudge{ExtractedField: "a"}, `{"a": "x"}`, "x", ""},
		"extract, number":    {outputJudge{ExtractedField: "a"}, `{"a": 3}`, json.Number("3"), ""},
		"extract, large":     {outputJudge{ExtractedField: "a"}, `{"a": 12345678901234567890}`, json.Number("12345678901234567890"), ""},
		"extract, decimals":  {outputJudge{ExtractedField: "a", Type: "number"}, `{"a": 0.10}`, json.Number("0.10"), ""},
		"json, decimals":     {outputJudge{Type: "json"}, `[0.10, 1e3]`, []any{json.Number("0.10"), json.Number("1e3")}, ""},
		"extract, text":      {outputJudge{ExtractedField: "a", Type: "string"}, `{"a": 3}`, "3", ""},
		"extract, object":    {outputJudge{ExtractedField: "o"}, `{"o": {"a": 1}}`, object, ""},
		"extract, json":      {outputJudge{ExtractedField: "o", Type: "json"}, `{"o": {"a": 1}}`, object, ""},
		"extract, typed":     {outputJudge{ExtractedField: "a", Type: "number"}, `{"a": "3"}`, json.Number("3"), ""},
		"extract, enum":      {outputJudge{ExtractedField: "a", Type: "enum", Options: options}, `{"a": "Positive"}`, "positive", ""},
		"extract, null":      {outputJudge{ExtractedField: "a"}, `{"a": null}`, nil, ""},
		"extract, not there": {outputJudge{ExtractedField: "a"}, `{"b": 1}`, `{"b": 1}`, "output-extract"},
		"no output":          {outputJudge{}, "", nil, "output-missing"},
		"shadows":            {outputJudge{IsShadowed: true}, "a", nil, "output-shadows-input"},
	} {
		c.Variable = "v"
		o := plan.Outcome{Result: plan.Passed, Source: "model"}
		if name == "no output" {
			o.Result = ""
		}
		v := c.Judge(plan.Product{Text: c.reply}, run{outcome: o})
		want := []plan.Assignment{{Name: "v", Value: c.want}}
		if c.IsShadowed || o.Result == "" {
			want = nil
		}
		if len(v.Assignments) > 0 && (v.Assignments[0].Violation == "") != (c.note == "") {
			t.Errorf("%s: unfit %q", name, v.Assignments[0].Violation)
		}
		if diff := cmp.Diff(want, v.Assignments, cmpopts.IgnoreFields(plan.Assignment{}, "Violation")); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		var codes []string
		for _, n := range v.Warnings {
			codes = append(codes, strings.TrimPrefix(n.Code, Format+"/"))
		}
		if got := strings.Join(codes, " "); got != c.note {
			t.Errorf("%s: notes %v, want %s", name, v.Warnings, c.note)
		}
		if v.Result != plan.Passed || v.Text != c.reply || v.Source != "model" {
			t.Errorf("%s: the outcome changed: %+v", name, v.Outcome)
		}
	}
}

// TestAnswerBesideToolCall: an answer in a step with a tool call is stored, and the tool's result remains the step's
// text.
func TestAnswerBesideToolCall(t *testing.T) {
	v := answerJudge{"a"}.Judge(plan.Product{Text: "yes"}, run{outcome: plan.Outcome{Result: plan.Passed, Text: "rows"}})
	if v.Text != "rows" || v.Result != plan.Passed || len(v.Assignments) != 1 || v.Assignments[0].Value != "yes" {
		t.Errorf("%+v", v)
	}
}
