package registry

import (
	"encoding/json"
	"testing"
)

// TestViolations: all violations of a schema are listed, without Go's names of types.
func TestViolations(t *testing.T) {
	schema := `{"type": "object", "required": ["title", "found"], "properties": {
		"title": {"type": "string"}, "count": {"type": "integer", "minimum": 1}, "size": {"enum": ["small", "large"]},
		"found": {"type": "object", "required": ["notes"], "properties": {"notes": {"type": "array", "items": {"type": "string"}}}}}}`
	for value, want := range map[string]string{
		`{"title": "a", "found": {"notes": ["b"]}}`:                                         "",
		`{"title": null, "count": 1.5, "size": "huge", "found": {"notes": ["b", 2, null]}}`: `count has type number, not integer; found.notes[1] has type number, not string; found.notes[2] has type null, not string; size is "huge", not one of "small", "large"; title has type null, not string`,
		`{"count": "two"}`:                         "title is missing; found is missing; count has type string, not integer",
		`{"title": "a", "count": 0, "found": {}}`:  "count is 0, but must be at least 1; found.notes is missing",
		`{"title": "a", "found": {"notes": null}}`: "found.notes has type null, not array",
	} {
		if got := schemaProblem([]byte(schema), parsed(t, value)); got != want {
			t.Errorf("%s\n got  %s\n want %s", value, got, want)
		}
	}
	if got := schemaProblem([]byte(`{"properties": {"n": {"minimum": 3}}}`), parsed(t, `{"n": 1}`)); got == "" {
		t.Error("a violation that only the schema library finds is not reported")
	}
}

func parsed(t *testing.T, text string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}
