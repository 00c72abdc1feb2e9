package registry

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// violations says all in which a value is not as a schema wants it: the library stops at
// the first. Required fields, types and choices are compared here, everything else by the
// library, value for value.
func violations(s *jsonschema.Schema, v any, at string) []string {
	if s == nil || s.Ref != "" || s.DynamicRef != "" {
		return nil // its root has what it refers to
	}
	if types := typesOf(s); len(types) > 0 && !slices.ContainsFunc(types, func(t string) bool { return hasType(v, t) }) {
		return []string{fmt.Sprintf("%s is %s, not %s", place(at), kindOf(v), strings.Join(types, " or "))}
	}
	var out []string
	if s.Enum != nil && !slices.ContainsFunc(s.Enum, func(e any) bool { return written(e) == written(v) }) {
		var choices []string
		for _, e := range s.Enum {
			choices = append(choices, written(e))
		}
		out = append(out, fmt.Sprintf("%s is %s, not one of %s", place(at), written(v), strings.Join(choices, ", ")))
	}
	if other := others(s, v); other != "" {
		out = append(out, place(at)+": "+other)
	}
	switch v := v.(type) {
	case float64:
		out = append(out, outside(s, v, at)...)
	case map[string]any:
		for _, name := range s.Required {
			if _, there := v[name]; !there {
				out = append(out, place(below(at, name))+" is missing")
			}
		}
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			if value, there := v[name]; there {
				out = append(out, violations(s.Properties[name], value, below(at, name))...)
			}
		}
	case []any:
		for i, item := range v {
			out = append(out, violations(s.Items, item, fmt.Sprintf("%s[%d]", at, i))...)
		}
	}
	return out
}

// outside says which bounds of a schema a number is beyond.
func outside(s *jsonschema.Schema, v float64, at string) (out []string) {
	for _, b := range []struct {
		bound *float64
		how   string
		fits  func(bound float64) bool
	}{
		{s.Minimum, "less than", func(bound float64) bool { return v >= bound }},
		{s.Maximum, "more than", func(bound float64) bool { return v <= bound }},
		{s.ExclusiveMinimum, "not more than", func(bound float64) bool { return v > bound }},
		{s.ExclusiveMaximum, "not less than", func(bound float64) bool { return v < bound }},
	} {
		if b.bound != nil && !b.fits(*b.bound) {
			out = append(out, fmt.Sprintf("%s is %v, %s %v", place(at), v, b.how, *b.bound))
		}
	}
	return out
}

// others is what the library says of a value itself, apart from what violations compares.
func others(s *jsonschema.Schema, v any) string {
	rest := *s
	rest.Type, rest.Types, rest.Enum, rest.Required, rest.Items = "", nil, nil, nil, nil
	rest.Minimum, rest.Maximum, rest.ExclusiveMinimum, rest.ExclusiveMaximum = nil, nil, nil, nil
	rest.Properties = make(map[string]*jsonschema.Schema, len(s.Properties))
	for name := range s.Properties { // additional ones are others than these
		rest.Properties[name] = &jsonschema.Schema{}
	}
	resolved, err := rest.Resolve(nil)
	if err != nil { // it refers to its root
		return ""
	}
	if err := resolved.Validate(v); err != nil {
		return inWords(err)
	}
	return ""
}

func place(at string) string {
	if at == "" {
		return "the output"
	}
	return at
}

func below(at, name string) string { return strings.TrimPrefix(at+"."+name, ".") }

func typesOf(s *jsonschema.Schema) []string {
	if s.Type != "" {
		return []string{s.Type}
	}
	return s.Types
}

// kindOf is the type of a JSON value, as schemas name it.
func kindOf(v any) string {
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
		return kindOf(v) == t
	}
	n, is := v.(float64)
	return is && n == float64(int64(n))
}

// inWords is what the library says of a violation, without the way to it and Go's words.
func inWords(err error) string {
	text := short(err.Error())
	return strings.ReplaceAll(text, "<invalid reflect.Value>", "null")
}

// decoded is a value as it is in JSON, with numbers as numbers.
func decoded(value any) (v any, err error) {
	plain, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(plain, &v)
	}
	return v, err
}
