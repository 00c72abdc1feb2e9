package report

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// TestSchemaHasAllKeys: the schema has the keys of the JSON, and requires those that are always there.
func TestSchemaHasAllKeys(t *testing.T) {
	var s jsonschema.Schema
	if err := json.Unmarshal([]byte(Schema), &s); err != nil {
		t.Fatal(err)
	}
	agree(t, "the report", &s, s.Defs, reflect.TypeFor[Report](), map[reflect.Type]bool{})
}

// agree compares a schema with the Go type that is encoded, and so for each of its fields.
func agree(t *testing.T, name string, s *jsonschema.Schema, defs map[string]*jsonschema.Schema, typ reflect.Type, seen map[reflect.Type]bool) {
	t.Helper()
	if def, is := strings.CutPrefix(s.Ref, "#/$defs/"); is {
		s = defs[def]
	}
	switch typ.Kind() {
	case reflect.Pointer:
		agree(t, name, s, defs, typ.Elem(), seen)
		return
	case reflect.Slice:
		agree(t, name+"[]", s.Items, defs, typ.Elem(), seen)
		return
	}
	if typ.Kind() != reflect.Struct || typ == reflect.TypeFor[time.Time]() || seen[typ] {
		return
	}
	seen[typ] = true
	keys, always := map[string]reflect.Type{}, []string{}
	for f := range typ.Fields() {
		key, options, tagged := strings.Cut(f.Tag.Get("json"), ",")
		if key == "" {
			continue
		}
		keys[key] = f.Type
		if !tagged || !strings.HasPrefix(options, "omit") {
			always = append(always, key)
		}
	}
	got, want := slices.Sorted(maps.Keys(s.Properties)), slices.Sorted(maps.Keys(keys))
	if !slices.Equal(got, want) {
		t.Fatalf("%s: the schema has %q, the JSON %q", name, got, want)
	}
	if !slices.Equal(slices.Sorted(slices.Values(s.Required)), slices.Sorted(slices.Values(always))) {
		t.Errorf("%s: the schema requires %q, the JSON always has %q", name, s.Required, always)
	}
	for key, of := range keys {
		agree(t, name+"."+key, s.Properties[key], defs, of, seen)
	}
}
