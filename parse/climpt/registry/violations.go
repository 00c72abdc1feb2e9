package registry

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// violations returns all violations of a schema by a value at a path, which is "" for the whole output.
// The library reports only the first. So violations compares required fields, types, enums and
// bounds itself, and leaves the rest to the library.
func violations(s *jsonschema.Schema, v any, at string) []string {
	if s == nil || s.Ref != "" || s.DynamicRef != "" {
		return nil // a reference can only be resolved from its root
	}
	if types := schemaTypes(s); len(types) > 0 && !slices.ContainsFunc(types, func(t string) bool { return hasType(v, t) }) {
		return []string{fmt.Sprintf("%s has type %s, not %s", outputPathText(at), jsonTypeOf(v), strings.Join(types, " or "))}
	}
	var out []string
	if s.Enum != nil && !slices.ContainsFunc(s.Enum, func(e any) bool { return jsonText(e) == jsonText(v) }) {
		var choices []string
		for _, e := range s.Enum {
			choices = append(choices, jsonText(e))
		}
		out = append(out, fmt.Sprintf("%s is %s, not one of %s", outputPathText(at), jsonText(v), strings.Join(choices, ", ")))
	}
	if other := libraryValidationError(s, v); other != "" {
		out = append(out, outputPathText(at)+": "+other)
	}
	switch v := v.(type) {
	case float64:
		out = append(out, boundViolations(s, v, at)...)
	case map[string]any:
		for _, name := range s.Required {
			if _, there := v[name]; !there {
				out = append(out, outputPathText(joinPath(at, name))+" is missing")
			}
		}
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			if value, there := v[name]; there {
				out = append(out, violations(s.Properties[name], value, joinPath(at, name))...)
			}
		}
	case []any:
		for i, item := range v {
			out = append(out, violations(s.Items, item, fmt.Sprintf("%s[%d]", at, i))...)
		}
	}
	return out
}

// boundViolations returns the bounds that a number violates.
func boundViolations(s *jsonschema.Schema, v float64, at string) (out []string) {
	for _, b := range []struct {
		bound *float64
		how   string
		fits  func(bound float64) bool
	}{
		{s.Minimum, "but must be at least", func(bound float64) bool { return v >= bound }},
		{s.Maximum, "but must be at most", func(bound float64) bool { return v <= bound }},
		{s.ExclusiveMinimum, "but must be more than", func(bound float64) bool { return v > bound }},
		{s.ExclusiveMaximum, "but must be less than", func(bound float64) bool { return v < bound }},
	} {
		if b.bound != nil && !b.fits(*b.bound) {
			out = append(out, fmt.Sprintf("%s is %v, %s %v", outputPathText(at), v, b.how, *b.bound))
		}
	}
	return out
}

// libraryValidationError returns the library's error for everything that violations does not compare
// itself.
func libraryValidationError(s *jsonschema.Schema, v any) string {
	rest := *s
	rest.Type, rest.Types, rest.Enum, rest.Required, rest.Items = "", nil, nil, nil, nil
	rest.Minimum, rest.Maximum, rest.ExclusiveMinimum, rest.ExclusiveMaximum = nil, nil, nil, nil
	rest.Properties = make(map[string]*jsonschema.Schema, len(s.Properties))
	for name := range s.Properties { // so that these do not count as additional
		rest.Properties[name] = &jsonschema.Schema{}
	}
	resolved, err := rest.Resolve(nil)
	if err != nil { // it has a reference, which needs its root
		return ""
	}
	if err := resolved.Validate(v); err != nil {
		return readableError(err)
	}
	return ""
}

func outputPathText(at string) string {
	if at == "" {
		return "the output"
	}
	return at
}

func joinPath(at, name string) string { return strings.TrimPrefix(at+"."+name, ".") }

func schemaTypes(s *jsonschema.Schema) []string {
	if s.Type != "" {
		return []string{s.Type}
	}
	return s.Types
}

// jsonTypeOf returns the type of a JSON value in the terms of JSON Schema.
func jsonTypeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "number"
}

func hasType(v any, t string) bool {
	if t != "integer" {
		return jsonTypeOf(v) == t
	}
	n, is := v.(float64)
	return is && n == float64(int64(n))
}

// readableError returns the text of an error of the schema library without its path and Go terms.
func readableError(err error) string {
	text := err.Error()
	const path = "validating "
	if i := strings.LastIndex(text, path); i >= 0 {
		text = strings.TrimPrefix(text[i+len(path):], "root: ")
	}
	return strings.ReplaceAll(text, "<invalid reflect.Value>", "null")
}

// toJSONValue converts a value to what encoding/json decodes, with float64 numbers.
func toJSONValue(value any) (v any, err error) {
	plain, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(plain, &v)
	}
	return v, err
}
