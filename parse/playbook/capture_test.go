package playbook

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"playhead/parse/plan"
)

// TestCapture (spec §5): types, options, what does not fit.
func TestCapture(t *testing.T) {
	options := []string{"positive", "negative"}
	object := map[string]any{"a": 1.0}
	for name, c := range map[string]struct {
		capture
		reply string
		want  any
		note  string
	}{
		"untyped":            {capture{}, " a\n", " a\n", ""},
		"string":             {capture{Type: "string"}, " a\n", " a\n", ""},
		"number":             {capture{Type: "number"}, " -4.50\n", -4.5, ""},
		"no number":          {capture{Type: "number"}, "four", "four", "output-type"},
		"hexadecimal":        {capture{Type: "number"}, "0x10", "0x10", "output-type"},
		"infinite":           {capture{Type: "number"}, "inf", "inf", "output-type"},
		"boolean":            {capture{Type: "boolean"}, " TRUE ", true, ""},
		"no":                 {capture{Type: "boolean"}, "No", false, ""},
		"no boolean":         {capture{Type: "boolean"}, "maybe", "maybe", "output-type"},
		"enum":               {capture{Type: "enum", Options: options}, " positive\n", "positive", ""},
		"enum, other case":   {capture{Type: "enum", Options: options}, "Negative", "negative", ""},
		"no option":          {capture{Type: "enum", Options: options}, " mixed ", "mixed", "output-enum"},
		"options alone":      {capture{Options: options}, "mixed", "mixed", "output-enum"},
		"json":               {capture{Type: "json"}, ` {"a": 1} `, object, ""},
		"json, fenced":       {capture{Type: "json"}, "Here:\n```json\n[1]\n```\nbye", []any{1.0}, ""},
		"json, inside":       {capture{Type: "json"}, `so {"b": 2} or {"a": 1}.`, object, ""},
		"no json":            {capture{Type: "json"}, "none {", "none {", "output-type"},
		"extract":            {capture{Extract: "a"}, `{"a": "x"}`, "x", ""},
		"extract, number":    {capture{Extract: "a"}, `{"a": 3}`, 3.0, ""},
		"extract, text":      {capture{Extract: "a", Type: "string"}, `{"a": 3}`, "3", ""},
		"extract, object":    {capture{Extract: "o"}, `{"o": {"a": 1}}`, object, ""},
		"extract, json":      {capture{Extract: "o", Type: "json"}, `{"o": {"a": 1}}`, object, ""},
		"extract, typed":     {capture{Extract: "a", Type: "number"}, `{"a": "3"}`, 3.0, ""},
		"extract, enum":      {capture{Extract: "a", Type: "enum", Options: options}, `{"a": "Positive"}`, "positive", ""},
		"extract, null":      {capture{Extract: "a"}, `{"a": null}`, nil, ""},
		"extract, not there": {capture{Extract: "a"}, `{"b": 1}`, `{"b": 1}`, "output-extract"},
		"no output":          {capture{}, "", nil, "output-missing"},
		"shadows":            {capture{Shadows: true}, "a", nil, "output-shadows-input"},
	} {
		c.Variable = "v"
		o := plan.Outcome{Result: plan.Passed, Source: "model"}
		if name == "no output" {
			o.Result = ""
		}
		v := c.Judge(plan.Product{Text: c.reply}, run{outcome: o})
		want := []plan.Assignment{{Name: "v", Value: c.want}}
		if c.Shadows || o.Result == "" {
			want = nil
		}
		if len(v.Assignments) > 0 && (v.Assignments[0].Unfit == "") != (c.note == "") {
			t.Errorf("%s: unfit %q", name, v.Assignments[0].Unfit)
		}
		if diff := cmp.Diff(want, v.Assignments, cmpopts.IgnoreFields(plan.Assignment{}, "Unfit")); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		var codes []string
		for _, n := range v.Notes {
			codes = append(codes, strings.TrimPrefix(n.Code, Format+"/"))
		}
		if got := strings.Join(codes, " "); got != c.note {
			t.Errorf("%s: notes %v, want %s", name, v.Notes, c.note)
		}
		if v.Result != plan.Passed || v.Text != c.reply || v.Source != "model" {
			t.Errorf("%s: the outcome changed: %+v", name, v.Outcome)
		}
	}
}

// TestKept: beside a tool an answer is stored, and the tool's result stays.
func TestKept(t *testing.T) {
	v := answerJudge{"a"}.Judge(plan.Product{Text: "yes"}, run{outcome: plan.Outcome{Result: plan.Passed, Text: "rows"}})
	if v.Text != "rows" || v.Result != plan.Passed || len(v.Assignments) != 1 || v.Assignments[0].Value != "yes" {
		t.Errorf("%+v", v)
	}
}
