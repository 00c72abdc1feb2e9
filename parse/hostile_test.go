package parse

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"playhead/parse/climpt"
)

// hostileSize is the size of each hostile registry, just below the limit for files.
const hostileSize = climpt.MaxJSONSize * 15 / 16

// filled repeats a unit up to n bytes, separated by commas. A unit with % is a format for the counter.
func filled(n int, unit string) string {
	var b strings.Builder
	for i := 0; b.Len()+len(unit) < n; i++ {
		if i > 0 {
			b.WriteString(",")
		}
		if strings.Contains(unit, "%") {
			fmt.Fprintf(&b, unit, i)
		} else {
			b.WriteString(unit)
		}
	}
	return b.String()
}

// hostileRegistries returns registries of both dialects that try to make loading slow.
func hostileRegistries(n int) map[string]string {
	const registry, flow = `{"agentId": "a", "version": "1.0.0", "c1": "steps", "entryStep": "initial.a", "steps": {`, `{"version": "1.0.0", "basePath": "prompts", "entryStep": "s_1", "steps": {`
	step := func(fields string) string {
		return registry + `"initial.a": {"stepId": "initial.a", "name": "A", "stepKind": "work", "c2": "initial", "c3": "a", "structuredGate": {"allowedIntents": ["next"], "intentSchemaRef": "#/a", "intentField": "a"}, ` + fields + `}}}`
	}
	one := func(fields string) string {
		return flow + `"s_1": {"id": "s_1", "name": "A", "prompt": {"c1": "a", "c2": "b", "c3": "c"}, ` + fields + `}}}`
	}
	return map[string]string{
		"deep lists":           strings.Repeat("[", n),
		"deep objects":         strings.Repeat(`{"a":`, n/5),
		"one string":           registry + `"` + strings.Repeat("a", n),
		"escapes":              registry + `"` + strings.Repeat(`\u202e`, n/6) + `": {}}}`,
		"empty steps":          registry + filled(n, `"initial.s%d": {}`) + "}}",
		"empty steps of flow":  flow + filled(n, `"s_%d": {}`) + "}}",
		"the same step":        registry + filled(n, `"initial.a": {}`) + "}}",
		"unknown fields":       registry[:1] + filled(n, `"field%d": 1`) + "}",
		"unknown step fields":  step(filled(n, `"field%d": 1`)),
		"transitions":          step(`"transitions": {` + filled(n, `"intent%d": {"target": "initial.b%[1]d"}`) + "}"),
		"conditions":           step(`"transitions": {"next": {"condition": "a", "targets": {` + filled(n, `"v%d": "initial.b%[1]d"`) + "}}}"),
		"intents":              step(`"gate": {"allowedIntents": [` + filled(n, `"next%d"`) + "]}"),
		"variables":            step(`"uvVariables": [` + filled(n, `"v%d"`) + "]"),
		"missing targets":      registry + filled(n, `"initial.s%d": {"stepId": "initial.s%[1]d", "name": "S", "stepKind": "work", "c2": "initial", "c3": "s", "transitions": {"next": {"target": "initial.x%[1]d"}}}`) + "}}",
		"missing next of flow": flow + filled(n, `"s_%d": {"id": "s_%[1]d", "name": "S", "prompt": {"c1": "a", "c2": "b", "c3": "c"}, "check": {"prompt": {"path": "c.md"}, "responseFormat": {"result": "ok|ng"}, "onPass": {"next": "s_x%[1]d"}, "onFail": {"retry": true, "maxRetries": 2}}}`) + "}}",
		"validators":           registry[:1] + `"validators": {` + filled(n, `"v%d": {"type": "command", "phase": "preflight", "command": "true", "failurePatterns": ["p%[1]d"]}`) + "}}",
		"patterns":             registry[:1] + `"failurePatterns": {` + filled(n, `"p%d": {"description": "d", "edition": "e", "adaptation": "a%[1]d", "params": ["x"]}`) + "}}",
		"parameters":           one(`"parameters": {` + filled(n, `"p%d": "string"`) + "}"),
		"response fields":      one(`"check": {"prompt": {"path": "c.md"}, "responseFormat": {` + filled(n, `"f%d": "ok|ng"`) + "}}"),
	}
}

// TestHostileRegistries: any registry is refused or loaded in time.
func TestHostileRegistries(t *testing.T) {
	for name, doc := range hostileRegistries(20_000) {
		late := time.AfterFunc(20*time.Second, func() { panic(name + " takes too long") })
		loadRegistry(doc)
		late.Stop()
	}
}

// BenchmarkHostileRegistries: loading grows linearly with the file, and takes at most 0.6 seconds for a file of the
// largest size.
func BenchmarkHostileRegistries(b *testing.B) {
	for name, doc := range hostileRegistries(hostileSize) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(doc)))
			for b.Loop() {
				loadRegistry(doc)
			}
			if each := b.Elapsed() / time.Duration(b.N); each > 600*time.Millisecond {
				b.Errorf("%v", each)
			}
		})
	}
}

func loadRegistry(doc string) {
	Load("agent", Options{FS: fstest.MapFS{"agent/steps_registry.json": {Data: []byte(doc)}}})
}
