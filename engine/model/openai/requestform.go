package openai

import (
	"bytes"
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strings"
)

// A requestForm is the form in which a server gets a request. The zero value is the newest form; each field
// gives up something that a server may not know.
type requestForm struct {
	oldLimit bool // max_tokens instead of max_completion_tokens
	noUsage  bool // without stream_options
	inPrompt bool // the schema as part of the prompt
}

const schemaNote = "the server does not accept a JSON Schema for its replies, so the schema was added to the prompt"

// useOlderForm changes the form of a request to one that the server may accept, and reports whether there is one.
func (k *call) useOlderForm(err error) bool {
	var r *refusal
	if !errors.As(err, &r) {
		return false
	}
	w := &k.form
	switch {
	case !w.oldLimit && r.names("max_completion_tokens"):
		w.oldLimit = true
	case !w.noUsage && r.names("stream_options", "include_usage"):
		w.noUsage = true
	case !w.inPrompt && k.request.Schema != nil && r.names("response_format", "schema", "grammar", "structured"):
		w.inPrompt = true
		k.notes = append(k.notes, schemaNote)
	default:
		return false
	}
	return true
}

// names reports whether the request was refused with one of these words. The whole answer
// counts: some servers name what they do not know beside their message.
func (r *refusal) names(words ...string) bool {
	switch r.status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusInternalServerError, http.StatusNotImplemented:
		body := bytes.ToLower(r.body)
		return slices.ContainsFunc(words, func(word string) bool { return bytes.Contains(body, []byte(word)) })
	}
	return false
}

// firstForm returns the form that a call begins with.
func (c *Client) firstForm() requestForm {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.form
}

// keepForm remembers a form that worked. Schemas are tried again: a server may refuse one and
// take another.
func (c *Client) keepForm(w requestForm) {
	w.inPrompt = false
	c.mu.Lock()
	defer c.mu.Unlock()
	c.form = w
}

const longestName = 64

// schemaName names a schema by the step it is for, in the characters that servers allow.
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

// isClosed reports whether requiresAll holds for all objects in a value.
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

// requiresAll reports whether one object of a schema allows no other properties and requires all of
// its own.
func requiresAll(schema map[string]any) bool {
	properties, has := schema["properties"].(map[string]any)
	if !has && !typeAllowsObject(schema["type"]) {
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

// typeAllowsObject reports whether a type is object, or has it among others.
func typeAllowsObject(kind any) bool {
	kinds, _ := kind.([]any)
	for _, k := range append(kinds, kind) {
		if k, isName := k.(string); isName && k == "object" {
			return true
		}
	}
	return false
}
