package plan

import (
	"encoding/json"
	"testing"
)

// TestJSON tests parts of show --json that no document of a format has: empty keys are absent, 0 and false are written.
func TestJSON(t *testing.T) {
	cases := map[string]struct {
		plan Plan
		want string
	}{
		"empty":       {Plan{}, `{"steps":[],"diagnostics":[]}`},
		"not escaped": {Plan{Title: "a < b & c"}, `{"title":"a < b & c","steps":[],"diagnostics":[]}`},
		"entries": {
			Plan{Entries: []Entry{{Step: "1"}, {When: "poll:state", Step: "a"}}},
			`{"entry":["1"],"entries":[{"when":"poll:state","step":"a"}],"steps":[],"diagnostics":[]}`,
		},
		"inputs": {
			Plan{Inputs: []Input{{Name: "depth", Type: "enum", Options: []string{"a", "b"}, DeclaredAt: WholeLine(9)}}},
			`{"inputs":[{"name":"depth","type":"enum","options":["a","b"],"required":false,"line":9}],"steps":[],"diagnostics":[]}`,
		},
		"budgets": {
			Plan{Steps: []*Step{{ID: "a", Routes: []Route{
				{When: Matcher{Intent: "retry"}, Do: Move{Verb: Goto, To: Target{IsCaller: true}, Limit: &Limit{Counter: "entry", Max: 2, PerRun: true}, AfterLimit: &Move{Verb: EndDocument, Result: RunFailed}}},
				{When: Matcher{Result: Skipped}, Do: Move{Verb: RunAgain, Limit: &Limit{Counter: "format", Max: 1}}},
			}}}},
			`{"steps":[{"id":"a","label":"a","line":0,"routes":[` +
				`{"line":0,"on":"intent","intent":"retry","do":"goto","target":"caller","next":false,"count":2,"then":{"line":0,"do":"fail","implicit":false},"implicit":false},` +
				`{"line":0,"on":"skipped","do":"repeat","count":1,"implicit":false}]}],"diagnostics":[]}`,
		},
	}
	for name, c := range cases {
		got, err := c.plan.MarshalJSON()
		if err != nil || string(got) != c.want || !json.Valid(got) {
			t.Errorf("%s: %v\ngot  %s\nwant %s", name, err, got, c.want)
		}
	}
}
