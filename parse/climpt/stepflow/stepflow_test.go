package stepflow_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"playhead/parse"
	"playhead/parse/plan"
)

// essay is the example of spec §9.
const essay = `{ "version": "1.0.0", "basePath": "prompts", "entryStep": "s_10aa",
  "steps": {
    "s_10aa": { "id": "s_10aa", "name": "Outline", "prompt": { "c1": "steps", "c2": "essay", "c3": "outline" },
      "check": { "prompt": { "path": "checks/outline.md" }, "responseFormat": { "result": "pass|fail" },
        "onPass": { "next": "s_20bb" }, "onFail": { "retry": true, "maxRetries": 1 } } },
    "s_20bb": { "id": "s_20bb", "name": "Write", "prompt": { "c1": "steps", "c2": "essay", "c3": "write" }, "iterations": { "min": 2, "max": 3 },
      "check": { "prompt": { "path": "checks/write.md" }, "responseFormat": { "result": "ok|ng", "message": "string" },
        "onPass": { "complete": true }, "onFail": { "fallback": "s_10aa" } } } } }`

func essayFiles() fstest.MapFS {
	fs := fstest.MapFS{"essay/steps_registry.json": {Data: []byte(essay)}}
	for _, name := range []string{"steps/essay/outline/f_default.md", "steps/essay/write/f_default.md", "checks/outline.md", "checks/write.md"} {
		fs["essay/prompts/"+name] = &fstest.MapFile{Data: []byte("Text of " + name + "\n")}
	}
	return fs
}

func load(fs fstest.MapFS, flags map[string][]string) *plan.Plan {
	return parse.Load("essay", parse.Options{FS: fs, Flags: flags})
}

// codes returns the severity, code and pointer of each diagnostic of a Plan.
func codes(p *plan.Plan) []string {
	out := []string{}
	for _, d := range p.Diagnostics {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s", d.Severity, strings.TrimPrefix(d.Code, "climpt/"), d.Pointer)))
	}
	return out
}

// TestExample (spec §9): the example has no diagnostics.
func TestExample(t *testing.T) {
	p := load(essayFiles(), nil)
	if len(p.Diagnostics) > 0 || p.Format != "climpt-stepflow" || len(p.Files) != 6 {
		t.Errorf("%s, %d files: %v", p.Format, len(p.Files), p.Diagnostics)
	}
}

// TestDiagnostics (spec §8): each code is reported at its place. Each case replaces one text of the example.
func TestDiagnostics(t *testing.T) {
	const a, b = "/steps/s_10aa", "/steps/s_20bb"
	for _, c := range []struct{ old, new, want string }{
		{`"version": "1.0.0", `, ``, "warning bad-version"},
		{`"1.0.0"`, `"1"`, "warning bad-version /version"},
		{`"1.0.0"`, `1`, "error bad-type /version"},
		{`"basePath": "prompts", `, ``, "warning defaulted"},
		{`"prompts"`, `"none"`, "warning prompt-missing /basePath"},
		{`"prompts"`, `"../x"`, "error path-escape /basePath"},
		{`"entryStep": "s_10aa",`, ``, "error no-entry"},
		{`"entryStep": "s_10aa"`, `"entryStep": "s_30cc"`, "error unknown-entry /entryStep"},
		{`"entryStep": "s_10aa"`, `"entryStep": "s_20bb"`, ""},
		{`"steps": {` + "\n", `"editions": 1, "steps": {` + "\n", "error bad-type /editions"},
		{`"id": "s_10aa", `, ``, "warning defaulted " + a},
		{`"id": "s_10aa"`, `"id": "s_10ab"`, "error id-mismatch " + a + "/id"},
		{`"name": "Write", `, ``, "warning defaulted " + b},
		{`"name": "Write"`, `"name": 5`, "error bad-type " + b + "/name"},
		{`"prompt": { "c1": "steps", "c2": "essay", "c3": "write" }, `, ``, "error missing-field " + b},
		{`"c3": "write" }`, `"path": "checks/write.md" }`, "error bad-prompt " + b + "/prompt"},
		{`"c3": "write" }`, `"fallback": "x.md" }`, "error bad-prompt " + b + "/prompt"},
		{`"c3": "write" }`, `"c3": "wrote" }`, "error prompt-missing " + b + "/prompt"},
		{`"c3": "write" }`, `"c3": "wrote", "fallback": "checks/write.md" }`, ""},
		{`"c3": "write" }`, `"c3": "wrote", "fallback": "steps/essay/write" }`, ""},
		{`"c3": "write" }`, `"c3": "wrote", "fallback": "steps/essay/write:default" }`, ""},
		{`"c3": "write" }`, `"c3": "write", "adaptation": "x" }`, ""},
		{`"c3": "write" }`, `"c3": "write", "edition": "../x" }`, "error path-escape " + b + "/prompt/edition"},
		{`"path": "checks/write.md"`, `"path": "../x.md"`, "error path-escape " + b + "/check/prompt"},
		{`"path": "checks/write.md"`, `"path": "/x.md"`, "error path-escape " + b + "/check/prompt"},
		{`"min": 2, `, `"min": 4, `, "error bad-iterations " + b + "/iterations"},
		{`"max": 3`, `"max": 12345678901234567`, ""},
		{`"max": 3`, `"max": 1e400`, ""},
		{`"maxRetries": 1`, `"maxRetries": 123456789012345678901234567890`, ""},
		{`"maxRetries": 1`, `"maxRetries": -1e400`, "error bad-retries " + a + "/check/onFail/maxRetries"},
		{`"next": "s_20bb"`, `"next": ""`, "warning empty-check " + a + "/check/onPass error unknown-target " + a + "/check/onPass/next warning unreachable-step " + b},
		{`"fallback": "s_10aa"`, `"fallback": ""`, "warning empty-check " + b + "/check/onFail error unknown-target " + b + "/check/onFail/fallback"},
		{`"min": 2, `, `"min": 0.5, `, "error bad-iterations " + b + "/iterations/min"},
		{`"max": 3`, `"max": "3"`, "error bad-iterations " + b + "/iterations/max"},
		{`"prompt": { "path": "checks/write.md" }, `, ``, "error missing-field " + b + "/check"},
		{`"responseFormat": { "result": "pass|fail" },`, ``, "warning empty-check " + a + "/check"},
		{`"pass|fail"`, `"yes|no"`, "warning bad-result-format " + a + "/check/responseFormat/result"},
		{`"onPass": { "complete": true }`, `"onPass": {}`, "warning empty-check " + b + "/check/onPass"},
		{`"next": "s_20bb"`, `"next": "s_30cc"`, "error no-complete /steps error unknown-target " + a + "/check/onPass/next warning unreachable-step " + b},
		{`"fallback": "s_10aa"`, `"fallback": "x"`, "error unknown-target " + b + "/check/onFail/fallback"},
		{`"maxRetries": 1`, `"maxRetries": -1`, "error bad-retries " + a + "/check/onFail/maxRetries"},
		{`"retry": true, `, ``, "warning empty-check " + a + "/check/onFail warning retries-without-retry " + a + "/check/onFail/maxRetries"},
		{`"complete": true }`, `"complete": true, "next": "s_10aa" }`, "warning many-transitions " + b + "/check/onPass"},
		{`"complete": true }`, `"retry": true, "maxRetries": 2 }`, "error no-complete /steps warning retry-on-pass " + b + "/check/onPass/retry"},
		{`"complete": true }`, `"complete": true, "retry": true }`, "warning retry-on-pass " + b + "/check/onPass/retry"},
		{`"fallback": "s_10aa"`, `"fallback": "s_10aa", "retry": true`, "warning fallback-unused " + b + "/check/onFail/fallback"},
		{`"fallback": "s_10aa"`, `"fallback": "s_10aa", "retry": true, "next": "s_10aa"`, "warning many-transitions " + b + "/check/onFail warning fallback-unused " + b + "/check/onFail/fallback"},
		{`"fallback": "s_10aa"`, `"complete": true`, "warning complete-on-fail " + b + "/check/onFail/complete"},
		{`"next": "s_20bb"`, `"next": "s_10aa"`, "error no-complete /steps warning unreachable-step " + b},
		{`"name": "Write"`, `"name": "Write", "name": "W"`, "error duplicate-key " + b + "/name"},
		{`"name": "Write"`, `"name": "Write", "usesStdin": "x"`, "error bad-type " + b + "/usesStdin"},
		{`"name": "Write"`, `"name": "Write", "unknown": 1`, ""},
		{`"name": "Write"`, `"name": "Write", "customVariables": [{"name": 1}, 2]`, "error bad-type " + b + "/customVariables/0/name error bad-type " + b + "/customVariables/1"},
		{`"entryStep": "s_10aa"`, `"entryStep": null`, "error bad-type /entryStep"},
		{`"c3": "write" }`, `"c3": null }`, "error bad-type " + b + "/prompt/c3"},
		{`"c3": "write" }`, `"c3": "" }`, "error bad-prompt " + b + "/prompt"},
		{`"c2": "essay", "c3": "write" }`, `"c2": "es/say", "c3": "write" }`, "error path-escape " + b + "/prompt/c2"},
		{`"path": "checks/write.md"`, `"path": 5`, "error bad-type " + b + "/check/prompt/path"},
		{`"path": "checks/write.md"`, `"path": ""`, "error bad-prompt " + b + "/check/prompt"},
		{`"onPass": { "complete": true }`, `"onPass": null`, "error bad-type " + b + "/check/onPass"},
		{`{ "fallback": "s_10aa" }`, `{ "retry": "true", "maxRetries": "2" }`, "warning empty-check " + b + "/check/onFail error bad-type " + b +
			"/check/onFail/retry error bad-retries " + b + "/check/onFail/maxRetries warning retries-without-retry " + b + "/check/onFail/maxRetries"},
	} {
		fs := essayFiles()
		if !strings.Contains(essay, c.old) {
			t.Fatalf("there is no %s", c.old)
		}
		fs["essay/steps_registry.json"].Data = []byte(strings.Replace(essay, c.old, c.new, 1))
		if c.new == `"none"` {
			delete(fs, "essay/none")
		}
		p := load(fs, nil)
		if got := strings.Join(codes(p), " "); got != c.want {
			t.Errorf("%s for %s\n got %s\nwant %s", c.new, c.old, got, c.want)
		}
		for _, d := range p.Diagnostics {
			if d.File != "essay/steps_registry.json" || d.Line < 1 || d.Column < 1 || d.Message == "" {
				t.Errorf("%s: %+v", c.new, d)
			}
			for _, s := range p.Steps { // so that the pane of the step shows it
				if strings.HasPrefix(d.Pointer, "/steps/"+s.ID+"/") && (d.Line < s.Span.Line || d.Line > s.Span.LastLine) {
					t.Errorf("%s: line %d is outside of step %s: %+v", d.Code, d.Line, s.ID, s.Span)
				}
			}
		}
	}
}

// TestCandidates (spec §3): the first existing file among the candidates is used, and a folder is no file. The problem of a
// blank file names every candidate.
func TestCandidates(t *testing.T) {
	const folder = "essay/prompts/steps/essay/wrote/f_default.md"
	for _, c := range []struct{ text, fallback, uses, want, problem string }{
		{"-", `, "fallback": "checks/write.md"`, "checks/write.md", "", ""},
		{"-", ``, "", "error prompt-missing /steps/s_20bb/prompt", "no prompt file was found; tried: " + folder},
		{"\n", ``, "steps/essay/wrote/f_default.md", "", folder + ": it has no text"},
		{"\n", `, "fallback": "checks/write.md"`, "steps/essay/wrote/f_default.md", "", folder + ": it has no text; the files in order of preference: " + folder + ", essay/prompts/checks/write.md"},
	} {
		fs := essayFiles()
		fs["essay/steps_registry.json"].Data = []byte(strings.Replace(essay, `"c3": "write"`, `"c3": "wrote"`+c.fallback, 1))
		fs[folder] = &fstest.MapFile{Data: []byte(c.text)}
		if c.text == "-" {
			fs[folder] = &fstest.MapFile{Mode: os.ModeDir}
		}
		p := load(fs, nil)
		step := p.FindStep("s_20bb")
		_, err := step.Text.Render(noVariables{})
		if got := strings.Join(codes(p), " "); got != c.want || (err == nil) != (c.problem == "") || err != nil && err.Error() != c.problem {
			t.Errorf("%q %s: %s, %v", c.text, c.fallback, got, err)
		}
		if used, _ := step.Extra.Details()["prompt_file"].(string); used != c.uses {
			t.Errorf("%q %s: uses %s", c.text, c.fallback, used)
		}
	}
}

// noVariables is the Scope at the beginning of a run.
type noVariables struct{}

func (noVariables) Var(string) (any, bool) { return nil, false }
func (noVariables) Instance(string) int    { return 0 }
func (noVariables) Outcome() plan.Outcome  { return plan.Outcome{} }

// TestRetryOnPass: retry in onPass runs the step again only if nothing takes precedence over it.
func TestRetryOnPass(t *testing.T) {
	for onPass, want := range map[string]string{
		`"retry": true, "maxRetries": 2`:  "the step runs again even when its check passes",
		`"retry": true, "complete": true`: "retry has no effect together with next or complete",
		`"retry": true, "next": "s_10aa"`: "retry has no effect together with next or complete",
	} {
		fs := essayFiles()
		fs["essay/steps_registry.json"].Data = []byte(strings.Replace(essay, `"complete": true`, onPass, 1))
		var got string
		for _, d := range load(fs, nil).Diagnostics {
			if d.Code == "climpt/retry-on-pass" {
				got = d.Message
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", onPass, got, want)
		}
	}
}

// TestSteps (spec §2, §8): missing or invalid steps and an unknown entry are reported, and --entry selects the start
// step.
func TestSteps(t *testing.T) {
	for text, want := range map[string]string{
		`{"version": "1.0.0", "basePath": "prompts"}`:              "error missing-field error no-entry",
		`{"version": "1.0.0", "basePath": "prompts", "steps": {}}`: "error no-entry error missing-field /steps",
		`{"version": "1.0.0", "basePath": "prompts", "steps": []}`: "error no-entry error bad-type /steps",
		`{"version": "1.0.0", "basePath": "prompts", "entryStep": "a", "steps": {"a": {"id": "a", "name": "A", "prompt": {"path": "checks/write.md"}}}}`: "error no-complete /steps warning bad-step-id /steps/a warning no-check /steps/a",
	} {
		fs := essayFiles()
		fs["essay/steps_registry.json"].Data = []byte(text)
		if got := strings.Join(codes(load(fs, nil)), " "); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
	p := load(essayFiles(), map[string][]string{"entry": {"s_30cc"}})
	if d := p.Diagnostics; len(d) != 1 || d[0].Code != "climpt/unknown-entry" || d[0].File != "--entry" {
		t.Errorf("an unknown --entry: %+v", d)
	}
	p = load(essayFiles(), map[string][]string{"entry": {"s_20bb"}})
	if p.StartStep().ID != "s_20bb" {
		t.Errorf("--entry starts at %s", p.StartStep().ID)
	}
}

// TestShow: the JSON of the Plan has the entry, the actions and the routes of all steps.
func TestShow(t *testing.T) {
	data, err := json.Marshal(load(essayFiles(), nil))
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Entry []string
		Steps []struct {
			Actions []struct{ Kind, Prompt string }
			Routes  []map[string]any
			Extra   struct{ Iterations map[string]int }
		}
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	write := got.Steps[1]
	if got.Entry[0] != "s_10aa" || write.Actions[1].Kind != "check" || write.Actions[1].Prompt != "checks/write.md" || write.Extra.Iterations["max"] != 3 {
		t.Errorf("%s", data)
	}
	var routes []string
	for _, s := range got.Steps {
		for _, r := range s.Routes {
			text := fmt.Sprint(r["on"], " ", r["do"])
			for then, ok := r["then"].(map[string]any); ok; then, ok = then["then"].(map[string]any) {
				text += fmt.Sprint(" ", then["do"])
			}
			routes = append(routes, text)
		}
	}
	want := []string{
		"error fail", "pass goto", "fail retry fail", "skipped goto",
		"error fail", "pass repeat complete", "fail fallback", "skipped stop",
	}
	if diff := cmp.Diff(want, routes); diff != "" {
		t.Error(diff)
	}
}

// TestChoices (spec §5, §6): a person can choose each reply to a check, with the step that it leads to.
func TestChoices(t *testing.T) {
	for _, c := range []struct{ step, old, new, want string }{
		{"s_10aa", "", "", `pass {"result":"pass","message":""} s_20bb|fail {"result":"fail","message":""} s_10aa, retry ≤ 1`},
		{"s_20bb", "", "", `ok {"result":"ok","message":""} end, from iteration 2 on|ng {"result":"ng","message":""} s_10aa`},
		{"s_20bb", `"ok|ng"`, `"boolean"`, `true {"result":true,"message":""} end, from iteration 2 on|false {"result":false,"message":""} s_10aa`},
		{"s_20bb", `"onFail": { "fallback": "s_10aa" }`, `"onFail": {}`, `ok {"result":"ok","message":""} end, from iteration 2 on|ng {"result":"ng","message":""} s_20bb, up to iteration 3`},
	} {
		fs := essayFiles()
		fs["essay/steps_registry.json"].Data = []byte(strings.Replace(essay, c.old, c.new, 1))
		var got []string
		for _, one := range load(fs, nil).FindStep(c.step).Actions[1].Work.(plan.Model).Choices() {
			got = append(got, fmt.Sprint(one.Name, " ", one.Reply, " ", one.To))
		}
		if text := strings.Join(got, "|"); text != c.want {
			t.Errorf("%s %s: %s", c.step, c.new, text)
		}
	}
}
