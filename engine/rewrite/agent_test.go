package rewrite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	agentRegistry = `{"agentId": "x", "version": "1.0.0", "c1": "steps", "entryStep": "initial.x",
  "failurePatterns": {"p": {"description": "It broke", "edition": "failed"}},
  "validators": {"v": {"type": "command", "command": "grep \"<a>\" b", "successWhen": "empty", "failurePattern": "p"},
    "w": {"type": "command", "command": "true", "successWhen": "empty", "failurePattern": "p"}},
  "validationSteps": {
    "closure.x": {"stepId": "closure.x", "name": "V", "c2": "retry", "c3": "x", "validationConditions": [{"validator": "v"}, {"validator": "w"}]},
    "closure.y": {"stepId": "closure.y", "name": "V", "c2": "retry", "c3": "x", "validationConditions": [{"validator": "w"}]}},
  "steps": {
    "initial.x": {"stepId": "initial.x", "name": "Begin", "stepKind": "work", "c2": "initial", "c3": "x",
      "structuredGate": {"allowedIntents": ["handoff", "jump"], "intentSchemaRef": "#/properties/act", "intentField": "act", "targetField": "to"},
      "transitions": {"handoff": {"target": "closure.x"}, "jump": {"target": "closure.y"}}},
    "closure.x": {"stepId": "closure.x", "name": "Close", "stepKind": "closure", "c2": "closure", "c3": "x",
      "structuredGate": {"allowedIntents": ["closing"], "intentSchemaRef": "#/properties/act", "intentField": "act"},
      "transitions": {"closing": {"target": null}}},
    "closure.y": {"stepId": "closure.y", "name": "Close too", "stepKind": "closure", "c2": "closure", "c3": "x",
      "structuredGate": {"allowedIntents": ["closing"], "intentSchemaRef": "#/properties/act", "intentField": "act"},
      "transitions": {"closing": {"target": null}}}}}
`
	agentFlow = `{"version": "1.0.0", "basePath": "prompts", "entryStep": "s_10aa", "steps": {"s_10aa": {"id": "s_10aa", "name": "A",
  "prompt": {"path": "do.md"}, "check": {"prompt": {"path": "check.md"}, "responseFormat": {"result": "ok|ng"}, "onPass": {"complete": true}, "onFail": {"retry": true}}}}}
`
)

// TestAgentWritten: an edit of an agent is written to the file that contains the text, a prompt or the registry, and no
// other file changes. An edit that would also change another step is refused.
func TestAgentWritten(t *testing.T) {
	registry := []string{
		"agent/steps_registry.json", agentRegistry, "agent/prompts/steps/initial/x/f_default.md", "---\nstepId: initial.x\n---\nBegin.\n",
		"agent/prompts/steps/closure/x/f_default.md", "Close.\n",
	}
	flow := []string{"agent/steps_registry.json", agentFlow, "agent/prompts/do.md", "Do {topic}.\n", "agent/prompts/check.md", "Done?\n"}
	for _, c := range []struct {
		name  string
		files []string
		edit  Edit
		file  int // index of the file that is written
		want  string
		why   string // the text of the refusal
	}{
		{"a prompt", registry, Edit{StepID: "initial.x", Text: "Begin with {uv-iteration}."}, 2, "---\nstepId: initial.x\n---\nBegin with {uv-iteration}.\n", ""},
		{"a validator", registry, Edit{StepID: "closure.x", ActionIndex: 2, Text: "grep \"<b>\" c && true"}, 0,
			strings.Replace(agentRegistry, `"grep \"<a>\" b"`, `"grep \"<b>\" c && true"`, 1), ""},
		{"a validator of two steps", registry, Edit{StepID: "closure.x", ActionIndex: 3, Text: "false"}, 0, "", "it would change step closure.y too"},
		{"a prompt of two steps", registry, Edit{StepID: "closure.x", Text: "End."}, 0, "", "it would change step closure.y too"},
		{"a step's prompt", flow, Edit{StepID: "s_10aa", Text: "Do {{topic}}, well."}, 2, "Do {{topic}}, well.\n", ""},
		{"a file of another system", []string{"agent/steps_registry.json", agentFlow, "agent/prompts/do.md", "\ufeffDo {topic}.\r\nWell.\r\n", "agent/prompts/check.md", "Done?\n"},
			Edit{StepID: "s_10aa", Text: "Do {topic}.\nVery well."}, 2, "\ufeffDo {topic}.\r\nVery well.\r\n", ""},
		{"a check's prompt", flow, Edit{StepID: "s_10aa", ActionIndex: 1, Text: "Is it?"}, 4, "Is it?\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, dir := document(t, c.files...)
			e := c.edit
			e.Label = e.StepID
			draft := d.EditChanges([]Edit{e})[0]
			if c.why != "" {
				if draft.Err == nil || !strings.Contains(draft.Err.Error(), c.why) {
					t.Errorf("it is refused with %v", draft.Err)
				}
				return
			}
			if draft.Err != nil || filepath.Base(draft.File) != filepath.Base(c.files[c.file]) {
				t.Fatalf("%s: %v", draft.File, draft.Err)
			}
			if err := draft.Write(); err != nil {
				t.Fatal(err)
			}
			for i := 0; i < len(c.files); i += 2 {
				want := c.files[i+1]
				if i == c.file {
					want = c.want
				}
				if got, _ := os.ReadFile(filepath.Join(dir, c.files[i])); string(got) != want {
					t.Errorf("%s is %s", c.files[i], got)
				}
			}
			if err := os.WriteFile(filepath.Join(dir, c.files[c.file]), []byte(c.files[c.file+1]+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if draft := d.EditChanges([]Edit{e})[0]; draft.Err == nil {
				t.Error("the edit would overwrite a change from elsewhere")
			}
		})
	}
}
