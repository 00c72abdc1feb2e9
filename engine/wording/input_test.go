package wording

import (
	"testing"

	"playhead/parse/plan"
)

// TestInputKind: AcceptedValues describes what an input accepts in words that need no knowledge of types.
func TestInputKind(t *testing.T) {
	one, five := 1.0, 5.0
	for want, in := range map[string]plan.Input{
		"one of: search, mail":                   {Type: "enum", Options: []string{"search", "mail"}},
		"true or false":                          {Type: "boolean"},
		"a number":                               {Type: "number"},
		"a number from 1 to 5":                   {Type: "number", Min: &one, Max: &five},
		"a number, at least 1":                   {Type: "number", Min: &one},
		"a number, at most 5":                    {Type: "number", Max: &five},
		"a list, as JSON or separated by commas": {Type: "array"},
		"":                                       {Type: "string"},
		"text that matches ^v[0-9]":              {Type: "string", Pattern: "^v[0-9]"},
	} {
		if got := AcceptedValues(in); got != want {
			t.Errorf("%+v: %q, want %q", in, got, want)
		}
	}
}
