package scenario

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"playhead/engine/machine"
	"playhead/engine/routes"
	"playhead/parse/plan"
	"playhead/parse/rundown"
)

// TestMain lets the test binary act as the program rd that its scenarios run.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == rundown.CommandName {
		os.Exit(rundown.RunRD(os.Args[1:], os.Getenv("PLAYHEAD_ATTEMPT"), os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// flaky returns a document with two steps: a command with one retry, and a decision.
func flaky(command string) *plan.Plan {
	end := func(r plan.RunResult, text string) plan.Move {
		return plan.Move{Verb: plan.EndDocument, Result: r, SourceText: text}
	}
	stop := end(plan.Stopped, "STOP")
	return &plan.Plan{
		Path: "flaky.runbook.md", Entries: []plan.Entry{{Step: "1"}},
		Steps: []*plan.Step{
			{
				ID:      "1",
				Actions: []plan.Action{{Work: plan.Command{Shell: "sh", Text: plan.Literal(command)}}},
				Routes: []plan.Route{
					{When: plan.Matcher{Result: plan.Failed}, Do: plan.Move{
						Verb: plan.RunAgain, Limit: &plan.Limit{Counter: plan.AttemptCounter, Max: 2}, AfterLimit: &stop, SourceText: "FAIL: RETRY 1 STOP",
					}},
					{When: plan.Matcher{Result: plan.Passed}, Do: plan.Move{SourceText: "PASS: CONTINUE", Implicit: true}},
				},
			},
			{
				ID:      "2",
				Actions: []plan.Action{{Work: plan.Decide{}}},
				Routes: []plan.Route{
					{When: plan.Matcher{Result: plan.Passed}, Do: end(plan.Completed, "PASS: COMPLETE")},
					{When: plan.Matcher{Result: plan.Failed}, Do: end(plan.Stopped, "FAIL: STOP")},
				},
			},
		},
	}
}

func run(t *testing.T, p *plan.Plan, scenarios ...plan.Scenario) ([]Report, *routes.Coverage) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewRunner(rundown.CommandName, program, os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(r.tempDir); !os.IsNotExist(err) {
			t.Errorf("the folder is left behind: %v", err)
		}
	})
	p.Scenarios = scenarios
	c := routes.GraphOf(p).NewCoverage()
	var reports []Report
	for _, s := range scenariosInDocument(p) {
		report, err := r.Run(context.Background(), p, s, c)
		if err != nil {
			t.Fatal(err)
		}
		reports = append(reports, report)
	}
	return reports, c
}

func TestRun(t *testing.T) {
	p := flaky("ls -A; touch here; rd echo -r fail --result pass")
	reports, c := run(t, p,
		plan.Scenario{Name: "passes", Decisions: []string{"pass", "fail"}, Result: plan.Completed},
		plan.Scenario{Name: "waits", Result: plan.Completed},
		plan.Scenario{Name: "differs", Decisions: []string{"fail"}, Result: plan.Completed},
		plan.Scenario{Name: "nowhere", Decisions: []string{"goto:9", "pass"}, Result: plan.Completed},
		plan.Scenario{Name: "skipped", SkipReason: "agents"},
		plan.Scenario{Name: "invalid", InvalidReason: "odd"},
	)
	want := []Report{
		{"passes", plan.Completed, plan.Completed, StatusPass, "", []string{"1", "1", "2"}, nil},
		{"waits", plan.Completed, plan.Awaiting, StatusFail, "the run is still waiting at 2: the scenario has no answer for it; the expected result is completed", []string{"1", "1", "2"}, nil},
		{"differs", plan.Completed, plan.Stopped, StatusFail, "the result is stopped, not completed", []string{"1", "1", "2"}, nil},
		{"nowhere", plan.Completed, plan.Completed, StatusFail, "goto:9", []string{"1", "1", "2"}, nil},
		{"skipped", "", "", StatusSkipped, "agents", []string{}, nil},
		{"invalid", "", "", StatusFail, "scenario-invalid: odd", []string{}, nil},
	}
	for i, w := range want {
		got := reports[i]
		if got.Name != w.Name || got.ActualResult != w.ActualResult || got.Status != w.Status ||
			!strings.Contains(got.Reason, w.Reason) || !slices.Equal(got.ActualPath, w.ActualPath) {
			t.Errorf("got  %+v\nwant %+v", got, w)
		}
	}
	if got := c.Counts(); got != (routes.RouteTotals{TakenCount: 3, Total: 4}) {
		t.Errorf("coverage %+v", got)
	}
	if got := c.UntakenEdges(); len(got) != 1 || c.EdgeName(got[0]) != "1: STOP" {
		t.Errorf("never %v", got)
	}
}

// TestStartDirectory: each scenario runs in an empty folder, with rd first on PATH.
func TestStartDirectory(t *testing.T) {
	p := flaky(`test -z "$(ls -A)" && touch here && test "$(rd prompt a b)" = '` + "```prompt\na b\n```'")
	reports, _ := run(t, p,
		plan.Scenario{Name: "first", Decisions: []string{"pass"}, Result: plan.Completed},
		plan.Scenario{Name: "second", Decisions: []string{"pass"}, Result: plan.Completed},
	)
	for _, r := range reports {
		if r.Status != StatusPass || len(r.ActualPath) != 2 {
			t.Errorf("%+v", r)
		}
	}
}

func TestParseAnswer(t *testing.T) {
	for text, want := range map[string]string{
		"pass": "pass", "yes": "pass", " ok ": "pass", "YES": "pass", "No": "fail", "fail": "fail", "no": "fail",
		"retry": "retry", "skip": "skip", "rerun": "rerun",
		"goto:2": "goto:2", "complete": "complete", "complete:done: all": "complete:done: all", "stop:x": "stop:x",
	} {
		got, err := ParseAnswer(text, machine.ByFlag)
		if err != nil || got.Value != want || got.PreparedBy != machine.ByFlag {
			t.Errorf("%q: %+v %v", text, got, err)
		}
	}
	for _, text := range []string{"", "maybe", "goto", "goto:", "GOTO:2", "pass,fail"} {
		if got, err := ParseAnswer(text, machine.ByFlag); err == nil {
			t.Errorf("%q is parsed as %+v", text, got)
		}
	}
}

// TestSidecarShapes: the error for a value of the wrong type names its line and no Go types.
func TestSidecarShapes(t *testing.T) {
	for text, want := range map[string]string{
		"a: [1]":                                 "line 1: this is a list, but should be a mapping",
		"a: text":                                "line 1: this is text, but should be a mapping",
		"a:\n  inputs: [x]":                      "line 2: this is a list, but should be a mapping",
		"a: {path: 7}":                           "line 1: this is a number, but should be a list",
		"a: {path: [[x]]}":                       "line 1: this is a list, but should be text",
		"a: {answers: {1: yes, 1: no}}":          "line 1: the label 1 is already on line 1: write several values as a list",
		"a:\n  replies:\n    1: x\n    1: y":     "replies: line 4: the label 1 is already on line 3",
		"a:\n  prompted: >\n    perhaps into it": "line 2: this is text, but should be true or false",
		"a: {result: {b: c}}":                    "line 1: this is a mapping, but should be text",
		"a: {replies: {1: {calls: no}}}":         "line 1: this is text, but should be a list",
		"a: {path: [x], path: [y]}":              `mapping key "path" already defined`,
	} {
		all, err := ParseSidecar([]byte(text))
		if err == nil {
			err = errors.New(all[0].InvalidReason)
		}
		if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "struct") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestEqualValues: an expected text equals the value that is written like it, even inside objects and lists.
func TestEqualValues(t *testing.T) {
	number := json.Number("1.50")
	for _, c := range []struct {
		got, want any
		equal     bool
	}{
		{number, "1.50", true},
		{map[string]any{"x": number}, map[string]any{"x": "1.50"}, true},
		{[]any{json.Number("1"), map[string]any{"a": number}}, []any{1, map[string]any{"a": "1.50"}}, true},
		{map[string]any{"x": json.Number("1")}, map[string]any{"x": 1}, true},
		{map[string]any{"x": number}, map[string]any{"x": 1.5}, true},
		{json.Number("1e2"), 100, true},
		{json.Number("9007199254740993"), 9007199254740992, false},
		{"1.5", 1.5, false},
		{map[string]any{"x": number}, map[string]any{"x": "1.51"}, false},
		{map[string]any{"x": number}, map[string]any{"x": "1.50", "y": "1"}, false},
		{map[string]any{"x": nil}, map[string]any{"x": "null"}, false},
		{[]any{number}, []any{}, false},
		{number, map[string]any{"x": "1.50"}, false},
	} {
		if equalValues(c.got, c.want) != c.equal {
			t.Errorf("%v, want %v: not %v", c.got, c.want, c.equal)
		}
	}
}

func TestReadAnswers(t *testing.T) {
	a, err := ReadAnswers([]byte("1: yes\n2.1: [fail, pass]\ndecide: [goto:2, no]\n"), machine.ByFile)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.ByLabel) != 2 || a.ByLabel["1"][0].Value != "pass" || a.ByLabel["2.1"][1].Value != "pass" {
		t.Errorf("by label: %+v", a.ByLabel)
	}
	if len(a.Queue) != 2 || a.Queue[1].Value != "fail" {
		t.Errorf("queue: %+v", a.Queue)
	}
	for _, broken := range []string{"[", "- pass", "1: {a: b}", "1: [[pass]]", "decide: perhaps"} {
		if _, err := ReadAnswers([]byte(broken), machine.ByFile); err == nil {
			t.Errorf("%q is read", broken)
		}
	}
	if a, err := ReadAnswers([]byte("# nothing\n"), machine.ByFile); err != nil || len(a.Queue) != 0 {
		t.Errorf("an empty file: %+v %v", a, err)
	}
}

// TestReadNumbers: numbers in reports and results stay as they are written (workflow.md §4).
func TestReadNumbers(t *testing.T) {
	said, err := ReadReplies([]byte("1: {output_variables: {a: &n 1.50, b: [1e3, 0o10, 12345678901234567890], c: *n, d: \"1.0\"}}\n1/tool/t: [{x: 2.0}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"output_variables":{"a":1.50,"b":[1e3,8,12345678901234567890],"c":1.50,"d":"1.0"}}`
	if got := said.Replies.ByCallKey["1"][0].ReportArgs; got != want || said.Results.TextsByKey["1/tool/t"][0] != `{"x":2.0}` {
		t.Errorf("%s, %v", got, said.Results.TextsByKey)
	}
}

// TestRepliesInJSON: files of answers and replies can be JSON as programs write it.
func TestRepliesInJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"1": "\ud83d\uDE00 \u00e9 \/"}`: "😀 é /",
		`{"1": "\\ud83d\\ude00"}`:         `\ud83d\ude00`,
		`{"1": ["\\\ud83d\ude00"]}`:       `\😀`,
	} {
		said, err := ReadReplies([]byte(text))
		if err != nil || said.Replies.ByCallKey["1"][0].Text != want {
			t.Errorf("%s: %+v %v", text, said.Replies, err)
		}
	}
}
