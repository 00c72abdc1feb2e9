package parse

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkStepflow loads a step flow of 1,000 steps, each with its own files.
func BenchmarkStepflow(b *testing.B) {
	files := map[string]string{}
	var steps []string
	for i := range 1000 {
		pass := fmt.Sprintf(`{"next": "s_%04x"}`, i+1)
		if i == 999 {
			pass = `{"complete": true}`
		}
		steps = append(steps, fmt.Sprintf(`"s_%04x": {"id": "s_%04x", "name": "Step", "prompt": {"c1": "steps", "c2": "a", "c3": "n%d"},
			"check": {"prompt": {"path": "checks/%d.md"}, "responseFormat": {"result": "ok|ng"}, "onPass": %s, "onFail": {"retry": true, "maxRetries": 2}}}`, i, i, i, i, pass))
		files[fmt.Sprintf("prompts/steps/a/n%d/f_default.md", i)] = "Do {topic}.\n"
		files[fmt.Sprintf("prompts/checks/%d.md", i)] = "Is it done?\n"
	}
	files["steps_registry.json"] = `{"version": "1.0.0", "basePath": "prompts", "entryStep": "s_0000", "steps": {` + strings.Join(steps, ",\n") + `}}`
	benchLoad(b, files)
}

// BenchmarkRegistry loads a registry of 1,000 steps, each with a prompt file and a schema.
func BenchmarkRegistry(b *testing.B) {
	const schema = `"%s": {"type": "object", "required": ["next_action"], "properties": {"next_action": {"type": "object",
		"required": ["action"], "properties": {"action": {"type": "string", "enum": ["%s", "repeat"]}, "reason": {"type": "string"}}}}}`
	const step = `"%[1]s": {"stepId": "%[1]s", "name": "Step", "stepKind": "%[2]s", "c2": "%[3]s", "c3": "%[4]s", "uvVariables": ["topic"],
		"outputSchemaRef": {"file": "steps.schema.json", "schema": "%[1]s"},
		"structuredGate": {"allowedIntents": ["%[5]s", "repeat"], "intentSchemaRef": "#/properties/next_action/properties/action", "intentField": "next_action.action"},
		"transitions": {"%[5]s": {"target": %[6]s}, "repeat": {"target": "%[1]s"}}}`
	files := map[string]string{}
	var steps, schemas []string
	for i := range 1000 {
		kind, c2, c3, intent, to := "work", "continuation", "x"+letters(i), "next", fmt.Sprintf(`"continuation.x%s"`, letters(i+1))
		switch i {
		case 998:
			intent, to = "handoff", fmt.Sprintf(`"closure.x%s"`, letters(i+1))
		case 999:
			kind, c2, intent, to = "closure", "closure", "closing", "null"
		}
		id := c2 + "." + c3
		steps = append(steps, fmt.Sprintf(step, id, kind, c2, c3, intent, to))
		schemas = append(schemas, fmt.Sprintf(schema, id, intent))
		files[fmt.Sprintf("prompts/steps/%s/%s/f_default.md", c2, c3)] = "Do {uv-topic}.\n"
	}
	files["steps_registry.json"] = `{"agentId": "big", "version": "1.0.0", "c1": "steps", "entryStep": "continuation.xa", "steps": {` + strings.Join(steps, ",\n") + `}}`
	files["schemas/steps.schema.json"] = "{" + strings.Join(schemas, ",\n") + "}"
	benchLoad(b, files)
}

// letters writes the digits of a number as letters, because a c3 has no digits.
func letters(n int) string {
	return strings.Map(func(r rune) rune { return r - '0' + 'a' }, fmt.Sprint(n))
}

// benchLoad loads an agent of 1,000 steps without errors.
func benchLoad(b *testing.B, files map[string]string) {
	dir := write(b, files)
	b.ReportAllocs()
	for b.Loop() {
		if p := Load(dir, Options{}); len(p.Steps) != 1000 || !p.Runnable() {
			b.Fatal(p.Diagnostics[0])
		}
	}
}
