package registry

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"playhead/parse/climpt"
	"playhead/parse/files"
	"playhead/parse/plan"
)

// TestTemplate (spec §10): retry prompts render variables, conditions and loops.
func TestTemplate(t *testing.T) {
	values := map[string]any{}
	_ = json.Unmarshal([]byte(`{"s": "x", "n": 0, "f": 1.5, "yes": true, "no": false, "none": null, "o": {"k": "v", "l": [1, 2]},
		"list": [{"p": "a", "q": ["i", "j"]}, {"p": "b", "q": []}], "empty": [], "words": ["u", "{{s}}"]}`), &values)
	for _, c := range []struct {
		text, want string
		stray      bool
	}{
		{"{{s}} {{n}} {{f}} {{yes}} {{none}}{{missing}}{{o.k}}{{o.z.y}}", "x 0 1.5 true v", false},
		{"{{words}} {{o}}", `u, {{s}} {"k":"v","l":[1,2]}`, false},
		{"{{#if s}}a{{else}}b{{/if}}{{#if n}}a{{else}}b{{/if}}{{#if empty}}a{{/if}}{{#if none}}a{{/if}}{{#if no}}a{{/if}}{{#if o}}c{{/if}}", "abc", false},
		{"{{#each list}}{{this.p}}:{{#each this.q}}{{this}}{{s}}{{/each}};{{/each}}", "a:ixjx;b:;", false},
		{"{{#each list}}{{#if this.q}}{{this.p}}{{else}}-{{/if}}{{/each}}", "a-", false},
		{"{{#each s}}a{{/each}}{{#each missing}}a{{/each}}", "", false},
		{"{{ s }} {{s-t}} {{#unless s}} {s}", "{{ s }} {{s-t}} {{#unless s}} {s}", false},
		{"{{#if s}}open {{s}}", "{{#if s}}open x", true},
		{"{{/if}}{{else}}{{/each}}", "{{/if}}{{else}}{{/each}}", true},
		{"{{#if s}}{{#each list}}{{/if}}", "{{#each list}}", true},
		{"{uv-v} {{uv-v}} {uv-none}.", "val {val} .", false},
	} {
		parsed, stray := parseTemplate(c.text)
		f := textFiller{onMissing: missingWarns, variableValue: func(name string) (string, bool) { return "val", name == "v" }}
		got, err := parsed.render(templateParams{values: values}, &f)
		if got != c.want || stray != c.stray || err != nil {
			t.Errorf("%s: got %q, stray %v, %v", c.text, got, stray, err)
		}
	}
}

// TestExtractors (spec §10, the table): each extractor takes its value from a command's output.
func TestExtractors(t *testing.T) {
	const porcelain = " M a.go\nM  b.go\nMM c.go\n?? d.go\n\nx\n"
	for _, c := range []struct{ extractor, stdout, stderr, want string }{
		{"stdout", "a\n", "", `"a\n"`},
		{"exitCode", "", "", `3`},
		{"missingPaths", "a", "", `[]`},
		{"expectedPath", "a", "", `""`},
		{"parseChangedFiles", porcelain, "", `["a.go","b.go","c.go"]`},
		{"parseUntrackedFiles", porcelain, "", `["d.go"]`},
		{"parseStagedFiles", porcelain, "", `["b.go","c.go"]`},
		{"parseUnstagedFiles", porcelain, "", `["a.go","c.go"]`},
		{"failedTests", "FAILED | adds\nline 1\nline 2\n\nx.ts ... FAILED\n", "", `[{"error":"line 1\nline 2","file":"unknown","name":"adds"},{"error":"Unknown error","file":"x.ts","name":"x.ts"}]`},
		{"failedTests", "AssertionError: 1 is 2", "", `[{"error":"1 is 2","file":"unknown","name":"AssertionError"}]`},
		{"errorOutput", "fine\nerror: no\nmore", "", `"error: no\nmore"`},
		{"errorOutput", "x", " bad \n", `"bad"`},
		{"typeErrors", "", "", ``},
		{"errors", "", "error: TS23 [ERROR]: no such name\n  at a.ts:3:4\nerror: odd at b.ts:5\nTS1: plain", `[{"column":4,"file":"a.ts","line":3,"message":"no such name"},{"column":0,"file":"b.ts","line":5,"message":"odd"},{"column":0,"file":"unknown","line":0,"message":"plain"}]`},
		{"files", "at src/a.ts:1 and src/a.ts:2, b.tsx:9, node_modules/c.ts:1, d.ts", "", `["src/a.ts","b.tsx"]`},
		{"lintErrors", "(no-var) use let\n  at a.ts:1:2\nb.ts:3:4 - eq: use ===\nerror[x]: bad at c.ts", "", `[{"column":2,"file":"a.ts","line":1,"message":"use let","rule":"no-var"},{"column":4,"file":"b.ts","line":3,"message":"use ===","rule":"eq"},{"column":0,"file":"c.ts","line":0,"message":"bad","rule":"x"}]`},
		{"formatFiles", "Checked a.ts\na.ts\nerror b.ts\nc.md\nd.go", "", `["a.ts","c.md"]`},
		{"diff", "a.ts\nc.md", "", `"- a.ts\n- c.md"`},
		{"diff", "all well", "", `"no formatting issues"`},
	} {
		extract := extractors[c.extractor]
		if extract == nil {
			if c.want != "" {
				t.Errorf("there is no extractor %s", c.extractor)
			}
			continue
		}
		if got := string(encodeNode(extract(commandOutput{c.stdout, c.stderr, 3}))); got != c.want {
			t.Errorf("%s: got  %s\nwant %s", c.extractor, got, c.want)
		}
	}
}

// TestSuccessRule (spec §10, successWhen): the output and the exit code of a command satisfy a rule or not.
func TestSuccessRule(t *testing.T) {
	for _, c := range []struct {
		when, stdout string
		code         int
		want         bool
	}{
		{"empty", " \n", 0, true}, {"empty", "", 1, false}, {"empty", "x", 0, false},
		{"exitCode:2", "x", 2, true}, {"exitCode:2", "", 0, false},
		{"contains:a:b", "xa:bx", 1, true}, {"contains:a", "b", 0, false},
		{"matches:^a.c$", "abc", 1, true}, {"matches:^a", "ba", 0, false},
	} {
		s, err := parseSuccessRule(c.when)
		if err != nil || s.isSatisfied(c.stdout, c.code) != c.want {
			t.Errorf("%s of %q, exit %d: %v, %v", c.when, c.stdout, c.code, !c.want, err)
		}
	}
}

// TestViolationText: a failed validator says which criterion it missed.
func TestViolationText(t *testing.T) {
	for _, c := range []struct {
		when, stdout string
		code         int
		want         string
	}{
		{"empty", "x", 0, "stdout is not empty (successWhen empty)"},
		{"empty", "", 1, "exit 1 instead of 0 (successWhen empty)"},
		{"empty", "x", 1, "exit 1 instead of 0, stdout is not empty (successWhen empty)"},
		{"exitCode:2", "", 0, "exit 0 (successWhen exitCode:2)"},
		{"contains:all \"ok\"", "b", 0, `stdout does not contain "all \"ok\"" (successWhen contains)`},
		{"matches:^a", "ba", 3, `exit 3, stdout does not match "^a" (successWhen matches)`},
	} {
		s, err := parseSuccessRule(c.when)
		if got := s.violationText(c.stdout, c.code); err != nil || got != c.want {
			t.Errorf("%s: %s, want %s", c.when, got, c.want)
		}
	}
}

// schemas resolves a reference into a file s.json.
func schemas(t testing.TB, text, name string) (jsonNode, error) {
	t.Helper()
	schemaFiles := fstest.MapFS{"schemas/s.json": {Data: []byte(text)}, "schemas/far/t.json": {Data: []byte(`{"x": {"$ref": "../s.json#/one"}}`)}}
	f := climpt.Open("steps_registry.json", "steps_registry.json", []byte(`{"c1": "x", "o": {"file": "s.json", "schema": `+string(encodeNode(name))+`}}`), files.FromFS(schemaFiles), nil, climpt.Registry)
	r := &registry{Flow: f, schemaFolder: "schemas", schemaDocuments: map[string]*climpt.Document{}}
	v := &schemaResolver{registry: r}
	return v.resolveStepSchema(f.Registry.Object("o"), "s.json", name)
}

// TestSchemas (spec §6): references are resolved and allOf is merged.
func TestSchemas(t *testing.T) {
	const text = `{
		"one": {"type": "object", "properties": {"a": {"type": "string"}}},
		"$defs": {"dotted.name": {"const": 1}, "a/b": {"const": 2}},
		"definitions": {"dotted.name": {"const": 3}},
		"far": {"$ref": "far/t.json#/x", "description": "dropped"},
		"all": {"allOf": [{"$ref": "#/one"}, {"required": ["a"], "type": "array", "properties": {"a": {"const": 5}}}],
			"required": ["a", "b"], "properties": {"b": {"$ref": "#/one/properties/a"}}},
		"open": {"type": "object", "additionalProperties": true, "properties": {"in": {"type": "object"}}},
		"names": {"properties": {"default": {"type": "object"}, "properties": {"type": "object"}}, "default": {"type": "object"}},
		"loop": {"items": {"$ref": "#/loop"}}, "bad": {"$ref": "s.json"}, "nil": {"$ref": "#/none"},
		"list": [{"const": 7}], "gone": {"$ref": "none.json#/a"}, "odd": {"items": {"$ref": 5}}, "net": {"$ref": "https://example.org/s.json#/a"},
		"named": {"properties": {"$ref": {"const": 8}}}}`
	for _, c := range []struct{ name, want string }{
		{"one", `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`},
		{"dotted.name", `{"const":3}`},
		{"a/b", `{"const":2}`},
		{"#/$defs/a~1b", `{"const":2}`},
		{"#/list/0", `{"const":7}`},
		{"far", `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`},
		{"all", `{"type":"object","properties":{"a":{"const":5},"b":{"type":"string"}},"required":["a","b"],"additionalProperties":false}`},
		{"open", `{"type":"object","additionalProperties":true,"properties":{"in":{"type":"object","additionalProperties":false}}}`},
		{"names", `{"properties":{"default":{"type":"object","additionalProperties":false},"properties":{"type":"object","additionalProperties":false}},"default":{"type":"object"}}`},
		{"loop", "s.json#/loop refers to itself"},
		{"bad", `the reference "s.json" is neither`},
		{"odd", "s.json has a $ref that is not a string"},
		{"net", `the reference "https://example.org/s.json#/a" is a URL`},
		{"gone", "the schema file schemas/none.json cannot be read: there is no such file"},
		{"named", `{"properties":{"$ref":{"const":8}}}`},
		{"nil", "s.json#/none: the pointer points to nothing"},
		{"##x", `"##x" is not a reference`},
		{"a//b", `"a//b" is not a reference`},
		{"none", "s.json has no schema none"},
	} {
		n, err := schemas(t, text, c.name)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = string(encodeNode(forbidUnlistedProperties(n)))
		}
		if err == nil && got != c.want || err != nil && !strings.HasPrefix(got, c.want) {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestFindReplyObject (spec §6, reply): the object is the whole reply, in a fenced block, or the last one in the text.
func TestFindReplyObject(t *testing.T) {
	for text, want := range map[string]string{
		` {"a": 1} `: asWholeReply + ` {"a":1}`, "x\n```\nno\n```\n```json\n{\"a\":2}\n```\n{\"a\":3}": inFencedBlock + ` {"a":2}`, `{"a":4} {"a":5} {`: asLastObject + ` {"a":5}`,
		"```yaml\n{\"a\":6}\n```": asLastObject + ` {"a":6}`, `[{"a":7}]`: asLastObject + ` {"a":7}`, "nothing": " null", "": " null",
	} {
		o, where := findReplyObject(text)
		if got := where + " " + string(encodeNode(o)); got != want {
			t.Errorf("%q: %s", text, got)
		}
	}
}

// FuzzTemplate: any template renders, and a text without tags renders as it is.
func FuzzTemplate(f *testing.F) {
	for _, s := range []string{"{{#if a}}x{{else}}{{a}}{{/if}}", "{{#each a}}{{this.b}}{{/each}}", "{{#if a}}{{#each b}}{{/if}}", "{uv-a}{b}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		parsed, _ := parseTemplate(s)
		fill := textFiller{onMissing: missingStays, variableValue: func(string) (string, bool) { return "", false }}
		got, err := parsed.render(templateParams{values: map[string]any{"a": []any{map[string]any{"b": "x"}}}}, &fill)
		if err != nil || !strings.Contains(s, "{{") && got != s {
			t.Errorf("%q renders as %q, %v", s, got, err)
		}
	})
}

// FuzzSchema: any schema file is refused or resolves to valid JSON.
func FuzzSchema(f *testing.F) {
	for _, s := range []string{`{"a": {"$ref": "#/b"}, "b": {"allOf": [{"$ref": "#/a"}]}}`, `{"a": {"allOf": [{"required": ["x"]}, 1], "required": [2]}}`, `{"a": {"type": "object"}}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, err := schemas(t, s, "a")
		if err != nil {
			return
		}
		if !json.Valid(encodeNode(forbidUnlistedProperties(n))) {
			t.Errorf("%s resolves to %s", s, encodeNode(n))
		}
		_, _ = enumAt(n, "#/properties/x/enum")
		_ = sampleValue(n)
		_ = schemaProblem(encodeNode(n), map[string]any{})
	})
}

// TestBuiltinTexts (spec §4): each text uses only the variables of its key.
func TestBuiltinTexts(t *testing.T) {
	if len(builtinTextByFallbackKey) != 26 {
		t.Errorf("%d texts", len(builtinTextByFallbackKey))
	}
	got := builtinTextByFallbackKey["continuation_issue"].variables()
	if !reflect.DeepEqual(got, []string{"iteration", "issue", "previous_summary"}) {
		t.Error(got)
	}
}

// noVariables is the Scope at the beginning of a run.
type noVariables struct{}

func (noVariables) Var(string) (any, bool) { return nil, false }
func (noVariables) Instance(string) int    { return 0 }
func (noVariables) Outcome() plan.Outcome  { return plan.Outcome{} }

// TestMissingInput (spec §5): the error names the source of an input only if it has one.
func TestMissingInput(t *testing.T) {
	for _, c := range []struct {
		input promptInput
		want  string
	}{
		{promptInput{Name: "topic", Required: true}, "the input topic is missing: it has neither a value nor a default"},
		{promptInput{Name: "a_k", SourceStep: "a", SourceKey: "k", Required: true}, "the input a_k is missing: step a has not supplied k"},
	} {
		p := &prompt{Values: &staticValues{}, Inputs: []promptInput{c.input}}
		if _, err := p.Render(noVariables{}); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestStepIDInReply (spec §6): any stepId in a reply that is not the current step is corrected, whatever its type.
func TestStepIDInReply(t *testing.T) {
	for text, corrected := range map[string]bool{
		`{"stepId":"a"}`: false, `{}`: false, `{"stepId":"b"}`: true, `{"stepId":5}`: true, `{"stepId":null}`: true, `{"stepId":["a"]}`: true,
	} {
		o, _, warnings := parseReply(text, "a", nil)
		if len(warnings) > 0 != corrected || corrected && o["stepId"] != "a" {
			t.Errorf("%s: %v, %v", text, o, warnings)
		}
	}
}
