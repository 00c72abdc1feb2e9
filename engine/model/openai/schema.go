package openai

import (
	"cmp"
	"strings"
)

const longestName = 64

// schemaName names a schema by the unit it is for, in the characters that servers allow.
func schemaName(label string) string {
	name := strings.Map(ofName, label)
	return cmp.Or(name[:min(len(name), longestName)], "reply")
}

// ofName keeps what may stand in a name.
func ofName(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-':
		return r
	}
	return '_'
}

// isStrict reports whether a server can hold a model to the schema: it is an object, and every
// object in it requires all its properties and allows no others. What is no schema but looks
// like one, say in an enum, can only make it less strict.
func isStrict(schema any) bool {
	root, ok := schema.(map[string]any)
	return ok && root["type"] == "object" && isClosed(schema)
}

// isClosed is isStrict for everything in a value.
func isClosed(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		if !requiresAll(value) {
			return false
		}
		for _, part := range value {
			if !isClosed(part) {
				return false
			}
		}
	case []any:
		for _, part := range value {
			if !isClosed(part) {
				return false
			}
		}
	}
	return true
}

// requiresAll is isStrict for one object.
func requiresAll(schema map[string]any) bool {
	properties, has := schema["properties"].(map[string]any)
	if !has && !mayBeObject(schema["type"]) {
		return true
	}
	if schema["additionalProperties"] != false {
		return false
	}
	required := map[string]bool{}
	names, _ := schema["required"].([]any)
	for _, name := range names {
		if name, is := name.(string); is { // what only looks like a schema may have anything there
			required[name] = true
		}
	}
	for name := range properties {
		if !required[name] {
			return false
		}
	}
	return true
}

// mayBeObject reports whether a type is object, or has it among others.
func mayBeObject(kind any) bool {
	kinds, _ := kind.([]any)
	for _, k := range append(kinds, kind) {
		if k, isName := k.(string); isName && k == "object" {
			return true
		}
	}
	return false
}
