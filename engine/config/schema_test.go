package config

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"go.yaml.in/yaml/v3"
)

// parsed returns the schema, as it is written and resolved for validation.
func parsed(t *testing.T) (*jsonschema.Schema, *jsonschema.Resolved) {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal([]byte(JSONSchema), &s); err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &s, r
}

// TestSchemaHasAllKeys: the schema and the reader know the same keys.
func TestSchemaHasAllKeys(t *testing.T) {
	s, _ := parsed(t)
	var c Config
	var p Profile
	for name, known := range map[string]struct {
		table  readersByKey
		schema *jsonschema.Schema
	}{"file": {c.sectionReaders(), s}, "profile": {p.fieldReaders(), s.Defs["profile"]}, "limits": {c.ConversationLimits.fieldReaders(), s.Properties["limits"]}} {
		want, got := slices.Sorted(maps.Keys(known.table)), slices.Sorted(maps.Keys(known.schema.Properties))
		if !slices.Equal(got, want) {
			t.Errorf("%s: the schema has %q, the reader %q", name, got, want)
		}
	}
}

// TestSchemaAgrees: the schema accepts what the reader accepts, and refuses what the reader refuses.
func TestSchemaAgrees(t *testing.T) {
	_, r := parsed(t)
	for source, right := range map[string]bool{
		"{}": true, "model: a\nmodels: {a: {model: m, price: {in: 1, out: 0.5}, timeout: {connect: 1m30s}}}": true,
		"keys: {style: vi, continue: f5, break: [], pass: [p, 1]}": true, "theme: sea": true, "theme: {dark: sea}": true,
		"validator_timeout: 0": true, "validator_timeout: 90s": true, "approve: once": true, "notify: off": true, "notify: loud": false, "notify_after: 30s": true, "notify_after: 0": false, "limits: {turns: 3, tool_call: 90s}": true, "limits: {turns: 0}": false, "prompts: [a]": true,
		"keys:": true, "limits:": true, "models:": true, "models: {a: {model: m, timeout: }}": true, "models: {a: {model: m, price: }}": false,
		"prompts:": false, "theme:": false, "approve:": false,
		"modell: a": false, "models: {a: {}}": false, "models: {a: {model: m, key: sk-abc}}": false,
		"keys: {style: emacs}": false, "keys: {pass: [[a]]}": false, "theme: [a]": false, "validator_timeout: 90": false,
		"approve: always": false, "prompts: a": false, "models: {a: {model: m, base_url: ftp://x}}": false,
		"models: {a: {model: m, max_tokens: 0}}": false, "models: {a: {model: m, temperature: 3}}": false,
	} {
		if _, problems := Parse([]byte(source)); (len(problems) == 0) != right {
			t.Errorf("the reader finds in %q: %v", source, problems)
		}
		if err := r.Validate(value(t, source)); (err == nil) != right {
			t.Errorf("the schema finds in %q: %v", source, err)
		}
	}
}

// TestDocumentedConfiguration: the example of the docs fits the schema.
func TestDocumentedConfiguration(t *testing.T) {
	doc, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	example := regexp.MustCompile("(?s)```yaml configuration\n(.*?)```").FindSubmatch(doc)
	if example == nil {
		t.Fatal("the docs have no example")
	}
	_, r := parsed(t)
	if err := r.Validate(value(t, string(example[1]))); err != nil {
		t.Error(err)
	}
}

// value returns YAML as JSON values.
func value(t *testing.T, source string) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(source), &v); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}
