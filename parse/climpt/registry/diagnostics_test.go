package registry_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"playhead/parse"
	"playhead/parse/plan"
)

// whole is a registry without any diagnostic, in an agent directory with all its files.
const whole = `{ "agentId": "demo", "version": "1.0.0", "c1": "steps",
  "entryStep": "initial.x",
  "failurePatterns": { "p": { "description": "d", "edition": "failed" } },
  "validators": { "v": { "type": "command", "command": "true", "successWhen": "empty", "failurePattern": "p", "extractParams": { "o": "stdout" } } },
  "validationSteps": { "closure.x": { "stepId": "closure.x", "name": "V", "c2": "retry", "c3": "x", "validationConditions": [{ "validator": "v" }], "onFailure": { "action": "retry" } } },
  "steps": {
    "initial.x": { "stepId": "initial.x", "name": "I", "stepKind": "work", "c2": "initial", "c3": "x", "uvVariables": ["a"],
      "outputSchemaRef": { "file": "x.json", "schema": "work" },
      "structuredGate": { "allowedIntents": ["next", "repeat"], "intentSchemaRef": "#/properties/act", "intentField": "act", "handoffFields": ["found.size"] },
      "transitions": { "next": { "target": "continuation.x" }, "repeat": { "target": "initial.x" } } },
    "continuation.x": { "stepId": "continuation.x", "name": "C", "stepKind": "work", "c2": "continuation", "c3": "x", "uvVariables": ["a"],
      "inputs": { "in": { "from": "initial.x.size" } },
      "outputSchemaRef": { "file": "x.json", "schema": "hands" },
      "structuredGate": { "allowedIntents": ["handoff"], "intentSchemaRef": "#/properties/act", "intentField": "act" },
      "transitions": { "handoff": { "target": "closure.x" } } },
    "closure.x": { "stepId": "closure.x", "name": "E", "stepKind": "closure", "c2": "closure", "c3": "x",
      "outputSchemaRef": { "file": "x.json", "schema": "#/definitions/close" },
      "structuredGate": { "allowedIntents": ["closing", "repeat"], "intentSchemaRef": "#/properties/act", "intentField": "act" },
      "transitions": { "closing": { "target": null }, "repeat": { "target": "continuation.x" } } },
    "section.s": { "stepId": "section.s", "name": "S", "c2": "section", "c3": "s" } } }`

var wholeFiles = map[string]string{
	"prompts/steps/initial/x/f_default.md":      "{uv-a}",
	"prompts/steps/continuation/x/f_default.md": "{uv-a} {s_section}",
	"prompts/steps/closure/x/f_default.md":      "End.",
	"prompts/steps/section/s/f_default.md":      "Section.",
	"prompts/system.md":                         "You are {uv-agent_name}.",
	"schemas/x.json": `{
		"work": {"type": "object", "properties": {"act": {"enum": ["next", "repeat"]}}},
		"hands": {"type": "object", "allOf": [{"$ref": "#/$defs/base"}], "properties": {"act": {"enum": ["handoff", "abort"]}}},
		"definitions": {"close": {"properties": {"act": {"enum": ["repeat", "closing"]}}}, "loop": {"$ref": "#/definitions/loop"}},
		"rooted": {"$ref": "/x.json#/work"},
		"$defs": {"base": {"required": ["act"]}, "far": {"$ref": "y.json#/x"}, "odd": {"$ref": "y.json"}},
		"deep": ` + strings.Repeat(`{"items": `, 60) + `{}` + strings.Repeat(`}`, 60) + `}`,
}

const anAgent = `{"name": "demo", "displayName": "Demo", "version": "1.0.0", "description": "d",
	"parameters": {"a": {"type": "string", "cli": "--a", "description": "d", "required": true}, "o": {"type": "string", "cli": "--o", "description": "d"}},
	"runner": {"flow": {}}}`

func wholeWith(registry string) fstest.MapFS {
	out := files(registry, wholeFiles)
	out["agent/agent.json"] = &fstest.MapFile{Data: []byte(anAgent)}
	return out
}

// TestDiagnostics (spec §12): each code is reported at its place. Each case replaces one text of whole.
func TestDiagnostics(t *testing.T) {
	const i, c, e, v = "/steps/initial.x", "/steps/continuation.x", "/steps/closure.x", "/validationSteps/closure.x"
	const next = `"next": { "target": "continuation.x" }`
	for _, d := range []struct{ old, new, want string }{
		{"", "", ""},
		{`"agentId": "demo", `, ``, "error missing-field"},
		{`"agentId": "demo"`, `"agentId": "other"`, "error agent-mismatch /agentId"},
		{`"version": "1.0.0"`, `"version": "1"`, "error bad-version /version"},
		{`"version": "1.0.0"`, `"version": 1`, "error bad-type /version"},
		{`"c1": "steps"`, `"c1": "a/b"`, "error path-escape /c1 warning prompt-missing " + i + " warning prompt-missing " + c + " warning prompt-missing " + e + " warning prompt-missing /steps/section.s"},
		{`"c1": "steps",`, ``, "error missing-field"},
		{`"entryStep": "initial.x",`, ``, "error no-entry"},
		{`"entryStep": "initial.x"`, `"entryStepMapping": {}`, "error no-entry"},
		{`"entryStep": "initial.x"`, `"entryStep": "initial.y"`, "error unknown-entry /entryStep"},
		{`"entryStep": "initial.x"`, `"entryStep": ""`, "error unknown-entry /entryStep"},
		{`"entryStep": "initial.x"`, `"entryStep": "", "entryStepMapping": {"count:iteration": "initial.x"}`, "error unknown-entry /entryStep"},
		{`"entryStep": "initial.x"`, `"entryStep": "section.s"`, "error section-target /entryStep"},
		{`"entryStep": "initial.x"`, `"entryStepMapping": {"poll:state": "initial.x"}`, ""},
		{`"entryStep": "initial.x"`, `"entryStepMapping": {"poll:state": "initial.x", "count:check": "continuation.x"}`, "error no-entry /entryStepMapping"},
		{`"entryStep": "initial.x"`, `"entryStepMapping": {"count:iteration": "nil"}`, "error unknown-entry /entryStepMapping/count:iteration"},
		{`"entryStep": "initial.x"`, `"entryStep": "initial.x", "pathTemplate": "{c1}/{x}.md"`, "error bad-placeholder /pathTemplate"},
		{`"entryStep": "initial.x"`, `"entryStep": "initial.x", "userPromptsBase": "none"`, "warning prompt-missing /userPromptsBase"},
		{`"entryStep": "initial.x"`, `"entryStep": "initial.x", "userPromptsBase": "../x"`, "error path-escape /userPromptsBase"},
		{`"entryStep": "initial.x"`, `"entryStep": "initial.x", "schemasBase": "none"`, "warning no-schemas /schemasBase"},

		{`"stepId": "initial.x"`, `"stepId": "initial.y"`, "error id-mismatch " + i + "/stepId"},
		{`"stepId": "closure.x", "name": "V"`, `"stepId": "closure.y", "name": "V"`, "warning id-mismatch " + v + "/stepId"},
		{`"stepId": "initial.x", `, ``, "error missing-field " + i},
		{`"name": "I", `, ``, "warning defaulted " + i},
		{`"name": "I"`, `"name": ""`, "error missing-field " + i + "/name"},
		{`"name": "I"`, `"name": 1`, "error bad-type " + i + "/name"},
		{`"name": "I"`, `"name": "I", "edition": ""`, "error missing-field " + i + "/edition"},
		{`"name": "I"`, `"name": "I", "usesStdin": 1`, "error bad-type " + i + "/usesStdin"},
		{`"name": "I"`, `"name": "I", "type": "other"`, "error bad-enum " + i + "/type"},
		{`"name": "I"`, `"name": "I", "model": "gpt"`, "error bad-enum " + i + "/model"},
		{`"name": "I"`, `"name": "I", "runner": {"command": "x"}`, "error bad-type " + i + "/runner"},
		{`"name": "I"`, `"name": "I", "permissionMode": "plan"`, ""},
		{`"name": "I"`, `"name": "I", "permissionMode": "never"`, "error bad-enum " + i + "/permissionMode"},
		{`"name": "I"`, `"name": "I", "fallbackKey": "initial.issue"`, "warning fallback-key " + i + "/fallbackKey"},
		{`"name": "I"`, `"name": "I", "fallbackKey": "initial_issue"`, ""},
		{`"name": "I"`, `"name": "I", "adaptation": "x/y"`, "error path-escape " + i + "/adaptation"},
		{`"name": "I", "stepKind": "work"`, `"name": "I"`, "warning kind-inferred " + i},
		{`"name": "I", "stepKind": "work"`, `"name": "I", "stepKind": "job"`, "error bad-enum " + i + "/stepKind"},
		{`"c2": "initial", "c3": "x"`, `"c2": "initial", "c3": "X1"`, "error bad-c3 " + i + "/c3 warning name-mismatch " + i + "/stepId warning prompt-missing " + i},
		{`"c2": "initial", "c3": "x"`, `"c2": "first", "c3": "x"`, "warning name-mismatch " + i + "/stepId warning prompt-missing " + i},
		{`"name": "I"`, `"name": "I", "name": "J"`, "error duplicate-key " + i + "/name"},
		{`"c2": "initial"`, `"c2": 5`, "error bad-type " + i + "/c2 warning prompt-missing " + i},

		{`"uvVariables": ["a"],
      "outputSchemaRef"`, `"uvVariables": "a",
      "outputSchemaRef"`, "warning uv-undeclared " + i + "/uvVariables warning continuation-pair " + c + "/uvVariables"},
		{`"uvVariables": ["a"],
      "inputs"`, `"uvVariables": ["uv-a", "iteration"],
      "inputs"`, "warning uv-unused " + c + "/uvVariables warning continuation-pair " + c + "/uvVariables"},
		{`"c3": "x", "uvVariables": ["a"],
      "outputSchemaRef"`, `"c3": "x", "uvVariables": ["a", "previous_summary"],
      "outputSchemaRef"`, "warning uv-unused " + i + "/uvVariables warning uv-initial " + i + "/uvVariables"},
		{`"c3": "x",
      "outputSchemaRef"`, `"c3": "x", "uvVariables": ["b"],
      "outputSchemaRef"`, "warning uv-unused " + e + "/uvVariables warning uv-unsupplied " + e + "/uvVariables"},
		{`"c3": "x",
      "outputSchemaRef"`, `"c3": "x", "uvVariables": ["o"],
      "outputSchemaRef"`, "warning uv-unused " + e + "/uvVariables warning uv-optional " + e + "/uvVariables"},
		{`"initial.x.size"`, `"nobody.size"`, "warning input-source " + c + "/inputs/in/from"},
		{`"initial.x.size"`, `"initial.x.weight"`, "warning input-source " + c + "/inputs/in/from"},
		{`"initial.x.size"`, `"initial.x.act"`, ""},
		{`"initial.x.size"`, `"size"`, "error bad-type " + c + "/inputs/in/from"},
		{`"initial.x.size"`, `"nobody.size", "default": 1`, ""},

		{`"allowedIntents": ["next", "repeat"], `, ``, "error bad-gate " + i + "/structuredGate warning dead-transition " + i + "/transitions/next warning dead-transition " + i + "/transitions/repeat error enum-mismatch " + i + "/structuredGate"},
		{`"allowedIntents": ["next", "repeat"]`, `"allowedIntents": ["next", "repeat", "fly"]`, "error bad-enum " + i + "/structuredGate/allowedIntents/2 error enum-mismatch " + i + "/structuredGate/allowedIntents"},
		{`"allowedIntents": ["next", "repeat"]`, `"allowedIntents": ["next"]`, "error enum-mismatch " + i + "/structuredGate/allowedIntents warning dead-transition " + i + "/transitions/repeat"},
		{`"allowedIntents": ["next", "repeat"]`, `"allowedIntents": ["next", "repeat", "abort"]`, ""},
		{`["closing", "repeat"]`, `["closing", "repeat", "handoff"]`, "error missing-transition " + e + "/structuredGate error enum-mismatch " + e + "/structuredGate/allowedIntents error intent-not-for-kind " + e + "/structuredGate/allowedIntents/2"},
		{`"intentField": "act", "handoffFields": ["found.size"]`, `"handoffFields": ["found.size"]`, "error bad-gate " + i + "/structuredGate"},
		{`"#/properties/act", "intentField": "act", "handoffFields"`, `"properties/act", "intentField": "act", "handoffFields"`, "error bad-gate " + i + "/structuredGate/intentSchemaRef"},
		{`"#/properties/act", "intentField": "act", "handoffFields"`, `"#/properties/none", "intentField": "act", "handoffFields"`, "error enum-pointer " + i + "/structuredGate/intentSchemaRef"},
		{`["found.size"]`, `["found.size"], "fallbackIntent": "next"`, "info inert-fallback-intent " + i + "/structuredGate/fallbackIntent"},
		{`["found.size"]`, `["found.size"], "failFast": false, "fallbackIntent": "handoff"`, "info inert-fallback-intent " + i + "/structuredGate/fallbackIntent"},
		{`["found.size"]`, `["found.size"], "failFast": false, "fallbackIntent": "closing"`, "error intent-not-for-kind " + i + "/structuredGate/fallbackIntent info inert-fallback-intent " + i + "/structuredGate/fallbackIntent"},
		{`["found.size"]`, `["found.size"], "targetMode": "other"`, "error bad-enum " + i + "/structuredGate/targetMode"},
		{`["found.size"]`, `["size", "found.size"]`, "warning handoff-collision " + i + "/structuredGate/handoffFields/1"},

		{next, `"next": {}`, "error bad-transition " + i + "/transitions/next warning closure-unreachable " + i + " warning unreachable-step " + c + " warning unreachable-step " + e},
		{next, `"next": { "target": "continuation.x", "condition": "size", "targets": {} }`, "error bad-transition " + i + "/transitions/next warning closure-unreachable " + i + " warning unreachable-step " + c + " warning unreachable-step " + e},
		{next, `"next": { "condition": "size" }`, "error bad-transition " + i + "/transitions/next warning closure-unreachable " + i + " warning unreachable-step " + c + " warning unreachable-step " + e},
		{next, `"next": { "targets": {"default": "continuation.x"} }`, "error bad-transition " + i + "/transitions/next warning closure-unreachable " + i + " warning unreachable-step " + c + " warning unreachable-step " + e},
		{next, `"next": { "condition": "size", "targets": {"a": "initial.x", "default": "continuation.x"} }`, "warning next-self " + i + "/transitions/next/targets/a"},
		{next, `"next": { "condition": "size", "targets": {"a": "continuation.x"} }`, "warning no-default-target " + i + "/transitions/next/targets"},
		{next, `"next": { "condition": "weight", "targets": {"default": "continuation.x"} }`, "warning condition-not-handed-off " + i + "/transitions/next/condition"},
		{next, `"next": { "condition": "size", "targets": {"default": "continuation.x", "a": null} }`, "error bad-transition " + i + "/transitions/next/targets/a"},
		{next, `"next": { "target": "continuation.x", "fallback": "nil" }`, "error unknown-target " + i + "/transitions/next/fallback"},
		{next, `"next": { "target": null }`, "warning closure-unreachable " + i + " warning null-target " + i + "/transitions/next/target warning unreachable-step " + c + " warning unreachable-step " + e},
		{next, `"next": { "target": "section.s" }`, "warning closure-unreachable " + i + " error section-target " + i + "/transitions/next/target warning unreachable-step " + c + " warning unreachable-step " + e},
		{next, `"next": { "target": "closure.x" }`, "warning kind-boundary " + i + "/transitions/next/target"},
		{next + ", ", ``, "warning missing-transition " + i + "/structuredGate"},
		{next, next + `, "skip": { "target": null }`, "warning unknown-intent " + i + "/transitions/skip"},
		{next, next + `, "closing": { "target": "closure.x" }`, "warning dead-transition " + i + "/transitions/closing error intent-not-for-kind " + i + "/transitions/closing warning closing-target " + i + "/transitions/closing/target"},
		{next, next + `, "handoff": { "target": "closure.x" }`, "warning dead-transition " + i + "/transitions/handoff warning initial-handoff " + i + "/transitions/handoff"},
		{next, next + `, "escalate": { "target": "closure.x" }`, "warning dead-transition " + i + "/transitions/escalate error intent-not-for-kind " + i + "/transitions/escalate warning kind-boundary " + i + "/transitions/escalate/target"},
		{next, next + `, "jump": { "target": null }`, "warning dead-transition " + i + "/transitions/jump warning null-target " + i + "/transitions/jump/target"},
		{next, `"next": { "target": "initial.x" }`, "warning closure-unreachable " + i + " warning next-self " + i + "/transitions/next/target warning no-exit " + i + " warning unreachable-step " + c + " warning unreachable-step " + e},
		{next, `"next": { "condition": "size", "targets": {"a": "nil", "default": "continuation.x"} }`, "error unknown-target " + i + "/transitions/next/targets/a"},
		{next, `"next": { "condition": "size", "targets": {"a": 1, "default": "continuation.x"} }`, "error bad-type " + i + "/transitions/next/targets/a"},
		{`["closing", "repeat"]`, `["repeat"]`, "error enum-mismatch " + e + "/structuredGate/allowedIntents warning dead-transition " + e + "/transitions/closing warning no-closing /steps"},
		{`"handoff": { "target": "closure.x" }`, `"handoff": { "target": "continuation.y" }`, "warning closure-unreachable " + i + " error unknown-target " + c + "/transitions/handoff/target warning unreachable-step " + e},
		{`"handoff": { "target": "closure.x" }`, `"handoff": { "target": null }`, "error bad-transition " + c + "/transitions/handoff/target warning closure-unreachable " + i + " warning unreachable-step " + e},
		{`"handoff": { "target": "closure.x" }`, `"handoff": { "target": "continuation.x" }`, "warning closure-unreachable " + i + " warning no-exit " + c + " warning unreachable-step " + e},
		{`"closing": { "target": null }`, `"closing": { "condition": "a", "targets": {"default": "closure.x"} }`, "error bad-transition " + e + "/transitions/closing warning condition-not-handed-off " + e + "/transitions/closing/condition"},

		{`"schema": "work"`, `"schema": "none"`, "error schema-missing " + i + "/outputSchemaRef/schema"},
		{`"schema": "work"`, `"schema": "##x"`, "error schema-unresolved " + i + "/outputSchemaRef/schema"},
		{`"schema": "work"`, `"schema": "loop"`, "error schema-unresolved " + i + "/outputSchemaRef"},
		{`"schema": "work"`, `"schema": "odd"`, "error schema-unresolved " + i + "/outputSchemaRef"},
		{`"schema": "work"`, `"schema": "deep"`, "error schema-unresolved " + i + "/outputSchemaRef"},
		{`"schema": "work"`, `"schema": "far"`, "error schema-missing " + i + "/outputSchemaRef/file"},
		{`{ "file": "x.json", "schema": "work" }`, `{ "file": "../x.json", "schema": "work" }`, "error path-escape " + i + "/outputSchemaRef/file"},
		{`{ "file": "x.json", "schema": "work" }`, `{ "file": "y/../x.json", "schema": "work" }`, "error path-escape " + i + "/outputSchemaRef/file"},
		{`{ "file": "x.json", "schema": "work" }`, `{ "file": "/x.json", "schema": "work" }`, "error path-escape " + i + "/outputSchemaRef/file"},
		{`"schema": "work"`, `"schema": "rooted"`, "error path-escape " + i + "/outputSchemaRef/file"},
		{`{ "file": "x.json", "schema": "work" }`, `{ "file": "none.json", "schema": "work" }`, "error schema-missing " + i + "/outputSchemaRef/file"},
		{`{ "file": "x.json", "schema": "work" }`, `{ "file": "x.json" }`, "error missing-field " + i + "/outputSchemaRef"},
		{`"outputSchemaRef": { "file": "x.json", "schema": "work" },`, ``, "warning incomplete-contract " + i},

		{`"structuredGate": { "allowedIntents": ["next", "repeat"], "intentSchemaRef": "#/properties/act", "intentField": "act", "handoffFields": ["found.size"] },
      "transitions": { ` + next, `"transitions": { "next": { "condition": "size", "targets": {"default": "continuation.x"} }`,
			"warning condition-not-handed-off " + i + "/transitions/next/condition warning incomplete-contract " + i + " warning input-source " + c + "/inputs/in/from"},
		{`"stepId": "closure.x", "name": "V"`, `"stepId": "closure.x", "name": 5, "description": 1`, "error bad-type " + v + "/name error bad-type " + v + "/description"},

		{`"type": "command"`, `"type": "script"`, "error unsupported-validator /validators/v/type"},
		{`"successWhen": "empty"`, `"successWhen": "exitCode:x"`, "error bad-success-when /validators/v/successWhen"},
		{`"successWhen": "empty"`, `"successWhen": "matches:("`, "error bad-success-when /validators/v/successWhen"},
		{`"successWhen": "empty"`, `"successWhen": "matches:^ok"`, ""},
		{`"successWhen": "empty"`, `"successWhen": "matches"`, "error bad-success-when /validators/v/successWhen"},
		{`"successWhen": "empty"`, `"successWhen": "contains"`, "error bad-success-when /validators/v/successWhen"},
		{`"successWhen": "empty"`, `"successWhen": "empty:"`, "error bad-success-when /validators/v/successWhen"},
		{`"failurePattern": "p"`, `"failurePattern": "q"`, "error unknown-failure-pattern /validators/v/failurePattern"},
		{`"o": "stdout"`, `"o": 5`, "error bad-type /validators/v/extractParams/o"},
		{`"name": "I"`, `"name": "I", "edition": null`, "error bad-type " + i + "/edition"},
		{`"o": "stdout"`, `"o": "parseBranchName"`, "warning unknown-extractor /validators/v/extractParams/o"},
		{`[{ "validator": "v" }]`, `[{ "validator": "w" }]`, "error unknown-validator " + v + "/validationConditions/0/validator"},
		{`"action": "retry"`, `"action": "again"`, "error bad-enum " + v + "/onFailure/action"},
		{`"action": "retry"`, `"action": "retry", "maxAttempts": 1.5`, "error bad-attempts " + v + "/onFailure/maxAttempts"},
		{`{ "closure.x": { "stepId": "closure.x", "name": "V"`, `{ "closure.z": { "stepId": "closure.z", "name": "V"`, "warning orphan-validation /validationSteps/closure.z"},
		{`{ "closure.x": { "stepId": "closure.x", "name": "V"`, `{ "closure.polling": { "stepId": "closure.polling", "name": "V"`, ""},
		{`{ "description": "d", "edition": "failed" }`, `{ "description": "d" }`, "error missing-field /failurePatterns/p"},
	} {
		if strings.Count(whole, d.old) == 0 {
			t.Fatalf("%s is not in the registry", d.old)
		}
		p := load(wholeWith(strings.Replace(whole, d.old, d.new, 1)), nil)
		got := codes(p)
		want := diagnostic.FindAllString(d.want, -1)
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s\n%s", d.new, diff)
		}
		for _, x := range p.Diagnostics { // so that the pane of the step shows them
			for _, s := range p.Steps {
				if strings.HasPrefix(x.Pointer, "/steps/"+s.ID+"/") && (x.Line < s.Span.Line || x.Line > s.Span.LastLine) {
					t.Errorf("%s: line %d is outside of step %s: %+v", x.Code, x.Line, s.ID, s.Span)
				}
			}
		}
	}
}

// TestFileDiagnostics (spec §12): some diagnostics depend on other files and on flags. A file whose text is "-" does
// not exist.
func TestFileDiagnostics(t *testing.T) {
	const i = "/steps/initial.x"
	const first = "prompts/steps/initial/x/f_default.md"
	agent := func(flow string) map[string]string {
		return map[string]string{"agent.json": strings.Replace(anAgent, `"flow": {}`, flow, 1)}
	}
	for _, d := range []struct {
		files map[string]string
		flags map[string][]string
		want  string
	}{
		{nil, nil, ""},
		{map[string]string{"prompts/system.md": "-"}, nil, "warning path-missing"},
		{map[string]string{"prompts/system.md": "\n"}, nil, "warning path-missing"},
		{map[string]string{"prompts/system.md": "-"}, map[string][]string{"system": {"none.md"}}, "error file-not-found"},
		{agent(`"flow": {"systemPromptPath": "none.md"}`), nil, "warning path-missing /runner/flow/systemPromptPath"},
		{agent(`"flow": {"systemPromptPath": "../s.md"}`), nil, "error path-escape /runner/flow/systemPromptPath warning path-missing /runner/flow/systemPromptPath"},
		{agent(`"flow": {"prompts": {"fallbackDir": "none"}}`), nil, "info not-enforced /runner/flow/prompts/fallbackDir warning path-missing /runner/flow/prompts/fallbackDir"},
		{agent(`"flow": {"prompts": {"fallbackDir": "../x"}}`), nil, "info not-enforced /runner/flow/prompts/fallbackDir error path-escape /runner/flow/prompts/fallbackDir"},
		{agent(`"x": 1, "flow": []`), nil, "error agent-field /runner/flow"},
		{map[string]string{"agent.json": `{"name": "demo", `}, nil, "error bad-json warning uv-unsupplied /steps/continuation.x/uvVariables warning uv-unsupplied " + i + "/uvVariables"},
		{map[string]string{"steps_registry.json": `{"agentId": "demo", "agentId": "e", "steps": {"a": {"stepId": "b", // no
			"name": ""}}}`}, nil, "error bad-json /steps/a error duplicate-key /agentId"},
		{agent(`"flow": {"defaultModel": "large"}`), nil, "error agent-field /runner/flow/defaultModel"},
		{agent(`"flow": {}, "verdict": {"type": "count:sheep"}`), nil, "error agent-field /runner/verdict/type"},
		{agent(`"flow": {}, "verdict": {"type": "meta:composite", "config": {"operator": "xor", "conditions": [{"type": "detect:keyword"}]}}`), nil,
			"error agent-field /runner/verdict/config/conditions/0 error agent-field /runner/verdict/config/operator"},
		{map[string]string{first: "-"}, nil, "warning prompt-missing " + i},
		{map[string]string{first: "---\nuvVariables: [uv-a, b]\n---\n{uv-a}"}, nil, "warning front-matter " + i + "/uvVariables"},
		{map[string]string{first: "---\nuvVariables:\n  - a\n---\n{uv-a} {uv-iteration} {uv-in}"}, nil, "warning uv-undeclared " + i + "/uvVariables"},
		{map[string]string{"prompts/steps/continuation/x/f_default.md": "{uv-a} {uv-initial_x_size}"}, nil, ""},
		{map[string]string{"schemas/x.json": "-"}, nil, "warning no-schemas"},
		{map[string]string{"schemas/x.json": `{"a": 1,}`}, nil, "error bad-json"},
		{map[string]string{"schemas/x.json": "[]"}, nil, "error bad-json"},
		{nil, map[string][]string{"entry": {"closure.y"}}, "error unknown-entry"},
		{nil, map[string][]string{"validator-timeout": {"-1s"}}, "error bad-option"},
		{nil, map[string][]string{"max-iterations": {"0"}}, "error agent-field"},
		{nil, map[string][]string{"input": {"in=1"}}, ""},
	} {
		all := wholeWith(whole)
		for name, text := range d.files {
			all["agent/"+name] = &fstest.MapFile{Data: []byte(text)}
			if text == "-" {
				delete(all, "agent/"+name)
			}
		}
		got := codes(load(all, d.flags))
		want := diagnostic.FindAllString(d.want, -1)
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%v %v\n%s", d.files, d.flags, diff)
		}
	}
}

// TestUngatedDiagnostics (spec §12): fields that need gates are reported when the registry has none.
func TestUngatedDiagnostics(t *testing.T) {
	const loose = `{"agentId": "x", "version": "1.0.0", "c1": "steps", "entryStep": "a", "steps": {
		"a": {"stepId": "a", "name": "A", "c2": "s", "c3": "a", "transitions": {"next": {"target": null}}}}}`
	all := files(loose, map[string]string{"prompts/steps/s/a/f_default.md": "Do it."})
	if got := codes(load(all, nil)); !slices.Equal(got, []string{"warning transitions-unused /steps/a/transitions", "warning null-target /steps/a/transitions/next/target"}) {
		t.Error(got)
	}
	got := codes(load(all, map[string][]string{"verdict": {"detect:graph"}}))
	if !slices.Contains(got, "error graph-without-gates") {
		t.Error(got)
	}
}

// TestModels (spec §9, §12): a model that the configuration lacks is reported once, where the registry names it.
func TestModels(t *testing.T) {
	own := strings.Replace(whole, `"stepId": "initial.x", `, `"stepId": "initial.x", "model": "haiku", `, 1)
	for _, c := range []struct {
		registry string
		flags    map[string][]string
		aliases  *plan.ModelAliases
		want     string
	}{
		{own, nil, nil, ""},
		{own, nil, &plan.ModelAliases{Names: []string{"haiku", "opus"}}, ""},
		{own, nil, &plan.ModelAliases{Names: []string{"opus"}, HasDefault: true}, "warning model-unmapped /steps/initial.x/model"},
		{own, nil, &plan.ModelAliases{Names: []string{"haiku"}}, "error model-unmapped"},
		{own, map[string][]string{"model": {"any"}}, &plan.ModelAliases{}, ""},
	} {
		p := parse.Load("agent", parse.Options{FS: wholeWith(c.registry), Flags: c.flags, ModelAliases: c.aliases})
		if got := strings.Join(codes(p), " "); got != c.want {
			t.Errorf("%+v: %s", c.aliases, got)
		}
	}
}

var diagnostic = regexp.MustCompile(`(?:error|warning|info) [a-z0-9-]+(?: /\S+)?`)

// TestMostSuggestions: only the first unknown IDs are compared with all others, each of them once.
func TestMostSuggestions(t *testing.T) {
	lines := []string{"closure.end closure: closing "}
	for i := range 30 {
		lines = append(lines, fmt.Sprintf("initial.step%s work: next closure.ent, handoff initial.stepp%s", letters(i), letters(i)))
	}
	said := map[string]int{}
	for _, d := range load(flow(lines...), nil).Diagnostics {
		if d.Code == "climpt/unknown-target" {
			kind, _, _ := strings.Cut(d.Suggestion, "step")
			said[kind]++
		}
	}
	if want := map[string]int{"did you mean closure.end?": 30, "did you mean initial.": 19, "name an existing ": 11}; !maps.Equal(said, want) {
		t.Errorf("%v, want %v", said, want)
	}
}
