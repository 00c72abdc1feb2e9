package parse

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"playhead/parse/climpt"
	"playhead/parse/plan"
)

// TestDialects (climpt-registry.md §1, the table): the first matching row decides the dialect of a registry.
func TestDialects(t *testing.T) {
	for _, c := range []struct{ text, format, code, says string }{
		{`{"agentId": "x"}`, "climpt-registry", "", ""},
		{`{"c1": "x"}`, "climpt-registry", "", ""},
		{`{"steps": {"a": {"c2": "initial"}}}`, "climpt-registry", "", ""},
		{`{"steps": {"a": {}, "b": {"transitions": {}}}}`, "climpt-registry", "", ""},
		{`{"basePath": "p"}`, "climpt-stepflow", "", ""},
		{`{"steps": {"a": {"prompt": {}}}}`, "climpt-stepflow", "", ""},
		{`{"steps": {"a": {"iterations": {}}}}`, "climpt-stepflow", "", ""},
		{`{"steps": {"a": {"prompt": "p.md"}}}`, "", "unrecognised", ""},
		{`{"version": "1.0.0", "$schema": "x"}`, "", "unrecognised", ""},
		{`{"agentId": "x", "steps": {"a": {"check": {}}}}`, "", "mixed-dialects", "keys of a registry with gates (agentId) and keys of a step flow (check)"},
		{`{"basePath": "p", "steps": {"a": {"path": "x"}}}`, "", "prompt-map", ""},
		{`{"basePath": "p", "steps": {"a": {"c2": "x"}}}`, "", "prompt-map", ""},
		{`{"basePath": "p", "steps": {"a": {"c2": "x", "stepId": "a"}}}`, "", "mixed-dialects", ""},
		{`{"agentId": "x", "steps": {"a": {"address": {}}}}`, "", "newer-dialect", "address"},
		{`{"agentId": "x", "entryStepMapping": {"a": {}}}`, "", "newer-dialect", ""},
		{`{"agentId": "x", "steps": {"a": {"address": "x"}}}`, "climpt-registry", "", ""},
		{`[]`, "", "bad-json", "an array"},
	} {
		p := loadText("a.json", []byte(c.text), Options{})
		d, found := about(p, c.code)
		if p.Format != c.format || found != (c.code != "") || !strings.Contains(d.Message, c.says) {
			t.Errorf("%s: got %q %v", c.text, p.Format, p.Diagnostics)
		}
	}
}

// about returns the diagnostic with the code, if there is one.
func about(p *plan.Plan, code string) (plan.Diagnostic, bool) {
	for _, d := range p.Diagnostics {
		if d.Code == "climpt/"+code {
			return d, true
		}
	}
	return plan.Diagnostic{}, false
}

const (
	aRegistry = `{"agentId": "demo", "version": "1.0.0", "c1": "steps"}`
	aFlow     = `{"version": "1.0.0", "basePath": "prompts"}`
)

// agentFile returns an agent.json with the required fields and more members.
func agentFile(more string) string {
	return `{"name": "demo", "displayName": "Demo", "version": "1.0.0", "description": "d", ` + more + `}`
}

// TestAgentFile (§2 of both dialects): wrong layouts, fields, parameters and verdicts are reported.
func TestAgentFile(t *testing.T) {
	parameter := func(more string) string { return agentFile(`"behavior": {}, "parameters": {"p": {` + more + `}}`) }
	const flow, registry = aFlow, aRegistry
	for _, c := range []struct{ agent, registry, want string }{
		{agentFile(`"behavior": {}`), flow, ""},
		{agentFile(`"runner": {}`), registry, ""},
		{agentFile(`"behavior": {}`), registry, "error agent-layout "},
		{agentFile(`"runner": {}, "behavior": {}`), flow, "error agent-layout "},
		{agentFile(`"prompts": {}`), flow, "error agent-layout "},
		{`{"behavior": {}}`, flow, "error agent-field  error agent-field  warning agent-note  warning agent-note "},
		{agentFile(`"behavior": []`), flow, "error agent-field /behavior"},
		{agentFile(`"behavior": {"completionType": "issue"}`), flow, "warning completion-type /behavior/completionType"},
		{agentFile(`"behavior": {"completionType": ""}`), flow, "warning completion-type /behavior/completionType"},
		{agentFile(`"behavior": {"completionType": 1}`), flow, "error agent-field /behavior/completionType"},
		{agentFile(`"behavior": {}, "other": 1`), flow, "warning agent-note /other"},
		{agentFile(`"behavior": {"allowedTools": []}, "github": {}`), flow, "info not-enforced /github"},
		{parameter(`"type": "string", "cli": "--p", "description": "x"`), flow, ""},
		{parameter(`"type": "text", "cli": "-p", "description": "x"`), flow, "error agent-field /parameters/p/type error agent-field /parameters/p/cli"},
		{parameter(`"type": "number", "cli": "--p", "default": "1", "required": true`), flow,
			"warning agent-note /parameters/p error agent-field /parameters/p/default warning agent-note /parameters/p/default"},
		{parameter(`"type": "number", "cli": "--p", "description": "x", "default": 11, "validation": {"max": 10}`), flow, "warning agent-note /parameters/p/default"},
		{agentFile(`"runner": {"verdict": {"type": "detect:keyword"}}`), registry, "error agent-field /runner/verdict"},
		{agentFile(`"runner": {"verdict": {"type": "count:check", "config": {"maxChecks": 0}}}`), registry, "error agent-field /runner/verdict/config/maxChecks"},
		{agentFile(`"runner": {"verdict": {"type": "poll:state", "config": {"issueParam": "x"}}}`), registry,
			"info not-enforced /runner/verdict/type info not-enforced /runner/verdict/config/issueParam"},
		{agentFile(`"behavior": {}, "prompts": {"registry": "../x.json"}`), flow, "error path-escape "},
		{agentFile(`"behavior": {}, "prompts": {"registry": "none.json"}`), flow, "error file-not-found "},
		{agentFile(`"behavior": {}`), flow + strings.Repeat(" ", climpt.MaxJSONSize), "error bad-json "},
	} {
		dir := write(t, map[string]string{"agent.json": c.agent, "steps_registry.json": c.registry, "prompts/system.md": "Be brief."})
		var got []string
		for _, d := range Load(dir, Options{}).Diagnostics {
			if code := strings.TrimPrefix(d.Code, "climpt/"); filepath.Base(d.File) == "agent.json" || code == "file-not-found" || code == "bad-json" {
				got = append(got, string(d.Severity)+" "+code+" "+d.Pointer)
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.agent, text, c.want)
		}
	}
}

// TestTooManySteps (§12, §8): if there are too many steps, none is read, and the entry does not count as unknown.
func TestTooManySteps(t *testing.T) {
	for _, c := range []struct{ top, step string }{
		{`"version": "1.0.0", "agentId": "x", "c1": "steps", "entryStep": "s0"`, `{"stepId": ""}`},
		{`"version": "1.0.0", "basePath": ".", "entryStep": "s0"`, `{"prompt": {}}`},
	} {
		var steps []string
		for i := range 20_001 {
			steps = append(steps, fmt.Sprintf(`"s%d": %s`, i, c.step))
		}
		dir := write(t, map[string]string{"steps_registry.json": "{" + c.top + `, "steps": {` + strings.Join(steps, ",") + "}}"})
		var got []string
		for _, d := range Load(dir, Options{}).Diagnostics {
			if d.Severity == plan.Error {
				got = append(got, d.Code)
			}
		}
		if len(got) != 1 || got[0] != "climpt/too-many-steps" {
			t.Errorf("%s: %v", c.top, got)
		}
	}
}

// TestParameterDefaults (climpt-registry.md §2): without a given value the default counts, also an empty one. A default
// that breaks the validation does not count, so the run needs a value.
func TestParameterDefaults(t *testing.T) {
	for _, c := range []struct {
		parameter string
		value     any // nil: none
		missing   bool
	}{
		{`"type": "number", "default": 5, "validation": {"max": 10}`, "5", false},
		{`"type": "number", "default": 11, "validation": {"max": 10}`, nil, true},
		{`"type": "string", "default": "c", "validation": {"enum": ["a", "b"]}`, nil, true},
		{`"type": "string", "default": "", "validation": {"pattern": "^.+$"}`, nil, true},
		{`"type": "number", "default": 20, "validation": {"max": 10, "enum": [5, 20]}`, nil, true},
		{`"type": "number", "default": 5, "validation": {"max": 10, "enum": [5, 20]}`, "5", false},
		{`"type": "string", "default": ""`, "", false},
		{`"type": "array", "default": []`, "", false},
		{`"type": "string", "default": "", "required": true`, "", false},
		{`"type": "string"`, nil, false},
		{`"type": "string", "required": true`, nil, true},
	} {
		agent := agentFile(`"behavior": {}, "parameters": {"p": {"cli": "--p", "description": "x", ` + c.parameter + `}}`)
		p := Load(write(t, map[string]string{"agent.json": agent, "steps_registry.json": aFlow}), Options{})
		values, missing, err := p.InitialVariables(nil)
		if err != nil || values["p"] != c.value || (len(missing) > 0) != c.missing {
			t.Errorf("%s: %v, missing %v, %v", c.parameter, values, missing, err)
		}
		if c.missing {
			continue
		}
		given, _, err := p.InitialVariables(map[string]any{"p": "5"})
		if err != nil || given["p"] != "5" {
			t.Errorf("%s: given %v, %v", c.parameter, given, err)
		}
	}
	in := plan.Input{Name: "n", Type: "enum", Options: []string{"5", "20"}, Max: new(float64)}
	if *in.Max = 10; in.ValueProblem("20") == "" || in.ValueProblem("5") != "" {
		t.Error("the maximum is ignored beside an enum")
	}
}

// TestAgentFolder (climpt-registry.md §1, files): a Plan lists all files and folders that it was made from, whether its
// folder, agent.json or registry was opened.
func TestAgentFolder(t *testing.T) {
	dir := write(t, map[string]string{
		"p/.agent/demo/agent.json":          agentFile(`"behavior": {}`),
		"p/.agent/demo/steps_registry.json": aFlow,
	})
	demo := filepath.Join(dir, "p/.agent/demo")
	for _, name := range []string{demo, filepath.Join(demo, "agent.json"), filepath.Join(demo, "steps_registry.json")} {
		p := Load(name, Options{})
		_, unused := about(p, "agent-file-unused")
		if p.Path != name || p.Format != "climpt-stepflow" || string(p.Source) != aFlow || unused != strings.HasSuffix(name, "registry.json") {
			t.Errorf("%s: %s %s %v", name, p.Path, p.Format, p.Diagnostics)
		}
		var files []string
		for _, f := range p.Files {
			rel, _ := filepath.Rel(dir, f.Path)
			files = append(files, rel)
		}
		if got := strings.Join(files, " "); !strings.Contains(got, "p/.agent/demo/steps_registry.json") || !strings.Contains(got+" ", "p ") {
			t.Errorf("%s: made from %s", name, got)
		}
	}
}

// TestPathsStayInside (climpt-registry.md §1, paths): paths and links that lead out of the folder are refused.
func TestPathsStayInside(t *testing.T) {
	flow := func(path string) string {
		return `{"version": "1.0.0", "basePath": "prompts", "entryStep": "s_10aa", "steps": {"s_10aa": {"id": "s_10aa", "name": "A",
			"prompt": {"path": "` + path + `"}, "check": {"prompt": {"path": "in.md"}, "responseFormat": {}, "onPass": {"complete": true}, "onFail": {"complete": true}}}}}`
	}
	for path, want := range map[string]string{
		"in.md": "", "link.md": "", "sub/in.md": "", "out.md": "path-escape", "away/in.md": "path-escape", "sub/../in.md": "path-escape", `..\\in.md`: "path-escape",
		"/in.md": "path-escape", "c:in.md": "path-escape",
	} {
		dir := write(t, map[string]string{
			"a/steps_registry.json": flow(path), "a/prompts/in.md": "In.", "a/prompts/real/in.md": "In.", "secret/in.md": "Out.",
		})
		for link, to := range map[string]string{"link.md": "in.md", "sub": "real", "out.md": "../../secret/in.md", "away": "../../secret"} {
			if err := os.Symlink(to, filepath.Join(dir, "a/prompts", link)); err != nil {
				t.Fatal(err)
			}
		}
		p := Load(filepath.Join(dir, "a"), Options{})
		if _, escapes := about(p, "path-escape"); escapes != (want != "") || want == "" && !p.Runnable() {
			t.Errorf("%s: %v", path, p.Diagnostics)
		}
		for _, f := range p.Files {
			if string(f.Source) == "Out." {
				t.Errorf("%s: the file outside was read", path)
			}
		}
	}
}

// TestLoadFlags (climpt-registry.md §1, flags): flags win over agent.json, and their paths may lead anywhere.
func TestLoadFlags(t *testing.T) {
	dir := write(t, map[string]string{
		"a/agent.json": agentFile(`"behavior": {}`), "a/steps_registry.json": aFlow, "a/prompts/system.md": "The agent's.",
		"system.md": "The flag's.", "b/c": "",
	})
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range []struct {
		flags  map[string][]string
		system string
	}{
		{nil, "The agent's."},
		{map[string][]string{"system": {at("system.md")}}, "The flag's."},
	} {
		p := Load(at("a"), Options{Flags: c.flags})
		if got := plan.SourceText(p.SystemPrompt); got != c.system {
			t.Errorf("%v: %q", c.flags, got)
		}
	}
	p := Load(at("a"), Options{Flags: map[string][]string{"system": {at("none.md")}}})
	if _, said := about(p, "file-not-found"); !said {
		t.Errorf("no system file: %v", p.Diagnostics)
	}
	p = Load(at("a"), Options{Flags: map[string][]string{"max-iterations": {"7"}, "root": {at("b")}}})
	folders := 0
	for _, f := range p.Files {
		if f.IsFolder && f.Path == at("b") {
			folders++
		}
	}
	if p.EntryLimit.Max != 7 || folders != 1 {
		t.Errorf("limit %d, root %d times", p.EntryLimit.Max, folders)
	}
}

// TestInvalidIterationLimit (climpt-registry.md §12): both dialects report it with one code and sentence.
func TestInvalidIterationLimit(t *testing.T) {
	dir := write(t, map[string]string{"a/steps_registry.json": aRegistry, "b/steps_registry.json": aFlow})
	for _, value := range []string{"0", "-3", "1.5", "many"} {
		for _, folder := range []string{"a", "b"} {
			p := Load(filepath.Join(dir, folder), Options{Flags: map[string][]string{"max-iterations": {value}}})
			d, _ := about(p, "agent-field")
			if d.File != "--max-iterations" || d.Message != fmt.Sprintf("%q is not a whole number of 1 or more", value) {
				t.Errorf("%s %s: %v", folder, value, p.Diagnostics)
			}
		}
	}
}
