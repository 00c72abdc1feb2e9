package workflow

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"playhead/parse/plan"
)

// FuzzParse: any file becomes a Plan that keeps the promises of keepsPromises.
func FuzzParse(f *testing.F) {
	for _, cases := range diagnosed {
		for _, c := range cases {
			if len(c.doc) < 10_000 {
				f.Add(c.doc)
			}
		}
	}
	f.Add(rich)
	f.Add(cp1254.damage(rich))
	f.Fuzz(func(t *testing.T, doc string) {
		defer tooLong(doc).Stop()
		keepsPromises(t, doc)
	})
}

// TestPromises checks these promises for the documents of the other tests.
func TestPromises(t *testing.T) {
	for _, cases := range diagnosed {
		for _, c := range cases {
			keepsPromises(t, c.doc)
		}
	}
	keepsPromises(t, rich)
}

// tooLong panics with the document after ten seconds, unless it is stopped.
func tooLong(doc string) *time.Timer {
	return time.AfterFunc(10*time.Second, func() { panic("10 s for " + strconv.Quote(doc)) })
}

func keepsPromises(t *testing.T, doc string) {
	t.Helper()
	p := parse(doc, "GIVEN=x")
	if !reflect.DeepEqual(p, parse(doc, "GIVEN=x")) {
		t.Error("equal documents, different Plans")
	}
	sorted := slices.Clone(p.Diagnostics)
	plan.SortDiagnostics(sorted)
	if !slices.Equal(sorted, p.Diagnostics) {
		t.Error("the diagnostics are not sorted")
	}
	text := lined(doc)
	for _, d := range p.Diagnostics {
		inside(t, text, plan.Span{Line: d.Line, Column: d.Column, LastLine: d.Line}, d.Code)
	}
	ids, keys := map[string]bool{}, map[string]bool{}
	p.Walk(func(s, _ *plan.Step) bool {
		if ids[s.ID] || keys[s.StableKey] || s.ID == "" || s.StableKey == "" {
			t.Errorf("step %q, key %q: empty or a duplicate", s.ID, s.StableKey)
		}
		ids[s.ID], keys[s.StableKey] = true, true
		inside(t, text, s.Span, s.ID)
		return true
	})
	for i, s := range steps(p) {
		checkStep(t, text, s, i)
	}
	if _, err := json.Marshal(p); err != nil {
		t.Error(err)
	}
}

// checkStep checks that a step is numbered in order and that its prompt and its judge work.
func checkStep(t *testing.T, text []string, s *plan.Step, i int) {
	t.Helper()
	if *s.Number != i || s.ID != strconv.Itoa(i+1) || len(s.Routes) != 2 {
		t.Errorf("step %d is %q, number %d, with %d routes", i, s.ID, *s.Number, len(s.Routes))
	}
	for _, a := range s.Actions {
		inside(t, text, a.Span, s.ID)
	}
	m := modelOf(s)
	if !json.Valid(m.ReportTool.Schema) || len(m.Tools) > len(messageOf(s).Tools) {
		t.Errorf("step %d offers %d tools and %s", i, len(m.Tools), m.ReportTool.Schema)
	}
	render(t, m.Prompt, run{})
	judgeOf(s).Judge(reply(`{"step_number":`+strconv.Itoa(i)+`,"status":"passed"}`), run{})
}

func inside(t *testing.T, text []string, s plan.Span, what string) {
	t.Helper()
	if s.Line < 1 || s.LastLine < s.Line || s.LastLine > len(text) || s.Column < 1 || s.Column > utf8.RuneCountInString(text[s.Line-1])+1 {
		t.Errorf("%s: outside the file: %+v", what, s)
	}
}

func lined(doc string) []string {
	doc = strings.TrimPrefix(doc, "\ufeff")
	return strings.Split(strings.ReplaceAll(strings.ReplaceAll(doc, "\r\n", "\n"), "\r", "\n"), "\n")
}

// FuzzJudge: every report has a verdict, and a report passes only if all of its assertions are true.
func FuzzJudge(f *testing.F) {
	f.Add(`{"step_number":1,"status":"passed","assertion_results":[{"assertion":"1. \"checksum equals x\".","passed":true}]}`, "checksum equals x")
	f.Add(`{"step_number":2.0,"status":"failed","output_variables":{"A":null}}`, "`a`")
	f.Fuzz(func(t *testing.T, arguments, assertion string) {
		j := reportJudge{StepNumber: 1, Assertions: []string{assertion, "[A]"}, Outputs: []Output{{"", "A"}}}
		v := j.Judge(reply(arguments), run{vars: map[string]any{"A": assertion}})
		if v.Result == plan.Passed && strings.Count(arguments, "true") < 2 && !strings.Contains(arguments, `\u`) {
			t.Errorf("passed with %s", arguments)
		}
		if v.Result == plan.Failed && len(v.Assignments) > 0 {
			t.Error("a failed step sets variables")
		}
	})
}
